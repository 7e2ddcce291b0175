"""Your own simulator: a crane over three places, and two boxes."""

from assay import SimulatorAgent, assess, predicate


class Crane:
    def reset(self, seed):
        self.state = {"over": "quay", "held": None, "boxes": {"red": "quay", "blue": "ship"}}
        return self.state

    def step(self, action):
        over, held, boxes = self.state.values()
        match action.action, *action.args:
            case "swing", here, there if here == over:
                over = there
            case "grab", box, here if held is None and here == over == boxes[box]:
                held, boxes = box, boxes | {box: None}
            case "lower", box, here if box == held and here == over:
                held, boxes = None, boxes | {box: here}
            case _:
                return None  # refused, and nothing has changed
        self.state = {"over": over, "held": held, "boxes": boxes}
        return self.state

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
    return state["boxes"][box] == place


def crane():
    return SimulatorAgent(
        Crane(),
        predicates=[over, holding, empty_hook, on],
        objects={"quay": "place", "ship": "place", "yard": "place", "red": "box", "blue": "box"},
        actions={"swing": ["place", "place"], "grab": ["box", "place"], "lower": ["box", "place"]},
    )


if __name__ == "__main__":
    print(assess(crane()).describe())
