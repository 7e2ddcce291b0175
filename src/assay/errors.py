"""Everything assay raises on purpose.

    AssayError
    ├── InputError            the caller's fault: unknown name, bad arity, malformed text, unusable option
    │   ├── PddlError         malformed or unsupported PDDL, with file, line and column
    │   └── JournalError      a journal that is damaged, edited, or belongs to another run
    ├── AgentError            the agent broke its side of the interface; names the question
    │   ├── AgentTimeout      it did not answer in time
    │   └── AgentGone         it ended, or was given up, after an earlier question; nobody is there to ask
    └── Contradiction         the answers fit no model of the class: a finding, not a crash

A caller that catches `AssayError` catches all of them; nothing else is raised on purpose. What is
odd and can be used all the same is warned of: `InputWarning`.
"""

from __future__ import annotations


class AssayError(Exception):
    """Root of the tree."""


class InputError(AssayError):
    """Something the caller supplied cannot be used."""


class PddlError(InputError):
    """PDDL that cannot be read, with the place where reading stopped."""

    def __init__(self, message: str, source: str = "<text>", line: int = 0, column: int = 0) -> None:
        super().__init__(f"{source}:{line}:{column}: {message}" if line else f"{source}: {message}")
        self.source, self.line, self.column = source, line, column


class JournalError(InputError):
    """A journal that cannot be trusted or continued."""


class AgentError(AssayError):
    """The agent raised, died, or answered something that is not an answer."""

    result: object = None
    """What was learned before, if a run was going on (an `assay.Result`, or what is like it)."""


class AgentTimeout(AgentError):
    """The agent did not answer within the time allowed for one question."""


class AgentGone(AgentError):
    """There is no agent to ask any more; why was said when it broke down."""


class Contradiction(AssayError):
    """No model of the class gives all the answers recorded so far."""


class InputWarning(UserWarning):
    """Something a user gave that can be used, and is probably not what was meant."""
