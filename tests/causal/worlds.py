"""Small worlds that several tests ask about."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from assay.causal.network import Network, unroll
from assay.causal.reading import introduce, read_literals, read_plan, read_state
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
    mentioned = [a for a, _ in read_literals(facts)] if facts else []
    facts = introduce(universe, [*atoms, *mentioned], read_plan(plan))
    return universe.state(a for a in atoms if a in facts)


def network(model: Model, state: str, plan: str, facts: str = "") -> Network:
    mentioned = [a for a, _ in read_literals(facts)] if facts else []
    return unroll(model, start(model, state, plan, facts), read_plan(plan), mention=mentioned)


def coin() -> Model:
    """A toss that comes down heads or tails, and a bet that needs heads."""
    vocabulary = Vocabulary.of(predicates={"heads": [], "won": []}, actions={"toss": [], "bet": []})
    heads, won = Atom("heads"), Atom("won")
    toss = ActionModel(
        vocabulary.action["toss"],
        frozenset(),
        (Outcome(frozenset({Literal(heads)}), 0.5), Outcome(frozenset({Literal(heads, False)}), 0.5)),
    )
    bet = ActionModel.deterministic(
        vocabulary.action["bet"], frozenset({Literal(heads)}), frozenset({Literal(won)})
    )
    return Model(vocabulary, (toss, bet))
