"""Your own simulator: a crane over three places, and two boxes."""

from assay import SimulatorAgent, predicate


class Crane:
    def reset(self, seed):
        return self.restore({"over": "quay", "held": None, "red": "quay", "blue": "ship"})

    def step(self, action):
        match (action.action, *action.args, self.state["over"], self.state["held"]):
            case "swing", here, there, over, _ if here == over:
                change = {"over": there}
            case "grab", box, here, over, None if here == over == self.state[box]:
                change = {"held": box, box: None}
            case "lower", box, here, over, held if box == held and here == over:
                change = {"held": None, box: here}
            case _:
                return None  # refused, and nothing has changed
        return self.restore(self.state | change)

    def snapshot(self):
        return self.state  # steps make new states, so the old one may be kept as it is

    def restore(self, snapshot):
        self.state = snapshot
        return self.state


@predicate
def over(state, place: "place"):
    return state["over"] == place


@predicate
def holding(state, box: "box"):
    return state["held"] == box


@predicate
def empty_hook(state):
    return state["held"] is None


@predicate
def on(state, box: "box", place: "place"):
    return state[box] == place


def crane():
    return SimulatorAgent(
        Crane(),
        predicates=[over, holding, empty_hook, on],
        objects={"quay": "place", "ship": "place", "yard": "place", "red": "box", "blue": "box"},
        actions={"swing": ["place", "place"], "grab": ["box", "place"], "lower": ["box", "place"]},
    )
