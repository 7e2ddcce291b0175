"""Random hidden agents, in the class and out of it: right at the strength claimed, and the checker agrees."""

from __future__ import annotations

import pytest

from assay import Outcome, assess
from assay.bench.behaviour import difference
from assay.learn.finding import LEVELS, Status
from assay.proof.recount.folder import verify_folder
from assay.testing.hidden import INVENTED, NAMED, OUTSIDE, hidden_model, needed_strength

WITHIN = (*NAMED, *INVENTED)


@pytest.mark.parametrize("number", range(10))
def test_what_is_claimed_is_right_and_the_checker_agrees(tmp_path, number):
    kind, seed, strength = WITHIN[(3 * number) % len(WITHIN)], 40 + number, number % 3
    hidden = hidden_model(kind, seed)
    agent = hidden.agent(tells=number % 2 == 0, own=number % 4 == 1, strict=number == 2)
    result = assess(agent, strength=strength, seed=number, out=tmp_path / "out")
    assert result.outcome in (Outcome.COMPLETE, Outcome.OPEN), f"an honest agent: {kind} {seed}"
    for finding in result.findings:
        truth = hidden.model.action[finding.action]
        needed = needed_strength(truth, hidden.model.vocabulary)
        if finding.status is not Status.LEARNED or finding.strength is None or needed is None:
            continue
        level = finding.level or LEVELS[finding.strength]
        if finding.strength < needed.level or level.run < needed.tested:
            continue  # the class that is named does not contain it
        found = difference(
            result.model,
            hidden.model,
            finding.action,
            invariant=hidden.invariant if number == 2 else None,
            residents=agent.objects,
        )
        assert found is None, f"{kind} {seed}: {found}"
    verdict = verify_folder(tmp_path / "out")
    claims = [p for p in verdict.problems if "claim" in p]
    assert not claims, f"{kind} {seed}"
    assert verdict.holds or not result.complete, verdict.problems


@pytest.mark.parametrize("kind", OUTSIDE)
def test_agents_that_no_model_describes_are_not_called_complete_or_the_checker_agrees(tmp_path, kind):
    """Rare lies may stay unnoticed; then all that is claimed follows from the answers that were given."""
    result = assess(hidden_model(kind, 3).agent(), strength=1, budget=600, out=tmp_path / "out")
    if result.complete:
        assert verify_folder(tmp_path / "out").holds
