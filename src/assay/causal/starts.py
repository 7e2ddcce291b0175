"""Changes of a situation after which something would be so: minimal sets of facts, smallest first, exact."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from assay.causal.encoding import Encoding
from assay.causal.formula import Formula, Variable, variables
from assay.causal.minimal import minimal_sets
from assay.causal.network import Network
from assay.causal.structural import Values
from assay.causal.variables import Fact, Given, Static
from assay.core.symbols import Atom, Literal


def changes_there(target: Formula, values: Values) -> Iterator[tuple[Literal, ...]]:
    """Minimal sets of facts to be otherwise at the very moment that the target is about, as they would be."""
    facts: dict[Variable, Atom] = {v: v.atom for v in variables(target) if isinstance(v, Fact | Static)}
    return _changes(target, values, facts, {})


def changes_at_start(
    network: Network, target: Formula, static_only: bool = False
) -> Iterator[tuple[Literal, ...]]:
    """Minimal sets of facts to be otherwise at the start for the target to become so, as they would be.

    With `static_only`, just facts that no action changes may be otherwise.
    """
    structure = network.structure
    relevant = structure.ancestors(variables(target))
    functions = {v: structure.functions[v] for v in structure.order if v in relevant}
    facts = {v: atom for v in relevant if (atom := _decides(v, static_only)) is not None}
    return _changes(target, network.context, facts, functions)


def _changes(
    target: Formula, values: Values, facts: Mapping[Variable, Atom], functions: Mapping[Variable, Formula]
) -> Iterator[tuple[Literal, ...]]:
    """The facts' variables are free, all others without a function are as they are."""
    encoding = Encoding()
    roots = {*variables(target), *(p for f in functions.values() for p in variables(f))} - functions.keys()
    for variable in _ordered(roots - facts.keys()):
        encoding.fix(variable, values[variable])
    free: dict[int, Literal] = {}
    for variable in _ordered(facts):
        changed, number = encoding.fresh(), encoding.number(variable)
        free[changed] = Literal(facts[variable], not values[variable])
        encoding.equate(changed, -number if values[variable] else number)
    for variable, function in functions.items():
        encoding.equate(encoding.number(variable), encoding.literal(function))
    encoding.clauses.append([encoding.literal(target)])
    for chosen, _ in minimal_sets(encoding, list(free)):
        yield tuple(sorted(free[c] for c in chosen))


def _ordered(found: Collection[Variable]) -> list[Variable]:
    return sorted(found, key=str)


def _decides(variable: Variable, static_only: bool) -> Atom | None:
    """The fact at the start whose value the exogenous variable is, if it may be otherwise."""
    match variable:
        case Static(atom):
            return atom
        case Given(Fact(atom, _)) if not static_only:
            return atom
    return None
