"""A model with chance in plain words: what is proved, what was counted, and what stayed open.

A need is proved by a refusal where it alone was missing, and is said as a fact. A probability was counted,
and is said as an estimate with its interval; of what never came about it is said how rare it must be. Where
the answers fit no model over the vocabulary, that is said first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log10

from assay.core.model import ActionModel, Effect, Model
from assay.core.quantity import count
from assay.core.setting import Aims
from assay.core.symbols import Literal
from assay.core.visible import as_markdown
from assay.knowledge.dossier import Claim, Status
from assay.knowledge.experience import ERROR, Capability, Experience, Finding
from assay.knowledge.intervals import unseen
from assay.knowledge.outcomes import outcomes
from assay.knowledge.tally import Count, Tally
from assay.language.effects import effect_clauses
from assay.language.english import English
from assay.language.lists import listed
from assay.report.markup import Markup, element, join, prose
from assay.report.page import document

MISFIT = 1e-6
"""How unlikely counts must be, if one set of probabilities held everywhere, to say that none does."""
SHOWN = 3


def describe_chance(model: Model, experience: Experience, tallies: Mapping[str, Tally], aims: Aims) -> str:
    """Markdown for lay readers."""
    english, name = English(model.vocabulary), as_markdown(model.vocabulary.name)
    blocks = [f"# What the {name if name.lower().endswith('agent') else f'{name} agent'} can do"]
    if any(a.header.parameters for a in model.actions):
        blocks.append("Names in capitals stand for objects, different names for different objects.")
    if not aims.refusals:
        blocks.append(
            "The agent does not show that it refuses. Where a step never changed anything it was taken to be "
            f"refused, which is wrong in at most {percent(ERROR)} of such cases; what it needs is not proved."
        )
    proved = "What something needs is proved, unless it says otherwise. " if aims.refusals else ""
    blocks.append(
        f"{proved}How often something happens was counted: a percentage is an "
        f"estimate, and in brackets stands where the truth lies with {100 * aims.confidence:g} % confidence."
    )
    if experience.findings:
        blocks += [
            "## What fits no model",
            *(_finding(english, f, experience) for f in experience.findings[:SHOWN]),
        ]
    for action in model.actions:
        found = tallies[action.header.name]
        blocks += [f"## {action.header.name}", *_paragraphs(english, action, experience, found, aims)]
    blocks += ["## What is not settled", *_unsettled(english, experience)]
    return "\n\n".join(blocks) + "\n"


def _paragraphs(
    english: English, action: ActionModel, experience: Experience, found: Tally, aims: Aims
) -> list[str]:
    capability = experience.capabilities[action.header.name]
    name = action.header.name
    needs = english.clauses(_ordered(action.needed))
    text = f"The agent can do {english.action(action.header)}"
    text += f" when {listed(needs)}." if needs else " at any time." if capability.settled else "."
    if not capability.settled:
        text += " Perhaps it needs more than that."
    sets = [o.literals for o in action.outcomes]
    shared = frozenset.intersection(*sets) if sets else frozenset[Literal]()
    always = listed(_becoming(english, shared))
    if len(found.counts) == 1:
        done = f"Afterwards {always}." if always else "This changes nothing that the vocabulary can express."
        text += f" {done} That was so in all of {count(found.runs, 'try').replace('trys', 'tries')}."
    elif always:
        text += f" Whatever happens, {always}."
    blocks = [text]
    if len(found.counts) > 1:
        blocks.append("\n".join(_outcome(english, c, shared) for c in found.counts))
    proofs = [c for c in capability.claims() if c.mode != "absent" and c.status is Status.SETTLED]
    if proofs and aims.refusals:
        cited = sorted({n for c in proofs for n in c.evidence})
        what = "What it needs" if len(proofs) == len(action.needed) else "A part of what it needs"
        blocks.append(f"{what} is proved by question{'s' * (len(cited) > 1)} {_numbers(cited)}.")
    blocks.append(
        f"An outcome that was never seen in {count(found.runs, 'run')} has a probability below "
        f"{percent(found.unseen)}, with {100 * aims.confidence:g} % confidence."
        f"{_blind(english, action, found, aims)}"
    )
    if found.unexplained:
        blocks.append(f"{count(found.unexplained, 'run')} fit none of these outcomes.")
    if (odds := experience.evenness(name)) < MISFIT:
        blocks.append(
            "How often things happen depends on the situation, or on the things involved, in a way that no "
            "such model says: if it did not, counts this uneven would come about less than once in "
            f"10^{int(-log10(max(odds, 1e-300)))} assessments. The percentages are averages over the "
            "situations that were tried."
        )
    return blocks


def _blind(english: English, action: ActionModel, found: Tally, aims: Aims) -> str:
    """What could hardly have been seen, if there is such a thing."""
    changed = {x.atom for o in action.outcomes for x in o.literals}
    rare = [(x, n) for x, n in found.blind if x.atom in changed]
    if not rare:
        return ""
    fewest, bound = rare[0][1], percent(unseen(rare[0][1], aims.confidence))
    told = " or ".join(english.clause(x) for x, _ in rare[:SHOWN])
    more = f" (or {len(rare) - SHOWN} other facts)" if len(rare) > SHOWN else ""
    return (
        f" Less is known of one that does nothing but see to it that {told}{more}: that could have shown in "
        f"{count(fewest, 'run')} only, and its probability is below {bound}."
    )


def _outcome(english: English, c: Count, shared: frozenset[Literal]) -> str:
    effects = listed(_becoming(english, c.outcome.literals - shared))
    what = effects or ("nothing else changes" if shared else "nothing changes")
    return f"- In about {percent(c.outcome.probability)} of attempts ({_interval(c)}), {what}."


def _ordered(literals: Iterable[Literal]) -> list[Literal]:
    return sorted(literals, key=lambda x: (not x.positive, x.atom))


def _becoming(english: English, literals: Iterable[Literal]) -> list[str]:
    return effect_clauses(english, map(Effect, literals))


def _doubt(english: English, claim: Claim) -> str:
    """What is not known of a literal of a precondition."""
    yes, no = (english.clause(Literal(claim.atom, positive)) for positive in (True, False))
    if "+" not in claim.modes:
        return f"whether it needs that {no}"
    return f"whether it needs that {yes}" + (f" or that {no}" if "-" in claim.modes else "")


def _interval(c: Count) -> str:
    low, high = percent(c.low), percent(c.high)
    if not c.tries:
        return f"{low.removesuffix(' %')}-{high}, by what the others leave: no situation tells it from them"
    return f"{low.removesuffix(' %')}-{high}, {c.tries:,} tries"


def percent(share: float) -> str:
    digits = 0 if 0.095 <= share <= 0.905 or share in (0, 1) else 1 if 0.0095 <= share <= 0.9905 else 2
    return f"{100 * share:.{digits}f} %"


def _numbers(numbers: list[int]) -> str:
    if len(numbers) <= 12:
        return listed([str(n) for n in numbers])
    return f"{', '.join(map(str, numbers[:11]))} and {len(numbers) - 11} more"


def _finding(english: English, finding: Finding, experience: Experience) -> str:
    step = finding.transition.step
    task = english.step(step)
    where = _numbers(list(finding.entries))
    if finding.kind == "scope":
        return (
            f"Asked to do {task}, the agent changed facts about things that the request does not name "
            f"(question {where}): no model in this vocabulary says that."
        )
    return (
        f"Asked to do {task}, the agent sometimes did it and sometimes refused, in situations that the "
        "vocabulary does not tell apart, or for reasons that are no conjunction of facts (questions "
        f"{where}). What it depends on is missing from the vocabulary."
    )


def _unsettled(english: English, experience: Experience) -> list[str]:
    lines = []
    for name, capability in sorted(experience.capabilities.items()):
        if not capability.dossier.ran:
            refused = (
                f": it was refused {count(capability.refused, 'time')}"
                if capability.refused
                else ", nor tried"
            )
            lines.append(f"- {name} was never seen to run{refused}.")
            continue
        if assumed := _assumed(capability):
            lines.append(
                f"- For {name}, {count(assumed, 'combination')} of outcome and fact came up too seldom to "
                "see whether the outcome sets the fact or leaves it alone; the model says that it leaves it "
                "alone, or does as the commoner outcomes do."
            )
        for status, told in _DOUBTS.items():
            claims = [c for c in capability.claims() if c.status is status]
            said = [_doubt(english, c) for c in claims[:SHOWN]]
            more = f", and {len(claims) - SHOWN} more" if len(claims) > SHOWN else ""
            if claims:
                lines.append(f"- For {name} {told} {listed(said)}{more}.")
    return ["\n".join(lines)] if lines else ["Nothing but how exact the percentages are."]


_DOUBTS = {
    Status.OPEN: "it is open",
    Status.INDISTINGUISHABLE: "no situation that the outcomes seen lead to tells",
}


def _assumed(capability: Capability) -> int:
    """Pairs of an outcome and an atom, free to be true or false, of which the effect is not known."""
    free = capability.dossier.atom_mask & ~capability.dossier.precondition.suspects
    branches = outcomes(capability.runs, len(capability.dossier.atoms)).branches
    return sum((b.modes.ambiguous & free).bit_count() for b in branches)


def chance_page(description: str, tallies: Mapping[str, Tally]) -> str:
    """The description as a page, with a table of the outcomes."""
    return document(_title(description), chance_body(description, tallies))


def chance_body(description: str, tallies: Mapping[str, Tally]) -> Markup:
    """What the page shows, without style and script."""
    title = _title(description)
    body = []
    for block in description.split("\n\n")[1:]:
        if block.startswith("## "):
            body.append(element("h2", block.strip()[3:]))
        elif block.startswith("- "):
            items = [element("li", prose(line[2:])) for line in block.strip().split("\n")]
            body.append(element("ul", *items))
        else:
            body.append(element("p", prose(block.strip())))
    heads = ("capability", "outcome", "probability", "interval", "seen", "tries")
    rows = [
        element(
            "tr",
            element("td", name),
            element("td", element("code", " ".join(sorted(map(str, c.outcome.literals))) or "(nothing)")),
            element("td", f"{c.outcome.probability:.3f}"),
            element("td", f"{c.low:.3f} to {c.high:.3f}"),
            element("td", str(c.hits)),
            element("td", str(c.tries)),
        )
        for name, found in tallies.items()
        for c in found.counts
    ]
    table = element(
        "table",
        element("thead", element("tr", *(element("th", h) for h in heads))),
        element("tbody", *rows),
    )
    return element(
        "main",
        element("p", "assay report", class_="kicker"),
        element("h1", title),
        join(*body),
        element("h2", "All outcomes, counted"),
        table,
        id="main",
        class_="page",
    )


def _title(description: str) -> str:
    return description.partition("\n")[0].removeprefix("# ")
