"""The description in sentences: "If ..., the agent can act to reach a state where ..." (Fig. 4e)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assay.core.symbols import Literal, Predicate
from assay.core.vocabulary import Vocabulary
from assay.discovery.capability import Capability, Description, Missing
from assay.discovery.quantified import Quantified
from assay.report.clauses import phrases
from assay.report.describe import in_order
from assay.report.lexicon import split
from assay.report.phrase import Phrase, enumeration
from assay.report.words import Speaker

_OPEN = re.compile(r"\{(\d+)(?::[^}]*)?\}")


class Teller:
    """Says descriptions in words."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._speaker = _Speaker(description)

    def sentence(self, capability: Capability) -> str:
        action = capability.action
        names = self._speaker.names(action.header.name)
        needs = [self._speaker.clause(x, names) for x in self._ordered(capability, action.needed)]
        effects = [
            self._speaker.clause(x, names, ended=True)
            for x in self._ordered(capability, action.plain_effects)
        ]
        condition = f"If {enumeration(needs)}, the agent" if needs else "The agent"
        return f"{condition} can act to reach a state where {enumeration(effects)}."

    def _ordered(self, capability: Capability, literals: Iterable[Literal]) -> list[Literal]:
        return in_order(self._speaker, capability.action, literals)

    def page(self, agent: str, pictures: dict[str, tuple[str, str]]) -> str:
        """The whole description, as Markdown."""
        told = self._description
        lines = [f"# What {agent} can do", ""]
        for capability in told.capabilities:
            header = capability.action.header
            signature = ", ".join(p.name.removeprefix("?") for p in header.parameters)
            lines += [f"## {header.name}({signature})", "", self.sentence(capability), ""]
            keys = [f"`{' '.join(e.keys)}`" for e in capability.examples]
            if keys:
                lines.append(f"- keys that did it: {', '.join(keys)}")
            serves = sorted({x.atom.predicate for x in capability.action.plain_effects})
            lines.append(f"- serves: {', '.join(f'`{name}`' for name in serves)}")
            lines += [f"- {remark}" for remark in self.remarks(capability)]
            if header.name in pictures:
                before, after = pictures[header.name]
                lines += ["", f"![before]({before}) ![after]({after})"]
            lines.append("")
        if told.missing:
            lines += ["## What it was never seen to do, although the simulator allows it", ""]
            lines += [f"- {missing_sentence(m)}" for m in told.missing]
            lines.append("")
        return "\n".join(lines)

    def remarks(self, capability: Capability) -> list[str]:
        """What stands behind the sentence, and what it does not say."""
        found = [_counted(capability)]
        if capability.derived:
            names = enumeration([f"`{name}`" for name in capability.derived])
            found.append(f"also changes, depending on what stands around: {names}")
        if capability.uneven:
            found.append(
                f"in {capability.uneven} situation(s) it depends on the low-level state, which no word tells"
            )
        if not capability.expressible:
            found.append(
                f"**no conjunction over the vocabulary fits**: this promises {capability.wrong} of the "
                "situations in which the agent refused"
            )
        if capability.impossible:
            found.append(
                "**the vocabulary is too coarse**: this also promises changes that the simulator does not "
                "allow, in situations that no word tells apart"
            )
        if capability.open:
            found.append("some questions stayed unanswered: the agent gave up")
        return found


def missing_sentence(missing: Missing) -> str:
    change = [str(a) for a in missing.added] + [f"(not {a})" for a in missing.removed]
    asked = len(missing.refusals)
    unanswered = f", and gave up {missing.gave_up} times" if missing.gave_up else ""
    return f"`{missing.name}`: {' '.join(change)}; it refused in {asked} or more situations{unanswered}"


def _counted(capability: Capability) -> str:
    refused = f"; refused in {capability.refused}" if capability.refused else ""
    seen = "1 situation" if capability.executed == 1 else f"{capability.executed} different situations"
    return f"seen in {seen}{refused}"


class _Speaker(Speaker):
    """Speaks of some thing or other, too, and of what one who acts has."""

    def __init__(self, description: Description) -> None:
        super().__init__(description.vocabulary, description.model)
        vocabulary = description.vocabulary
        base = phrases(vocabulary)
        base |= {p.name: own for p in vocabulary.predicates if (own := _having(p, vocabulary)) is not None}
        self._phrases = base | {q.symbol.name: _some(q, base[q.base.name]) for q in description.quantified}


def _having(predicate: Predicate, vocabulary: Vocabulary) -> Phrase | None:
    """`has_key` and `player_has(?x)`, where key and player are types; and `in_line(?a ?b ?c)`."""
    words, types = tuple(split(predicate.name)), {t.name for t in vocabulary.types}
    if words == ("in", "line") and predicate.arity == 3:
        return Phrase(
            "{0}, {1} and {2} are in line",
            "{0}, {1} and {2} are not in line",
            "{0}, {1} and {2} are no longer in line",
        )
    if len(words) == 2 and words[0] == "has" and words[1] in types and not predicate.arity:
        return Phrase.do("the agent", "has", "have", f"the {words[1]}")
    if len(words) == 2 and words[1] == "has" and words[0] in types and predicate.arity == 1:
        return Phrase.do(f"the {words[0]}", "has", "have", "{0}")
    return None


def _some(quantified: Quantified, phrase: Phrase) -> Phrase:
    """The base's phrase with "some monster" and "no monster" in the open place."""
    given = iter(range(quantified.base.arity))
    places: dict[int, tuple[str, str]] = {}
    for place, parameter in enumerate(quantified.base.parameters):
        if quantified.open[place]:
            noun = " ".join(split(parameter.types[0]))
            places[place] = f"some {noun}", f"no {noun}"
        else:
            kept = f"{{{next(given)}}}"
            places[place] = kept, kept
    holds = _OPEN.sub(lambda match: places[int(match[1])][0], phrase.holds)
    fails = _OPEN.sub(lambda match: places[int(match[1])][1], phrase.holds)
    return Phrase(holds, fails, fails)
