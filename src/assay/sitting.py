"""What every kind of assessment does around its loop: begin, go on from a journal, and end with a result.

However a sitting ends, what was learned is there: an agent that fails, or a person who stops it, leaves a
result, and the exception that tells of it goes on afterwards with that result attached.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from platform import python_version
from typing import TypeVar

from assay.errors import AgentError, JournalError
from assay.result import Outcome

OTHER_AGENT = "this agent's vocabulary is not the one the journal was begun with"
SOFTWARE = {"version": version("assay"), "python": python_version()}
"""What a run was made with."""

Interruption = AgentError | KeyboardInterrupt
_Result = TypeVar("_Result")


def other_question(number: int) -> JournalError:
    return JournalError(
        f"entry {number} is not the question this run would ask: "
        "was the journal edited, or begun by another version?"
    )


def end_of(loop: Callable[[], Outcome]) -> tuple[Outcome, Interruption | None]:
    """How the loop ends, and what broke it off, if something did."""
    try:
        return loop(), None
    except AgentError as failure:
        return Outcome.FAILED, failure
    except KeyboardInterrupt as stop:
        return Outcome.INTERRUPTED, stop


def handed_over(result: _Result, error: Interruption | None) -> _Result:
    """The result; what broke the loop off is raised again, an agent's failure with the result attached."""
    if isinstance(error, AgentError):
        error.result = result
    if error is not None:
        raise error
    return result
