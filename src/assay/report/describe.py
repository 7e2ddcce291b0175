"""A model in plain words: one paragraph per action, the questions that settled it, and what is left open.

The text claims what the claims prove and no more: an action with open slots says so in its own paragraph, and
what it is only supposed to need or do is called that; "is no longer" is said only of what had to be true
before, "everything else stays as it was" only where every effect is settled. What no question can tell is
told apart from what no situation within reach can.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Atom, Literal
from assay.core.visible import as_markdown
from assay.knowledge.dossier import Claim, Part, Status
from assay.report.forbidden import Forbidden
from assay.report.names import Names
from assay.report.phrase import enumeration
from assay.report.reach import Alternatives, Reach
from assay.report.supposed import settled_part
from assay.report.words import Speaker

SHOWN = 3
"""So many open points of an action, and questions behind a literal, are named; the rest are counted."""

OPEN_SECTION = "What is not settled"
CONTRADICTED = (
    "**The answers contradict each other: no model gives all of them, so nothing below is settled.** "
    "It is what the answers before the contradiction show; report.html names those that do not go together."
)

LONGEST = 100
"""So many characters of what an agent gives as its reason."""

Reasons = Mapping[str, int]
"""How often the agent gave each reason for calling a question invalid; it may have given an empty one."""
Evidence = Mapping[tuple[Part, Atom], tuple[int, ...]]


def describe(
    model: Model,
    claims: list[Claim],
    never_ran: list[str],
    tried: Mapping[str, int] | None = None,
    reach: Reach | None = None,
    logged: int = 0,
    forbidden: Forbidden | None = None,
    free: Collection[str] = (),
    rejected: Mapping[str, Reasons] | None = None,
    contradicted: bool = False,
) -> str:
    """Markdown for lay readers.

    `tried` says how often each action that never ran was refused, `reach` what is proved of situations within
    reach only, `logged` how many of the first questions come from logs, `forbidden` what was not to be
    entered while asking, `free` in which actions one thing may have several names, `rejected` why
    questions about an action were called invalid, and `contradicted` whether no model gives all answers.
    """
    reach, forbidden = reach or Reach(), forbidden or Forbidden()
    speaker = Speaker(model.vocabulary, model)
    by_action: dict[str, list[Claim]] = {}
    for claim in claims:
        by_action.setdefault(claim.action, []).append(claim)
    name = as_markdown(model.vocabulary.name)
    blocks = [f"# What the {name if name.lower().endswith('agent') else f'{name} agent'} can do"]
    if (note := legend(model, claims, free, reach)) is not None:
        blocks.append(note)
    if logged:
        blocks.append(log_sentence(logged))
    for name, action in sorted(model.action.items()):
        if name not in never_ran:
            others = reach.alternatives.get(name)
            blocks += [f"## {name}", *action_paragraph(speaker, action, by_action.get(name, []), others)]
    if contradicted:
        blocks.insert(1, CONTRADICTED)
    elif claims or never_ran:
        unsettled = _unsettled(speaker, by_action, sorted(never_ran), tried or {}, reach, rejected or {})
        blocks += [f"## {OPEN_SECTION}", *unsettled, *forbidden.sentences()]
    return "\n\n".join(blocks) + "\n"


def log_sentence(logged: int) -> str:
    if logged == 1:
        return "Question 1 was not asked: it comes from logs of the agent."
    return f"Questions 1 to {logged} were not asked: they come from logs of the agent."


def legend(
    model: Model, claims: list[Claim], free: Collection[str] = (), reach: Reach | None = None
) -> str | None:
    note = _meaning(model, claims, free)
    if reach is None or not reach.confinement:
        return note
    meant = f"Within reach is what the agent gets into{reach.confinement.by_steps}; others were not tried."
    return f"{note} {meant}" if note else meant


def _meaning(model: Model, claims: list[Claim], free: Collection[str]) -> str | None:
    if not any(a.header.parameters for a in model.actions):
        return None
    text = "Names in capitals stand for things"
    if any(c.atom.predicate == "=" for c in claims) or any(a.distinct for a in model.actions):
        return f"{text}; two of them may be the same thing unless the text says that they must be different."
    if free:
        named = [a.header.name for a in model.actions if a.header.name not in free and a.header.parameters]
        but = f", but not in {enumeration(named)}" if named else ""
        return f"{text}; two of them may stand for the same thing{but}."
    return f"{text}, different names for different things." if claims else f"{text}."


def action_paragraph(
    speaker: Speaker, action: ActionModel, claims: list[Claim], others: Alternatives | None = None
) -> list[str]:
    names = speaker.names(action.header.name)
    action, supposed = settled_part(action, claims)
    open_parts = {c.part for c in claims if c.status is Status.OPEN}
    unsure = Part.EFFECT in open_parts
    sentences = [_ability(speaker, action, names, Part.PRECONDITION in open_parts)]
    if any(outcome.effects for outcome in action.outcomes):
        sentences.append(_afterwards(speaker, action, names))
        sentences.append("What else changes is open." if unsure else "Everything else stays as it was.")
    elif unsure:
        sentences.append("What this changes is open.")
    else:
        sentences.append("This changes nothing that the vocabulary can express.")
    if others is not None:
        sentences += others.sentences(speaker, names)
    if supposed.needs:
        needs = enumeration([f"that {speaker.clause(x, names)}" for x in supposed.needs])
        sentences.append(
            f"The model supposes that it needs {needs}: not settled, but it would explain refusals."
        )
    if supposed.effects:
        effects = enumeration([speaker.clause(x, names) for x in supposed.effects])
        sentences.append(
            f"The model supposes that afterwards {effects}: not settled, but it would explain what changed."
        )
    if open_parts:
        sentences.append(f'See "{OPEN_SECTION}".')
    blocks = [" ".join(sentences)]
    evidence = {(c.part, c.atom): c.evidence for c in claims if c.status is not Status.INDISTINGUISHABLE}
    if reasons := _reasons(speaker, action, evidence, names):
        blocks.append(reasons)
    return blocks


def _ability(speaker: Speaker, action: ActionModel, names: Names, unsure: bool) -> str:
    text = f"The agent can {speaker.action(action.header.name, names)}"
    needs = [speaker.clause(x, names) for x in in_order(speaker, action, action.needed)]
    text += f" when {enumeration(needs)}" if needs else " in some situations" if unsure else " at any time"
    if action.distinct:
        pairs = (enumeration([names.say(x) for x in pair]) for pair in sorted(action.distinct))
        text += f" ({'; '.join(f'{pair} must be different' for pair in pairs)})"
    if unsure:
        text += ", and perhaps only if more is true" if needs else "; in which ones is open"
    return f"{text}."


def _afterwards(speaker: Speaker, action: ActionModel, names: Names) -> str:
    def told(outcome: Outcome) -> str:
        return enumeration(effect_clauses(speaker, action, outcome.literals, names)) or "nothing changes"

    if len(action.outcomes) == 1:
        return f"Afterwards {told(action.outcomes[0])}."
    chances = [f"with probability {o.probability:g} {told(o)}" for o in action.outcomes]
    return f"Afterwards, {'; '.join(chances)}."


def effect_clauses(
    speaker: Speaker, action: ActionModel, effects: Iterable[Literal], names: Names
) -> list[str]:
    return [
        speaker.clause(x, names, ended=Literal(x.atom) in action.needed)
        for x in in_order(speaker, action, effects)
    ]


def in_order(speaker: Speaker, action: ActionModel, literals: Iterable[Literal]) -> list[Literal]:
    """What must be true before what must be false, in the order of the vocabulary and the parameters."""
    predicates = {p.name: i for i, p in enumerate(speaker.vocabulary.predicates)}
    terms = {p.name: i for i, p in enumerate(action.header.parameters)}
    return sorted(
        literals,
        key=lambda x: (
            not x.positive,
            predicates[x.atom.predicate],
            [terms.get(a, -1) for a in x.atom.args],
            x.atom,
        ),
    )


def _reasons(speaker: Speaker, action: ActionModel, evidence: Evidence, names: Names) -> str:
    """The questions behind every literal of the paragraph."""
    needs = [
        (speaker.clause(x, names), evidence.get((Part.PRECONDITION, x.atom)))
        for x in [
            *in_order(speaker, action, action.needed),
            *(Literal(Atom("=", pair), False) for pair in sorted(action.distinct)),
        ]
    ]
    effects = in_order(speaker, action, frozenset(x for o in action.outcomes for x in o.literals))
    changes = [
        (clause, evidence.get((Part.EFFECT, x.atom)))
        for x, clause in zip(effects, effect_clauses(speaker, action, effects, names), strict=True)
    ]
    lines = [
        f"- {when}: {listed}."
        for when, found in (("before", needs), ("afterwards", changes))
        if (listed := _cited(found))
    ]
    return "\n".join(["Because:", "", *lines]) if lines else ""


def _cited(clauses: list[tuple[str, tuple[int, ...] | None]]) -> str:
    """Clauses with their questions, those with the same ones taken together."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for clause, numbers in clauses:
        if numbers:
            groups.setdefault(numbers, []).append(clause)
    return "; ".join(f"{enumeration(said)} ({_questions(numbers)})" for numbers, said in groups.items())


