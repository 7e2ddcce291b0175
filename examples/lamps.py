"""Your own agent: a class with a vocabulary and `ask`."""

from assay import Atom, PlanResponse, Vocabulary, assess


class Lamps:
    vocabulary = Vocabulary.of(
        types=["lamp"],
        predicates={"power": [], "on": ["lamp"], "broken": ["lamp"]},
        actions={"switch-on": {"l": "lamp"}, "cut-power": {}},
    )
    new_objects = True  # it understands lamps it has never seen

    def ask(self, query):
        state = query.state
        for done, step in enumerate(query.plan):
            lamps = [Atom("on", step.args), Atom("broken", step.args)]
            if Atom("power") not in state or (step.args and lamps[1] in state):
                return PlanResponse(done, state)  # refused here
            state = state.change(add=lamps[:1]) if step.args else state.change(delete=[Atom("power")])
        return PlanResponse(len(query.plan), state)


if __name__ == "__main__":
    print(assess(Lamps()).describe())
