"""How often does each capability of the cafe's robot end in which way? It acts at random, and this counts.

python examples/cafe/frequencies.py pick-item 2000
"""

import random
import sys
import time
from collections import Counter, defaultdict
from itertools import product

from assay.agents.cafe import CafeSimulator
from assay.agents.cafe_room import Room
from assay.agents.cafe_vocabulary import SETTINGS
from assay.core.symbols import Step

PATIENCE = 200
"""Refusals in a row after which nothing can be done any more."""
DAY = 100
"""Executions after which the cafe is tidied up."""


def measure(name: str, executions: int, seed: int = 0, tables: int = 2, cans: int = 2):
    """Of each capability: how often it ran with which changes, how often it was refused, and the seconds."""
    setting, room = SETTINGS[name], Room.of(tables, cans)
    objects = setting.objects(room)

    def tuples(kinds):
        return list(product(*([o for o, kind in objects.items() if kind == wanted] for wanted in kinds)))

    atoms = [
        (p, args) for p in setting.predicates for args in tuples(q.types[0] for q in p.symbol.parameters)
    ]
    steps = [
        [Step(capability, args) for args in tuples(parameters.values()) if len(set(args)) == len(args)]
        for capability, parameters in setting.capabilities.items()
    ]

    def look(state):
        return {(p.name, *args) for p, args in atoms if p(state, *args)}

    simulator, rng = CafeSimulator(setting, room, seed), random.Random(seed)
    ran, refused, seconds = defaultdict(Counter), Counter(), Counter()
    before, idle, today = look(simulator.reset(seed)), 0, 0
    while sum(map(Counter.total, ran.values())) < executions:
        if idle == PATIENCE or today == DAY:
            seed, idle, today = seed + 1, 0, 0
            before = look(simulator.reset(seed))
        step = rng.choice(rng.choice(steps))
        began = time.process_time()
        state = simulator.step(step)
        if state is None:
            refused[step.action] += 1
            idle += 1
            continue
        seconds[step.action] += time.process_time() - began
        after, idle, today = look(state), 0, today + 1
        roles = dict(zip(step.args, (f"?{p}" for p in setting.capabilities[step.action]), strict=True))
        changes = [("", atom) for atom in after - before] + [("not ", atom) for atom in before - after]
        said = sorted(sign + " ".join(roles.get(word, word) for word in atom) for sign, atom in changes)
        ran[step.action][", ".join(said) or "no change"] += 1
        before = after
    return ran, refused, seconds


def main(name: str = "pick-item", executions: str = "1000", tables: str = "2", cans: str = "2") -> None:
    ran, refused, seconds = measure(name, int(executions), 0, int(tables), int(cans))
    for capability, outcomes in sorted(ran.items()):
        tries = outcomes.total()
        spent = 1000 * seconds[capability] / tries
        print(f"{capability}: {tries} executed, {refused[capability]} refused, {spent:.0f} ms each")
        for outcome, count in outcomes.most_common():
            print(f"    {count / tries:.3f}  ({count})  {outcome}")


if __name__ == "__main__":
    main(*sys.argv[1:])