def _questions(numbers: Sequence[int]) -> str:
    """The latest of them, which completed the proof, in ascending order."""
    if len(numbers) == 1:
        return f"question {numbers[0]}"
    latest = [str(n) for n in sorted(numbers)[-SHOWN:]]
    if len(numbers) > SHOWN:
        return f"questions {enumeration(latest)}, and {len(numbers) - SHOWN} before them"
    return f"questions {enumeration(latest)}"


def _unsettled(
    speaker: Speaker,
    claims: Mapping[str, list[Claim]],
    never_ran: list[str],
    tried: Mapping[str, int],
    reach: Reach,
    rejected: Mapping[str, Reasons],
) -> list[str]:
    lines = [
        f"- {never_ran_sentence(speaker, name, tried.get(name), reach, rejected.get(name))}"
        for name in never_ran
        if name not in reach.never_run
    ]
    for name in sorted(claims.keys() - set(never_ran)):
        names = speaker.names(name)
        task = speaker.action(name, names)
        doubts = [doubt(speaker, c, names) for c in claims[name] if c.status is Status.OPEN]
        if doubts:
            count = "1 point is" if len(doubts) == 1 else f"{len(doubts)} points are"
            more = f"; and {len(doubts) - SHOWN} more" if len(doubts) > SHOWN else ""
            lines.append(f"- To {task}: {count} open: {'; '.join(doubts[:SHOWN])}{more}.")
    nothing = f"Nothing: every point that a question can settle{reach.confinement.by_steps} is settled."
    blocks = ["\n".join(lines) or nothing]
    blocks += [never_ran_sentence(speaker, name, None, reach) for name in sorted(reach.never_run)]
    if reach.points:
        blocks.append(reach_sentence(reach))
    never = reach.never_run
    possible = (c for name, own in claims.items() if name not in never for c in own)
    alike = sum(c.status is Status.INDISTINGUISHABLE for c in possible) - reach.points
    if alike:
        count, them = ("1 point makes", "it") if alike == 1 else (f"{alike} points make", "them")
        blocks.append(
            f"Besides, {count} no visible difference (for example, whether an action makes true again what "
            f"must be true before it), so no question can settle {them}."
        )
    return blocks


