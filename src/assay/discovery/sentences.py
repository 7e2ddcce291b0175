"""The description in sentences: "If ..., the agent can act to reach a state where ..." (Fig. 4e)."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.symbols import Literal
from assay.discovery.capability import Capability, Description, Missing
from assay.discovery.quantified import Quantified
from assay.language.english import English, noun
from assay.language.lists import listed


class Teller:
    """Says descriptions in words."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._english = English(description.vocabulary, _phrases(description))

    def sentence(self, capability: Capability) -> str:
        action = capability.action
        needs = self._english.clauses(_ordered(action.needed))
        effects = self._english.clauses(_ordered(action.plain_effects))
        condition = f"If {listed(needs)}, the agent" if needs else "The agent"
        return f"{condition} can act to reach a state where {listed(effects)}."

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
            names = listed([f"`{name}`" for name in capability.derived])
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


def _ordered(literals: Iterable[Literal]) -> list[Literal]:
    return sorted(literals, key=lambda x: (not x.positive, x.atom))


def _counted(capability: Capability) -> str:
    refused = f"; refused in {capability.refused}" if capability.refused else ""
    seen = "1 situation" if capability.executed == 1 else f"{capability.executed} different situations"
    return f"seen in {seen}{refused}"


def _phrases(description: Description) -> dict[str, str]:
    """Quantified predicates with "some monster" in the open places: `next_to(P, some monster)`."""
    return {q.symbol.name: _some(q) for q in description.quantified}


def _some(quantified: Quantified) -> str:
    given = iter(range(quantified.base.arity))
    places = [
        f"some {noun(parameter.types)}" if quantified.open[place] else f"{{{next(given)}}}"
        for place, parameter in enumerate(quantified.base.parameters)
    ]
    name = quantified.base.name
    return f"`{name}({', '.join(places)})` is true" if places else f"`{name}` is true"
