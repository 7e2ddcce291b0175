"""Small worlds that several tests ask about."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from assay.causal.network import Network, unroll
from assay.causal.objects import introduce
from assay.causal.reading import read_formula, read_plan, read_state
from assay.causal.variables import Refused
from assay.core.formula import leaves, negate
from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Atom, Literal
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.pddl.reader import read_domain

EXAMPLES = Path(__file__).parents[2] / "examples"
DELIVERY = Path(str(files("assay.bench") / "domains" / "delivery.pddl"))
DELIVERY_PROBLEM = DELIVERY.with_name("delivery-problem.pddl")


def delivery() -> Model:
    return read_domain(DELIVERY.read_text(), "delivery.pddl")


def start(model: Model, state: str, plan: str = "", facts: str = "") -> State:
    universe = Universe(model.vocabulary)
    atoms = read_state(state)
    known = introduce(universe, [*atoms, *mentioned(facts)], read_plan(plan))
    return universe.state(a for a in atoms if a in known)


def mentioned(facts: str) -> list[Atom]:
    return [leaf.atom for leaf in leaves(read_formula(facts))] if facts else []


def network(model: Model, state: str, plan: str, facts: str = "", refused: Refused = Refused.STOP) -> Network:
    begin = start(model, state, plan, facts)
    return unroll(model, begin, read_plan(plan), refused=refused, mention=mentioned(facts))


def coin() -> Model:
    """A toss that comes down heads or tails, and a bet that needs heads."""
    vocabulary = Vocabulary.of(predicates={"heads": [], "won": []}, actions={"toss": [], "bet": []})
    heads, won = Literal(Atom("heads")), Literal(Atom("won"))
    outcomes = Outcome.plain([heads], 0.5), Outcome.plain([negate(heads)], 0.5)
    toss = ActionModel.chance(vocabulary.action["toss"], (), outcomes)
    return Model(vocabulary, (toss, ActionModel.strips(vocabulary.action["bet"], [heads], [won])))


def door() -> Model:
    """Doors that a key or a card unlocks, but not while others watch; in a wet hall one gets muddy by it."""
    return read_domain((EXAMPLES / "door" / "door.pddl").read_text(), "door.pddl")
