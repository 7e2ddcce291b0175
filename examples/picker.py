"""A simulator with chance: an arm that picks items up, and sometimes breaks one."""

import random

from assay import SimulatorAgent, assess_chance, predicate


class Picker:
    chance = random.Random()

    def reset(self, seed):
        self.items = {"cup": "table", "vase": "table"}
        return self.items

    def reseed(self, seed):  # so that the same assessment can be made again
        self.chance = random.Random(seed)

    def step(self, action):
        (item,) = action.args
        if action.action == "pick-up" and self.items[item] == "table" and "arm" not in self.items.values():
            self.items[item] = self.chance.choices(["arm", "table", "floor"], [0.7, 0.2, 0.1])[0]
        elif action.action == "put-down" and self.items[item] == "arm":
            self.items[item] = "table"
        else:
            return None  # refused
        return self.items

    def snapshot(self):
        return dict(self.items)

    def restore(self, snapshot):
        self.items = dict(snapshot)
        return self.items


@predicate
def on_table(items, item: "item"):
    return items[item] == "table"


@predicate
def holding(items, item: "item"):
    return items[item] == "arm"


@predicate
def broken(items, item: "item"):
    return items[item] == "floor"


@predicate
def free(items):
    return "arm" not in items.values()


def picker():
    return SimulatorAgent(
        Picker(),
        predicates=[on_table, holding, broken, free],
        actions={"pick-up": {"item": "item"}, "put-down": {"item": "item"}},
        objects={"cup": "item", "vase": "item"},
        name="picker",
        stochastic=True,
    )


if __name__ == "__main__":
    print(assess_chance(picker(), samples=400).describe())
