"""Everything the report shows, as plain data: journal -> numbers -> words, no HTML.

A result folder is enough: the journal is folded again, so the numbers are those of the run itself, and a run
that was cut off, failed or contradicted itself is told as far as it went. `read_findings` reads a folder;
`findings` works on what has been read already, for a caller that follows a run while it goes on. All types
are frozen dataclasses of tuples and strings, so `msgspec.to_builtins` makes JSON of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.core.query import Start
from assay.core.symbols import Literal
from assay.knowledge.dossier import Claim, Status
from assay.proof.contradiction import smallest_contradiction
from assay.proof.explanation import explain_contradiction
from assay.report.describe import doubt, legend, never_ran_sentence
from assay.report.fold import Fold, Slot
from assay.report.forbidden import Forbidden
from assay.report.origin import Origin, origin
from assay.report.paragraph import Mention, paragraph
from assay.report.reach import Reach
from assay.report.reading import UNFINISHED, Reading, read_folder
from assay.report.rows import Row, row
from assay.report.statement import statement
from assay.report.witness import Bench, Witness
from assay.report.words import Speaker

HEADLINES = {
    "complete": "Everything a question can settle is settled.",
    "open": "Not complete: no further question would settle what is open.",
    "budget": "Not complete: the number of questions allowed was reached.",
    "contradiction": "The answers contradict each other: no model of this kind gives all of them.",
    "failed": "Not complete: the agent failed.",
    UNFINISHED: "Not complete: the run has not come to its end.",
}

FENCED = "Not complete: no allowed question was found that would settle what is open."
"""Instead, where states were forbidden."""


@dataclass(frozen=True, slots=True)
class Point:
    """One slot: whether an action needs a fact, or what it does to it."""

    key: str
    """Unique in the report, and fit for an HTML id."""
    part: str
    atom: str
    fact: str
    """The fact in words, as if it were true."""
    says: str
    """The claim in words."""
    mode: str
    modes: tuple[str, ...]
    status: str
    evidence: tuple[int, ...]
    witnesses: tuple[Witness, ...] = ()
    """What the questions behind it show, the telling ones first; for literals of the model."""


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    task: str
    """The action as a verb phrase over its parameters."""
    ran: bool
    text: tuple[str | Mention, ...]
    """What the agent can do, in sentences; mentions lead to points."""
    points: tuple[Point, ...]
    doubts: tuple[str, ...]
    """What is open, in words."""


@dataclass(frozen=True, slots=True)
class Slots:
    total: int
    settled: int
    indistinguishable: int
    open: int


@dataclass(frozen=True, slots=True)
class Conflict:
    numbers: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Findings:
    name: str
    title: str
    outcome: str
    headline: str
    error: str
    complete: bool
    questions: int
    logged: int
    """How many entries of the journal come from logs; they are its first."""
    search: int
    steps: int
    rejected: int
    bound: int
    """K: the questions that no strategy can do without, for the preconditions found."""
    comparable: bool
    """Whether K is a bound here: only if questions may start anywhere, and nothing was known from logs."""
    slots: Slots
    out_of_reach: int
    """Of the slots that are indistinguishable, how many only situations out of reach could tell."""
    idle_points: int
    """And how many are those of actions that never work within reach."""
    proof: str
    """How that was shown, if it is known."""
    by_steps: str
    """By which steps the agent was led, in words; nothing if by all there are."""
    forbidden: tuple[str, ...]
    """What was not to be entered while asking, and what is open because of that, in sentences."""
    seconds: float
    agent_seconds: float
    legend: str
    actions: tuple[Action, ...]
    never_ran: tuple[str, ...]
    curve: tuple[int, ...]
    """Settled slots before the first question and after each."""
    journal: tuple[Row, ...]
    conflict: Conflict | None
    model: str
    """The model as PDDL, as the folder has it."""
    origin: Origin


def read_findings(folder: Path) -> Findings:
    """What a result folder shows, finished or not."""
    return findings(read_folder(folder))


def findings(reading: Reading) -> Findings:
    fold, setting, outcome = reading.fold, reading.record.setting, reading.outcome
    knowledge, vocabulary = fold.knowledge, setting.profile.vocabulary
    claims, learned, reach = fold.claims(), knowledge.model(), Reach.of(knowledge)
    forbidden = Forbidden.recalled(setting.never, reading.summary)
    speaker = Speaker(vocabulary, learned)
    bench = Bench(speaker, list(claims.values()))
    points = {slot: _point(speaker, bench, fold, slot, claim) for slot, claim in claims.items()}
    conflict = _conflict(fold) if outcome == "contradiction" else None
    journal = _journal(speaker, fold, points, conflict)
    statuses = [claim.status for claim in claims.values()]
    return Findings(
        name=vocabulary.name,
        title=_title(vocabulary.name),
        outcome=outcome,
        headline=_headline(outcome, reach, forbidden),
        error=str(reading.summary.get("error", "")),
        complete=outcome == "complete",
        questions=fold.questions,
        logged=fold.logged,
        search=knowledge.searches,
        steps=sum(row.tried for row in journal if not row.logged),
        rejected=len(knowledge.rejected),
        bound=knowledge.needed,
        comparable=setting.profile.start is Start.ANY and not setting.traces,
        slots=Slots(
            len(statuses),
            statuses.count(Status.SETTLED),
            statuses.count(Status.INDISTINGUISHABLE),
            statuses.count(Status.OPEN),
        ),
        out_of_reach=reach.points,
        idle_points=reach.idle_points,
        proof=reach.proof,
        by_steps=reach.confinement.by_steps,
        forbidden=tuple(forbidden.sentences()),
        seconds=float(reading.summary.get("seconds", reading.seconds)),
        agent_seconds=float(reading.summary.get("agent_seconds", reading.agent_seconds)),
        legend=legend(learned, list(claims.values()), setting.profile.free_arguments, reach) or "",
        actions=_actions(speaker, fold, claims, points, reach),
        never_ran=tuple(
            never_ran_sentence(speaker, name, d.tried, reach, d.rejected)
            for name, d in sorted(knowledge.dossiers.items())
            if not d.ran
        ),
        curve=tuple(fold.settled[fold.logged :]),
        journal=journal,
        conflict=conflict,
        model=reading.model,
        origin=origin(reading),
    )


def _headline(outcome: str, reach: Reach, forbidden: Forbidden) -> str:
    if outcome == "open" and forbidden.slots:
        return FENCED
    if outcome == "complete" and reach.confinement:
        return f"Everything a question can settle{reach.confinement.by_steps} is settled."
    return HEADLINES.get(outcome, outcome)


def _title(name: str) -> str:
    return f"What the {name if name.lower().endswith('agent') else f'{name} agent'} can do"


def _point(speaker: Speaker, bench: Bench, fold: Fold, slot: Slot, claim: Claim) -> Point:
    number = list(fold.knowledge.dossiers).index(slot.action)
    heard: list[Witness] = []
    if claim.mode != "absent" and claim.status is Status.SETTLED:
        heard = [bench.hear(claim, fold.entries[n - 1]) for n in claim.evidence]
    return Point(
        f"a{number}-{claim.part.value[0]}{slot.place}",
        claim.part.value,
        claim.atom.text,
        speaker.clause(Literal(claim.atom), speaker.names(claim.action)),
        statement(speaker, claim),
        claim.mode,
        claim.modes,
        claim.status.value,
        claim.evidence,
        tuple(sorted(heard, key=lambda w: (not w.decisive, w.question))),
    )


def _actions(
    speaker: Speaker,
    fold: Fold,
    claims: Mapping[Slot, Claim],
    points: Mapping[Slot, Point],
    reach: Reach,
) -> tuple[Action, ...]:
    learned, found = fold.knowledge.model(), []
    for name, dossier in sorted(fold.knowledge.dossiers.items()):
        own = {slot: claim for slot, claim in claims.items() if slot.action == name}
        names = speaker.names(name)
        task = speaker.action(name, names)
        keys = {(claim.part, claim.atom): points[slot].key for slot, claim in own.items()}
        never_ran = never_ran_sentence(speaker, name, dossier.tried, reach, dossier.rejected)
        text: tuple[str | Mention, ...] = (never_ran,)
        doubts = []
        if dossier.ran:
            others = reach.alternatives.get(name)
            text = paragraph(speaker, learned.action[name], list(own.values()), keys, others)
            doubts = [doubt(speaker, c, names) for c in own.values() if c.status is Status.OPEN]
        found.append(
            Action(name, task, dossier.ran, text, tuple(points[slot] for slot in own), tuple(doubts))
        )
    return tuple(found)


def _journal(
    speaker: Speaker, fold: Fold, points: Mapping[Slot, Point], conflict: Conflict | None
) -> tuple[Row, ...]:
    """Every question; of logs, which may be long, what is cited."""
    cited = {n for point in points.values() for n in point.evidence}.union(
        conflict.numbers if conflict else ()
    )
    rows = []
    for entry, gain in zip(fold.entries, fold.gains, strict=True):
        if entry.logged and entry.number not in cited:
            continue
        telling = [points[slot] for slot in gain if points[slot].mode != "absent"]
        rows.append(row(speaker, entry, tuple(p.says for p in telling), len(gain) - len(telling)))
    return tuple(rows)


def _conflict(fold: Fold) -> Conflict | None:
    found = smallest_contradiction(fold.setting, fold.entries)
    if found is None:
        return None
    return Conflict(found.numbers, explain_contradiction(fold.setting, fold.entries, found.numbers))
