# The same lamps, for an agent that can also be asked to do as it likes.
import json
import random
import sys

WORLD = {  # action: (what must hold, what must not, what it adds, what it removes); * is the lamp
    "connect": ([], ["power"], ["power"], []),
    "disconnect": (["power"], [], [], ["power"]),
    "light": (["power"], ["on *"], ["on *"], []),
    "douse": (["on *"], [], [], ["on *"]),
}
OBJECTS = {"desk": "lamp", "hall": "lamp"}
HELLO = {
    "assay": 1,
    "types": {"lamp": "object"},
    "predicates": {"power": [], "on": ["lamp"]},
    "actions": {"connect": [], "disconnect": [], "light": ["lamp"], "douse": ["lamp"]},
    "objects": OBJECTS,
    "new_objects": True,
    "states": [[]],
    "walks": True,
}
STEPS = ["connect", "disconnect", *(f"{act} {lamp}" for act in ("light", "douse") for lamp in OBJECTS)]


def after(state, step):  # None if the step is refused
    action, _, lamp = step.partition(" ")
    needs, bars, adds, removes = ({a.replace("*", lamp) for a in atoms} for atoms in WORLD[action])
    return None if not needs <= state or bars & state else state - removes | adds


print(json.dumps(HELLO), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    state, done, states = set(question["state"]), [], []
    chance = random.Random(0)
    for _ in range(question.get("walk", 0)):
        step = chance.choice([step for step in STEPS if after(state, step) is not None])
        state = after(state, step)
        done.append(step)
        states.append(sorted(state))
    for step in question.get("plan", []):
        if after(state, step) is None:
            break
        state = after(state, step)
        done.append(step)
    answer = (
        {"plan": done, "states": states}
        if "walk" in question
        else {"steps": len(done), "state": sorted(state)}
    )
    print(json.dumps(answer), flush=True)
