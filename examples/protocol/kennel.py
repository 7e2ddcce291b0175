# A kennel: an agent for assay that tells the states between the steps of a plan.
import json
import sys

HELLO = {
    "assay": 1,
    "types": {"dog": "object"},
    "predicates": {"asleep": ["dog"], "barking": ["dog"], "out": ["dog"]},
    "actions": {"ring": [], "walk": {"d": "dog"}},
    "objects": {"rex": "dog"},
    "new_objects": True,
    "tells_states": True,
}
print(json.dumps(HELLO), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    dogs = [*HELLO["objects"], *question.get("objects", {})]  # all that there are in this question
    state, changes = set(question["state"]), []
    for action, *args in map(str.split, question["plan"]):
        if action == "ring":  # every dog that is not asleep barks
            added, removed = {f"barking {d}" for d in dogs if f"asleep {d}" not in state}, set()
        elif any(f"out {d}" in state for d in dogs):  # one dog at a time
            break
        else:  # a dog that is taken out wakes up
            added, removed = {f"out {args[0]}"}, {f"asleep {args[0]}"}
        changes.append({"added": sorted(added - state), "removed": sorted(removed & state)})
        state = state - removed | added
    print(json.dumps({"steps": len(changes), "state": sorted(state), "changes": changes}), flush=True)
