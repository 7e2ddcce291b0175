"""What the benchmark of games has to show, checked on what it measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.bench.games import LARGEST, PUBLISHED, Measured, sizes
from assay.games.opening import parse_size

ACCURACY = 0.99
"""Precision and recall at least, for players that the words can describe."""
LEARNED = "policy-learned"
LONGEST = 120.0
"""Seconds of processor time at most for a run."""


def missed(found: Sequence[Measured]) -> list[str]:
    """The bars that are not held, in words."""
    return [said for each in found for said in _of_one(each)] + list(_growth(found))


def _of_one(each: Measured) -> Iterator[str]:
    job, score, bound = each.job, each.score, each.bound
    if job.agent != LEARNED and min(score.precision, score.recall) < ACCURACY:
        yield f"{job}: precision {score.precision:.4f}, recall {score.recall:.4f}"
    if bound.shown < bound.errors:
        left = bound.errors - bound.shown
        yield f"{job}: {left} of {bound.errors} errors are not shown to be inexpressible"
    if not all(run.theorem for run in each.runs):
        yield f"{job}: a change that was observed is no instance of a capability"
    if (longest := max(run.seconds for run in each.runs)) > LONGEST:
        yield f"{job}: a run took {longest:.0f} s"
    published = PUBLISHED.get((job.game, job.size))
    if published is not None and not job.learned:
        share = 5 if min(parse_size(job.game, job.size)) >= 5 else 2
        most = max(run.agent_questions for run in each.runs)
        if most * share > published:
            yield f"{job}: {most} questions, more than 1/{share} of {published}"


def _growth(found: Sequence[Measured]) -> Iterator[str]:
    """Questions on the largest grid are at most twice those on the smallest."""
    asked = {
        each.job: sum(run.agent_questions for run in each.runs) / len(each.runs)
        for each in found
        if not each.job.learned
    }
    for job, most in asked.items():
        few = asked.get(job._replace(size=sizes(job.game)[0]))
        if job.size == LARGEST and few is not None and most > 2 * few:
            yield f"{job}: {most:.0f} questions, more than twice the {few:.0f} on the smallest grid"