def reach_sentence(reach: Reach) -> str:
    count = "1 point" if reach.points == 1 else f"{reach.points:,} points"
    return (
        f"On {count}, no situation that the agent can get into{reach.confinement.by_steps} shows what is "
        f"true{reach.proved_by}. The model has the fewest conditions; what else may be is said with each "
        "action."
    )


def never_ran_sentence(
    speaker: Speaker, name: str, tried: int | None, reach: Reach, rejected: Reasons | None = None
) -> str:
    if name in reach.lacking:
        told = f"there are not enough objects to try it with{reach.confinement.by_steps}"
        return f"The agent was never asked to {speaker.action(name)}: {told}."
    if name in reach.impossible:
        told = "it was refused in every situation that the vocabulary can tell apart"
        return f"The agent can never {speaker.action(name)}: {told}."
    if name in reach.idle:
        within = f"in any situation within reach{reach.confinement.by_steps}"
        refused = f"it is refused in all of them{reach.proved_by}"
        return f"The agent can never {speaker.action(name)} {within}: {refused}."
    if tried == 0 and rejected:
        number = sum(rejected.values())
        those = "the one question about it was" if number == 1 else f"all {number} questions about it were"
        return f"The agent was never seen to {speaker.action(name)}: {those} {answered_invalid(rejected)}."
    if tried == 0:
        return f"The agent was never seen to {speaker.action(name)}: it was never asked to."
    those = "the one situation" if tried == 1 else f"all {tried} situations" if tried else "all situations"
    return f"The agent was never seen to {speaker.action(name)}: it was refused in {those} tried."


def answered_invalid(reasons: Reasons) -> str:
    """What became of questions, and the reasons that the agent gave, the commonest first."""
    given = sorted((-number, reason) for reason, number in reasons.items() if reason.strip())
    said = [
        as_markdown(text if len(text := " ".join(r.split())) <= LONGEST else f"{text[:LONGEST]}...")
        for _, r in given
    ]
    more = f"; and {len(said) - SHOWN} more" if len(said) > SHOWN else ""
    noun = "reason" if len(said) == 1 else "reasons"
    return 'answered "invalid"' + (f" ({noun} given: {'; '.join(said[:SHOWN])}{more})" if said else "")


def doubt(speaker: Speaker, claim: Claim, names: Names) -> str:
    yes = speaker.clause(Literal(claim.atom), names)
    no = speaker.clause(Literal(claim.atom, False), names)
    if claim.part is Part.EFFECT:
        return f"whether afterwards {no if '+' not in claim.modes else yes}"
    if "+" not in claim.modes:
        return f"whether it needs that {no}"
    return f"whether it needs that {yes}" + (f" or that {no}" if "-" in claim.modes else "")
