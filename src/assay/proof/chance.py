"""Checking the result of an assessment with chance, from its files alone.

    {"assay": 1, "kind": "chance", "journal": {...}, "model": {...}, "confidence": 0.95,
     "claims": [...],
     "outcomes": [{"action": "move", "effects": ["(at ?to)"], "probability": 0.8, "low": 0.7, "high": 0.88,
                   "hits": 58, "tries": 72}, ...]}

Claims are about preconditions and are proved as for deterministic agents, because a refusal is no matter of
chance: a literal is needed if the capability was refused in a cited question where it is the only literal
missing that no cited run shows to be dispensable; it is not needed if it ran both with it and without.
Everything else is statistics, and what can be checked there is that it was counted right: that every run of
the journal is one of the model's outcomes, that every outcome was seen, that hits and tries are those of the
journal, and that the interval is the exact one for them (by the tails of the binomial distribution, summed).
Where needs are left open because no state within reach tells, `chance_reach` checks just that.
Of an agent that does not show refusals, neither can be checked, and that is said.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp, lgamma, log, log1p
from pathlib import Path
from typing import Literal as TypingLiteral

import msgspec

from assay.core.model import ActionModel
from assay.core.quantity import count
from assay.core.query import Invalid, Start
from assay.core.symbols import Atom, Literal
from assay.errors import InputError, JournalError
from assay.pddl.reader import read_ppddl
from assay.proof.certificate import Claim, JournalMark, ModelMark
from assay.proof.chance_reach import TooMany, Values, undecided
from assay.proof.spelling import in_vocabulary
from assay.store.folder import CERTIFICATE, DESCRIPTION, JOURNAL, SUMMARY, missing_files
from assay.store.folder import CHANCE_MODEL as MODEL
from assay.store.journal import Record, read, read_setting
from assay.store.plain import decode_json, read_plain

ROUNDING = 1e-6
ESTIMATED = 2e-3
"""How exactly the likeliest probabilities are to be met: they are approached step by step."""


class CountedOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    action: str
    effects: tuple[str, ...]
    probability: float
    low: float
    high: float
    hits: int
    tries: int

    def __str__(self) -> str:
        return f"{self.action}: the outcome {' '.join(self.effects) or 'without change'}"


class ChanceCertificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    assay: TypingLiteral[1]
    kind: TypingLiteral["chance"]
    journal: JournalMark
    model: ModelMark
    confidence: float
    claims: tuple[Claim, ...]
    outcomes: tuple[CountedOutcome, ...]

    @classmethod
    def of(
        cls,
        *,
        entries: int,
        journal_hash: str,
        model_file: bytes,
        confidence: float,
        claims: Iterable[Claim],
        outcomes: Iterable[CountedOutcome],
    ) -> ChanceCertificate:
        mark = ModelMark(hashlib.sha256(model_file).hexdigest())
        journal = JournalMark(entries, journal_hash)
        return cls(1, "chance", journal, mark, confidence, tuple(claims), tuple(outcomes))


def encode(certificate: ChanceCertificate) -> bytes:
    """One claim and one outcome a line, so that certificates can be compared by eye."""
    head = msgspec.json.encode(
        {k: getattr(certificate, k) for k in ("assay", "kind", "journal", "model", "confidence")}
    )
    parts = b",".join(
        b'"%s":[\n%s\n]' % (name, b",\n".join(msgspec.json.encode(item) for item in items))
        for name, items in ((b"claims", certificate.claims), (b"outcomes", certificate.outcomes))
    )
    return head[:-1] + b"," + parts + b"}\n"


@dataclass(frozen=True, slots=True)
class ChanceVerdict:
    problems: tuple[str, ...]
    open: tuple[str, ...]
    """Capabilities of which some need is not settled, or that never ran, and that this leaves in doubt."""
    literals: int
    outcomes: int
    samples: int
    states: int = 0
    """States within reach, if they were all looked at because some needs make no difference there."""
    hidden: bool = False
    """Whether the agent does not show its refusals, so that nothing of what it needs is proved."""

    @property
    def proved(self) -> bool:
        """Whether everything claimed is so, and every precondition is proved."""
        return not self.problems and not self.open and not self.hidden

    def sentences(self) -> list[str]:
        found = list(self.problems)
        if not self.problems:
            if self.hidden:
                found.append("The agent does not show refusals: what it needs was judged, and is not proved.")
            elif self.open:
                found.append(f"The journal does not prove all that is needed for {', '.join(self.open)}.")
            elif self.states:
                found.append(
                    "When each capability runs is proved for every state that the outcomes seen lead to "
                    f"({self.states:,}); elsewhere more may be needed."
                )
            elif self.literals:
                found.append(f"What is needed is proved (literals: {self.literals}), and nothing else is.")
            else:
                found.append("That nothing is needed is proved.")
            found.append(
                f"Counted right (outcomes: {self.outcomes}, executions: {self.samples:,}). Probabilities are "
                "statistical statements; no journal proves them."
            )
        return found


def verify_chance(folder: Path) -> ChanceVerdict:
    """Checks a result folder with policy questions."""
    record = read(folder / JOURNAL)
    try:
        certificate = decode_json(read_plain(folder / CERTIFICATE), ChanceCertificate)
        source = read_plain(folder / MODEL)
        model = in_vocabulary(read_ppddl(source.decode(), MODEL), record.setting.profile.vocabulary)
    except OSError as error:
        raise InputError(f"{folder} is not a finished result: {error.strerror}: {error.filename}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{MODEL} is not a text file") from error
    except msgspec.MsgspecError as error:
        raise InputError(f"{CERTIFICATE}: not a certificate: {error}") from error
    problems = [*_marks(certificate, record, source), *missing_files(folder, SUMMARY, DESCRIPTION)]
    cases = _Cases(record)
    hidden = record.setting.aims is not None and not record.setting.aims.refusals
    for action in model.actions:
        if not hidden:
            problems += _needs(action, cases, certificate.claims)
            problems += _counts(action, cases, certificate)
    for counted in certificate.outcomes:
        if counted.action not in model.action:
            problems.append(f"{counted}: the model has no such capability.")
    missing = sorted(record.setting.profile.vocabulary.action.keys() - model.action.keys())
    unsettled = sorted({c.action for c in certificate.claims if c.status != "settled"} | set(missing))
    problems += _contradictions(cases, record)
    states = 0
    if unsettled and not problems and not hidden and record.setting.profile.start is not Start.ANY:
        ran = {name: [held for _, held, _ in found] for name, found in cases.ran.items()}
        refused = {name: [held for _, held in found] for name, found in cases.refused.items()}
        with suppress(TooMany):
            doubtful, states = undecided(record.setting, model, ran, refused)
            unsettled = sorted(doubtful)
    return ChanceVerdict(
        tuple(problems),
        tuple(unsettled),
        sum(len(a.needed) for a in model.actions),
        sum(len(a.outcomes) for a in model.actions),
        cases.samples,
        states,
        hidden,
    )


def _contradictions(cases: _Cases, record: Record) -> Iterator[str]:
    """What no model over the vocabulary says."""
    for name, entries in sorted(cases.elsewhere.items()):
        yield f"{name}: it changed facts that are not about its arguments, in question {min(entries)}."
    if record.setting.aims is not None and not record.setting.aims.refusals:
        return
    for name, refused in sorted(cases.refused.items()):
        runs = [held for _, held, _ in cases.ran.get(name, ())]
        for number, held in refused if runs else ():
            if not any(all((a in held) != (a in run) for run in runs) for a in set(held).union(*runs)):
                yield (
                    f"{name}: refused in question {number}, where it lacked nothing that all its runs have "
                    "in common: no precondition says that."
                )
                break


def _marks(certificate: ChanceCertificate, record: Record, source: bytes) -> Iterator[str]:
    if certificate.journal.entries != len(record.simulations) or certificate.journal.hash != record.hash:
        yield "The certificate is about another journal."
    if hashlib.sha256(source).hexdigest() != certificate.model.sha256:
        yield f"{MODEL} is not the file that the certificate is about."


class _Cases:
    """What the journal says of each capability: where it ran, to which effect, and where it was refused."""

    def __init__(self, record: Record) -> None:
        self.samples = 0
        self.ran: dict[str, list[tuple[int, Values, Values]]] = {}
        self.refused: dict[str, list[tuple[int, Values]]] = {}
        self.elsewhere: dict[str, list[int]] = {}
        """Questions in which it changed what is none of its atoms."""
        vocabulary = record.setting.profile.vocabulary
        constants = {c.name for c in vocabulary.constants}
        lifted = {a.name: vocabulary.lifted_atoms(a.name) for a in vocabulary.actions}
        for entry in record.simulations:
            if isinstance(entry.response, Invalid):
                continue
            for before, step, after in entry.response.transitions(entry.query):
                self.samples += 1
                if len({*step.args} - constants) < len(step.args):
                    continue
                binding = vocabulary.action[step.action].bind(step.args)
                ground = {atom: atom.substitute(binding) for atom in lifted[step.action]}
                held = frozenset(atom for atom, g in ground.items() if g in before)
                if after is None:
                    self.refused.setdefault(step.action, []).append((entry.number, held))
                else:
                    then = frozenset(atom for atom, g in ground.items() if g in after)
                    self.ran.setdefault(step.action, []).append((entry.number, held, then))
                    if not {*before} ^ {*after} <= {*ground.values()}:
                        self.elsewhere.setdefault(step.action, []).append(entry.number)


def _needs(action: ActionModel, cases: _Cases, claims: Sequence[Claim]) -> Iterator[str]:
    name = action.header.name
    mine = [c for c in claims if c.action == name]
    told = {c.atom for c in mine}
    for literal in sorted(action.needed):
        if literal.atom.text not in told:
            yield f"{name}: no claim is made about {literal}."
    if not all(_holds(action, held) for _, held, _ in cases.ran.get(name, ())):
        yield f"{name}: it ran where the model says that it cannot."
    for claim in mine:
        if claim.status == "open":  # the model may guess
            continue
        atom = Atom.parse(claim.atom)
        wanted = {"+": Literal(atom), "-": Literal(atom, False)}.get(claim.mode)
        if (wanted is not None) != any(x.atom == atom for x in action.needed) or (
            wanted is not None and wanted not in action.needed
        ):
            yield f"The certificate says that {claim}; the model says otherwise."
        elif claim.status == "settled" and not _settled(name, atom, wanted, cases, set(claim.evidence)):
            yield f"{claim}: the cited questions do not settle this."


def _holds(action: ActionModel, held: Values) -> bool:
    return all((x.atom in held) == x.positive for x in action.needed)


def _settled(name: str, atom: Atom, wanted: Literal | None, cases: _Cases, cited: set[int]) -> bool:
    runs = [held for n, held, _ in cases.ran.get(name, ()) if n in cited]
    if wanted is None:
        return any(atom in held for held in runs) and any(atom not in held for held in runs)
    if not runs:
        return False
    # a literal is dispensable if it ran without; opposite literals cannot both be needed of what runs
    for n, held in cases.refused.get(name, ()):
        if n in cited and (atom in held) != wanted.positive:
            lifted = set().union(held, *runs)
            reasons = {other for other in lifted if all((other in run) != (other in held) for run in runs)}
            if reasons == {atom}:
                return True
    return False


def _counts(action: ActionModel, cases: _Cases, certificate: ChanceCertificate) -> Iterator[str]:
    name = action.header.name
    claimed = {frozenset(c.effects): c for c in certificate.outcomes if c.action == name}
    if len(claimed) != len(action.outcomes):
        told = count(len(claimed), "outcome")
        yield f"{name}: {told} in the certificate, {len(action.outcomes)} in the model."
    if abs(sum(o.probability for o in action.outcomes) - 1) > ROUNDING:
        yield f"{name}: the probabilities do not add up to one."
    runs = Counter((held, then) for _, held, then in cases.ran.get(name, ()))
    if not _likeliest(action, runs):
        yield f"{name}: other probabilities make the runs of the journal likelier."
    effects = [o.literals for o in action.outcomes]
    lost = sum(n for (held, then), n in runs.items() if then not in [_after(held, e) for e in effects])
    if lost:
        yield f"{name}: none of the model's outcomes explains {count(lost, 'run')}."
    for outcome in action.outcomes:
        counted = claimed.get(frozenset(map(str, outcome.literals)))
        if counted is None:
            yield f"{name}: an outcome of the model is not in the certificate."
            continue
        hits = tries = seen = 0
        for (held, then), n in runs.items():
            mine = _after(held, outcome.literals)
            seen += n * (mine == then)
            if sum(_after(held, e) == mine for e in effects) == 1:
                tries += n
                hits += n * (mine == then)
        if not seen:
            yield f"{counted} was never seen."
        if (hits, tries) != (counted.hits, counted.tries):
            yield f"{counted}: {hits} of {tries} in the journal, {counted.hits} of {counted.tries} claimed."
        elif tries and not _exact(counted, certificate.confidence):
            yield f"{counted}: the interval is not the one for {hits} of {tries}."
        elif not tries and not _left(counted, list(claimed.values()), certificate.confidence):
            yield f"{counted}: the interval is not what the other outcomes leave."
        if abs(counted.probability - outcome.probability) > ROUNDING:
            yield f"{counted}: {outcome.probability:g} in the model, {counted.probability:g} claimed."


def _likeliest(action: ActionModel, runs: Counter[tuple[Values, Values]]) -> bool:
    """Whether no other probabilities make the runs likelier: then sharing every run out among the outcomes
    that may have brought it about, by their probabilities, gives the same probabilities again."""
    shared, explained = [0.0] * len(action.outcomes), 0
    for (held, then), n in runs.items():
        chances = [o.probability * (_after(held, o.literals) == then) for o in action.outcomes]
        if whole := sum(chances):
            explained += n
            shared = [s + n * c / whole for s, c in zip(shared, chances, strict=True)]
    return all(
        abs(s / max(1, explained) - o.probability) < ESTIMATED
        for s, o in zip(shared, action.outcomes, strict=True)
    )


def _after(held: Values, effects: frozenset[Literal]) -> Values:
    return (held - {a for a, sign in effects if not sign}) | {a for a, sign in effects if sign}


def _left(counted: CountedOutcome, claimed: Sequence[CountedOutcome], confidence: float) -> bool:
    """Whether the interval is the rest that the outcomes that could be counted leave, each with its share of
    the doubt."""
    others = [c for c in claimed if c.tries]
    doubt = (1 - confidence) / max(1, len(others))
    ends = [
        (_end(c.hits, c.tries, doubt / 2), 1 - _end(c.tries - c.hits, c.tries, doubt / 2)) for c in others
    ]
    alone = len(others) == len(claimed) - 1
    low = max(0.0, 1 - sum(high for _, high in ends)) if alone and others else 0.0
    high = max(0.0, 1 - sum(low for low, _ in ends))
    return abs(counted.low - low) < 1e-4 and abs(counted.high - high) < 1e-4


def _end(hits: int, tries: int, tail: float) -> float:
    """The probability with which so many hits or more have just this chance, by halving."""
    low, high = 0.0, 1.0
    while hits and high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if _at_least(hits, tries, middle) < tail else (low, middle)
    return low


def _exact(counted: CountedOutcome, confidence: float) -> bool:
    """Whether both ends are where the counts seen, or more extreme ones, have just the chance they may."""
    tail, n, k = (1 - confidence) / 2, counted.tries, counted.hits
    low = counted.low == 0 if k == 0 else abs(_at_least(k, n, counted.low) - tail) < 1e-4
    high = counted.high == 1 if k == n else abs(1 - _at_least(k + 1, n, counted.high) - tail) < 1e-4
    return low and high


def _at_least(k: int, n: int, p: float) -> float:
    """The chance of at least k hits in n tries."""
    if not 0 < p < 1:
        return float(p >= 1 or k == 0)
    return sum(
        exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) + (n - i) * log1p(-p))
        for i in range(k, n + 1)
    )


def is_chance(folder: Path) -> bool:
    """Whether the folder holds a run with policy questions."""
    if (folder / MODEL).exists():
        return True
    try:
        return read_setting(folder / JOURNAL).aims is not None
    except JournalError:
        return False
