# Lamps and one power switch: a complete agent for assay that does not import it.
import json
import sys

WORLD = {  # action: (what must hold, what must not, what it adds, what it removes); * is the lamp
    "connect": ([], ["power"], ["power"], []),
    "disconnect": (["power"], [], [], ["power"]),
    "light": (["power"], ["on *"], ["on *"], []),
    "douse": (["on *"], [], [], ["on *"]),
}
HELLO = {
    "assay": 1,
    "types": {"lamp": "object"},
    "predicates": {"power": [], "on": ["lamp"]},
    "actions": {"connect": [], "disconnect": [], "light": ["lamp"], "douse": ["lamp"]},
    "objects": {"desk": "lamp", "hall": "lamp"},
    "new_objects": True,
    "states": [[], ["power"], ["power", "on hall"]],  # a walk: connect, light hall
}
print(json.dumps(HELLO), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    state, steps = set(question["state"]), 0
    for step in question["plan"]:
        action, _, lamp = step.partition(" ")
        needs, bars, adds, removes = ({a.replace("*", lamp) for a in atoms} for atoms in WORLD[action])
        if not needs <= state or bars & state:
            break
        state, steps = state - removes | adds, steps + 1
    print(json.dumps({"steps": steps, "state": sorted(state)}), flush=True)
