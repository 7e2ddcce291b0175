"""Does the claimed model give this answer? Decided by running it, without a solver."""

from __future__ import annotations

from collections.abc import Mapping

from assay.proof.grounding import Grounding, Key, merged_pairs
from assay.proof.slots import SlotAction
from assay.proof.testimony import Testimony


def gives(claimed: Mapping[str, SlotAction], grounding: Grounding, answer: Testimony) -> bool:
    """Whether the model answers as the journal says; a model without an action refuses it."""
    return all(_ends_so(claimed, grounding, part) for part in answer.parts)


def _ends_so(claimed: Mapping[str, SlotAction], grounding: Grounding, answer: Testimony) -> bool:
    """Whether the plan runs as far, and ends as shown.

    After a step that is no evidence an atom may be anything, until a step that ran needed it to be so.
    """
    start, final, known, lost = answer.start, answer.final, dict[Key, bool](), False
    for step in answer.plan[: answer.steps]:
        if not grounding.tells(step):
            known, lost = {}, True
            continue
        action = claimed.get(step.action)
        if action is None or not action.distinct.isdisjoint(merged_pairs(step)):
            return False
        terms, pick = grounding.terms(step), grounding.picks(step.action)
        for wanted, slots in ((True, action.needed), (False, action.forbidden)):
            for key in [pick[n](terms) for n in slots]:
                if known.setdefault(key, wanted if lost else key in start) != wanted:
                    return False
        known |= {pick[n](terms): False for n in action.deleted}
        known |= {pick[n](terms): True for n in action.added}
    if any((key in final) != value for key, value in known.items()):
        return False
    if not lost and not answer.changed <= known.keys():
        return False
    return answer.refused is None or not _runs(claimed, grounding, answer)


def _runs(claimed: Mapping[str, SlotAction], grounding: Grounding, answer: Testimony) -> bool:
    """Whether the model runs the step that was refused."""
    step = answer.refused
    if step is None or (action := claimed.get(step.action)) is None:
        return False
    keys = grounding.keys(step)
    return (
        action.distinct.isdisjoint(merged_pairs(step))
        and all(keys[n] in answer.final for n in action.needed)
        and not any(keys[n] in answer.final for n in action.forbidden)
    )
