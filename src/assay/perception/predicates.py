"""Predicates as ordinary functions of a low-level state.

    @predicate
    def holding(state, item: "item") -> bool:
        return state["hand"] == item

The function's name is the predicate's, its parameters after the first are the predicate's, and their
annotations name types, as text; without one a parameter takes every object. `"a|b"` is either. The
function gets the state and the objects' names.

`@predicate(static=True)` promises that no action ever changes the predicate: it is then evaluated once after
a reset and not after every step, which matters for things like "these two cells are neighbours", where there
are thousands of tuples. `@predicate(derived=True)` says that the predicate is a function of the others, like
"this cell is clear": its changes are told, but not taken for changes of their own (see `assay.discovery`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

from assay.core.symbols import OBJECT, Parameter, Predicate
from assay.errors import InputError


@dataclass(frozen=True, slots=True)
class StatePredicate:
    """A predicate and the function that tells where it holds; still callable as that function."""

    symbol: Predicate
    function: Callable[..., bool]
    static: bool = False
    derived: bool = False

    @property
    def name(self) -> str:
        return self.symbol.name

    def __call__(self, state: Any, /, *args: str) -> bool:
        return self.function(state, *args)


@overload
def predicate(function: Callable[..., bool], /) -> StatePredicate: ...


@overload
def predicate(
    *, static: bool = ..., derived: bool = ...
) -> Callable[[Callable[..., bool]], StatePredicate]: ...


def predicate(
    function: Callable[..., bool] | None = None, /, *, static: bool = False, derived: bool = False
) -> StatePredicate | Callable[[Callable[..., bool]], StatePredicate]:
    """Makes a function of a state and objects a typed predicate."""
    if function is None:
        return lambda decorated: _declare(decorated, static, derived)
    return _declare(function, static, derived)


def _declare(function: Callable[..., bool], static: bool, derived: bool) -> StatePredicate:
    name = function.__name__
    parameters = list(inspect.signature(function).parameters.values())
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not parameters or any(p.kind not in plain or p.default is not p.empty for p in parameters):
        raise InputError(
            f"predicate {name!r}: write a function of the state and of objects, for example "
            f'def {name}(state, item: "item"), without defaults and stars'
        )
    typed = tuple(Parameter(f"?{p.name}", _types(name, p)) for p in parameters[1:])
    return StatePredicate(Predicate(name, typed), function, static, derived)


def _types(name: str, parameter: inspect.Parameter) -> tuple[str, ...]:
    annotation = parameter.annotation
    if annotation is parameter.empty:
        return (OBJECT,)
    if isinstance(annotation, type):
        annotation = annotation.__name__
    if not isinstance(annotation, str):
        raise InputError(
            f"predicate {name!r}: the annotation of {parameter.name!r} is {annotation!r}, not a type's name"
        )
    # Under `from __future__ import annotations` a text is annotated by its source, quotes included.
    return tuple(text.strip().strip("'\"").strip() for text in annotation.split("|"))
