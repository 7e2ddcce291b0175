"""Two result folders compared: what changed, literal by literal, with the evidence from both.

A slot has *changed* when no mode is left that both journals allow: that is proved by the answers. Where one
journal settles what the other leaves open, nothing is proved, and it is told apart. Effects that no question
could show agree with whatever is compatible with them, so models that behave alike do not differ. Parameters
are matched by position. Slots whose predicate, constant or parameter types the other vocabulary does not have
are not compared; the vocabulary's own differences say why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.core.symbols import ActionHeader, Atom, Literal, Predicate
from assay.core.vocabulary import Vocabulary
from assay.knowledge.dossier import Claim, Part, Status
from assay.report.reading import Reading, read_folder
from assay.report.statement import statement
from assay.report.witness import Bench, Witness
from assay.report.words import Speaker

Key = tuple[Part, Atom]


@dataclass(frozen=True, slots=True)
class Side:
    """How one of the two stands on a literal."""

    says: str
    mode: str
    status: str
    evidence: tuple[int, ...]
    witnesses: tuple[Witness, ...]
    """What the questions show, the telling ones first."""


@dataclass(frozen=True, slots=True)
class Change:
    """A literal on which the two differ."""

    action: str
    atom: str
    part: str
    fact: str
    """The atom in words, as if it were true."""
    first: Side
    second: Side


@dataclass(frozen=True, slots=True)
class Difference:
    first: str
    second: str
    changed: tuple[Change, ...] = ()
    """Proved by the answers of both."""
    undecided: tuple[Change, ...] = ()
    """Settled by one, open in the other."""
    vocabulary: tuple[str, ...] = ()
    """What only one of the two can speak of, in words."""
    notes: tuple[str, ...] = ()
    """What else keeps the two from being the same, in words."""
    open_in_both: int = 0

    @property
    def differs(self) -> bool:
        return bool(self.changed or self.undecided or self.vocabulary or self.notes)


def diff(first: Path, second: Path) -> Difference:
    """What tells two result folders apart."""
    return compare(read_folder(first), read_folder(second), str(first), str(second))


def compare(first: Reading, second: Reading, first_name: str, second_name: str) -> Difference:
    if first.record.hash == second.record.hash:
        return Difference(first_name, second_name)
    words = tuple(_vocabularies(_vocabulary(first), _vocabulary(second)))
    broken = [
        f"The answers in the {place} contradict each other, so it has no model to compare."
        for place, reading in (("first", first), ("second", second))
        if reading.fold.contradicted
    ]
    if broken:
        return Difference(first_name, second_name, vocabulary=words, notes=tuple(broken))
    sides = _Hearing(first), _Hearing(second)
    changed, undecided, notes = [], [], []
    in_both = 0
    for name in sorted(_vocabulary(first).action.keys() & _vocabulary(second).action.keys()):
        headers = [_vocabulary(r).action[name] for r in (first, second)]
        if headers[0].arity != headers[1].arity:
            continue
        ran = [r.fold.knowledge.dossiers[name].ran for r in (first, second)]
        if ran[0] != ran[1]:
            where, other = ("first", "second") if ran[0] else ("second", "first")
            notes.append(f"{name} was seen to run in the {where} and never in the {other}.")
        mine, theirs = sides[0].claims(name), sides[1].claims(name, headers[0])
        idle = [r.fold.knowledge.dossiers[name].never_runs for r in (first, second)]
        if not all(ran):
            in_both += 0 if any(ran) or all(idle) else len(mine)
            continue
        for key in _keys(mine, theirs):
            a, b = mine.get(key), theirs.get(key)
            status = [c.status if c is not None else Status.OPEN for c in (a, b)]
            if status == [Status.OPEN, Status.OPEN]:
                in_both += 1
            if a is not None and b is not None and not set(a.modes) & set(b.modes):
                changed.append(_change(sides, headers, key, a, b))
            elif Status.OPEN in status and status[0] is not status[1]:
                undecided.append(_change(sides, headers, key, a, b))
    return Difference(first_name, second_name, tuple(changed), tuple(undecided), words, tuple(notes), in_both)


class _Hearing:
    """The claims of one result, and what its questions say about them."""

    def __init__(self, reading: Reading) -> None:
        knowledge = reading.fold.knowledge
        self.speaker = Speaker(knowledge.vocabulary, knowledge.model())
        self._reading = reading
        self._claims = knowledge.claims()
        self._bench = Bench(self.speaker, self._claims)

    def claims(self, action: str, like: ActionHeader | None = None) -> dict[Key, Claim]:
        """The action's claims by part and atom, its parameters called as in the other header."""
        header = self.speaker.vocabulary.action[action]
        renaming = _renaming(header, like or header)
        return {(c.part, c.atom.substitute(renaming)): c for c in self._claims if c.action == action}

    def side(self, claim: Claim | None) -> Side:
        if claim is None:
            return Side("this was not looked into", "absent", Status.OPEN.value, (), ())
        entries = self._reading.fold.entries
        heard = [self._bench.hear(claim, entries[n - 1]) for n in claim.evidence]
        return Side(
            statement(self.speaker, claim),
            claim.mode,
            claim.status.value,
            claim.evidence,
            tuple(sorted(heard, key=lambda w: (not w.decisive, w.question))),
        )


def _change(
    sides: tuple[_Hearing, _Hearing],
    headers: Sequence[ActionHeader],
    key: Key,
    first: Claim | None,
    second: Claim | None,
) -> Change:
    part, atom = key
    speaker = sides[0].speaker
    return Change(
        headers[0].name,
        atom.text,
        part.value,
        speaker.clause(Literal(atom), speaker.names(headers[0].name)),
        sides[0].side(first),
        sides[1].side(second),
    )


def _keys(mine: Mapping[Key, Claim], theirs: Mapping[Key, Claim]) -> list[Key]:
    """Slots of both, and pairs of parameters that one of the two asked about."""
    both = [key for key in mine if key in theirs or key[1].predicate == "="]
    return both + [key for key in theirs if key not in mine and key[1].predicate == "="]


def _renaming(header: ActionHeader, like: ActionHeader) -> dict[str, str]:
    return {p.name: q.name for p, q in zip(header.parameters, like.parameters, strict=True)}


def _vocabulary(reading: Reading) -> Vocabulary:
    return reading.record.setting.profile.vocabulary


def _vocabularies(first: Vocabulary, second: Vocabulary) -> Iterator[str]:
    kinds: tuple[tuple[str, Mapping[str, object], Mapping[str, object]], ...] = (
        ("action", _signatures(first.actions), _signatures(second.actions)),
        ("predicate", _signatures(first.predicates), _signatures(second.predicates)),
        (
            "type",
            {t.name: set(t.parents) for t in first.types},
            {t.name: set(t.parents) for t in second.types},
        ),
        ("constant", {c.name: c.type for c in first.constants}, {c.name: c.type for c in second.constants}),
    )
    for kind, mine, theirs in kinds:
        for name in sorted(mine.keys() | theirs.keys()):
            if name not in theirs:
                yield f"The {kind} {name} is only in the first."
            elif name not in mine:
                yield f"The {kind} {name} is only in the second."
            elif mine[name] != theirs[name]:
                yield f"The {kind} {name} is declared differently in the two."


def _signatures(things: Sequence[ActionHeader] | Sequence[Predicate]) -> dict[str, list[tuple[str, ...]]]:
    """Parameter types by name; what the parameters are called does not matter."""
    return {thing.name: [p.types for p in thing.parameters] for thing in things}
