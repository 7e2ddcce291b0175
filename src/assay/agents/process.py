"""An agent that is a program: questions go to its standard input, answers come from its standard output.

One message per line (`wire` says which). The program says hello when it starts and ends when its input
ends. What it writes to standard error is kept and quoted when it dies.

Anything that could put question and answer out of step ends the program: an answer that is late, too long
or not an answer, or a line that nobody asked for. So an answer can never be taken for another question's.
Each program gets a process group of its own, and that group is all that is ever signalled: the program with
all that it started, when it ends, is late or is closed.

Waiting is done with `selectors` on the pipes, so this adapter needs a POSIX system; elsewhere, use HTTP.
"""

from __future__ import annotations

import os
import re
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn, Self

from assay.agents import wire
from assay.agents.malformed import quote, shorten
from assay.agents.memory import limited
from assay.agents.retry import pauses
from assay.core.query import Invalid, PlanQuery, Response, Start, WalkQuery, WalkResponse
from assay.core.universe import State, Universe
from assay.errors import AgentError, AgentGone, AgentTimeout, InputError

_CHUNK = 2**16
_STDERR_KEPT = 2**13
_LAST_LINES = 5
_LAST_CHUNKS = 64
WATCH_SECONDS = 0.5
"""So often it is looked whether the program has ended, while nothing comes from it."""
_SHELL = re.compile(r"[|<>&;]+|\d>.*")
"""Words that would join programs or lead their output elsewhere."""
_SAID = "; on standard error it said:"


class ProgramDied(AgentError):
    """The program ended after its hello; another one may answer."""


class ProcessAgent:
    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float | None = None,
        hello_timeout: float = wire.HELLO_SECONDS,
        max_bytes: int = wire.MAX_BYTES,
        memory: int | None = None,
        retries: int = 0,
    ) -> None:
        self._words, self._memory, self._hello_timeout = _words(command), memory, hello_timeout
        self._retries, self.retries = retries, 0
        """How often it may be started again for one question, and how often it was, in all."""
        self.time_limit = timeout
        self._max_bytes = max_bytes
        self._start()
        profile = self._hello.profile
        self.vocabulary, self.objects = profile.vocabulary, profile.objects
        self.start, self.new_objects = profile.start, profile.new_objects
        self.free_arguments, self.walks = profile.free_arguments, profile.walks
        self.tells_states = profile.tells_states
        self.stochastic, self.shows_refusals = self._hello.stochastic, self._hello.shows_refusals

    def _start(self) -> None:
        """Starts the program and takes its hello."""
        self._out, self._err = bytearray(), bytearray()
        self._searched = 0
        """How much of `_out` is known to hold no end of line."""
        self._greeted = False
        self._ended = ""
        """Why there is nobody left to ask; empty while there is."""
        try:
            self._process = subprocess.Popen(
                limited(self._words, self._memory),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot start {self._words[0]!r}: {reason}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout, self._stderr = (
            self._process.stdin,
            self._process.stdout,
            self._process.stderr,
        )
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        try:
            line = self._exchange(b"", self._hello_timeout, "said no hello")
            self._greeted = True
            self._hello = wire.decode_hello(line, printed=True)
        except BaseException as error:
            self._end(str(error))
            raise

    def _start_again(self) -> None:
        """A new program of the same kind, which knows nothing of the old one's questions."""
        hello = self._hello
        self._start()
        if self._hello.profile != hello.profile:
            error = AgentError("the agent's program, started again, says another hello")
            self._end(str(error))
            raise error

    def ask(self, query: PlanQuery, /) -> Response:
        return wire.read_answer(self._answer(query), query)

    def walk(self, query: WalkQuery, /) -> WalkResponse | Invalid:
        return wire.read_walk(self._answer(query), query)

    def _answer(self, query: PlanQuery | WalkQuery) -> wire.Answer:
        if self._ended:
            raise AgentGone(f"there is no agent to ask any more: {self._ended}")
        for pause in pauses(self._retries if self.start is not Start.VISITED else 0):
            try:
                return self._answered(query)
            except ProgramDied:
                time.sleep(pause)
                self.retries += 1
                self._start_again()
        return self._answered(query)

    def _answered(self, query: PlanQuery | WalkQuery) -> wire.Answer:
        try:
            self._expect_silence()
            line = self._exchange(wire.encode_query(query) + b"\n", self.time_limit, "gave no answer")
            return wire.decode_answer(line, printed=True)
        except BaseException as error:
            self._end(str(error) or type(error).__name__)
            raise

    def states(self, count: int, universe: Universe) -> tuple[State, ...]:
        return self._hello.offer(count, universe)

    @property
    def ended(self) -> bool:
        """Whether there is nobody left to ask."""
        return bool(self._ended)

    def close(self) -> None:
        """Lets the program finish, briefly, then ends it and whatever it started."""
        self._end("it was closed", grace=1.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _exchange(self, message: bytes, seconds: float | None, complaint: str) -> bytes:
        """Sends the message and waits for one line."""
        deadline = None if seconds is None else time.monotonic() + seconds
        unsent = memoryview(message)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            if unsent:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            while (line := self._line()) is None:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    self._too_late(seconds, complaint)
                waited = WATCH_SECONDS if left is None else min(left, WATCH_SECONDS)
                if not (ready := selector.select(waited)) and self._wait(0.0):
                    self._died()  # what it has started may still hold its output open
                for key, _ in ready:
                    if key.fileobj is self._stdout:
                        self._read_out()
                    elif key.fileobj is self._stderr:
                        if not self._read_err():
                            selector.unregister(self._stderr)
                    else:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            selector.unregister(self._stdin)
        if unsent:
            raise AgentError(f"the agent answered before it had read the question: {quote(line)}")
        return line

    def _line(self) -> bytes | None:
        """The next line that is not blank, if it is there."""
        while 0 <= (end := self._out.find(b"\n", self._searched)) <= self._max_bytes:
            line = bytes(self._out[:end])
            del self._out[: end + 1]
            self._searched = 0
            if line.strip():
                return line
        self._searched = len(self._out)
        if self._searched > self._max_bytes:
            start = quote(bytes(self._out[:500]))
            raise AgentError(f"the agent's line is longer than {self._max_bytes} bytes: {start}")
        return None

    def _expect_silence(self) -> None:
        """Whatever is on the pipe before a question is sent is not its answer."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            while selector.select(0):
                self._read_out()
                if len(self._out) > _CHUNK:
                    break
        if self._out.strip():
            raise AgentError(
                "the agent printed something that nobody asked for (standard output is for the "
                f"protocol only): {quote(bytes(self._out[:500]))}"
            )
        self._out.clear()
        self._searched = 0

    def _read_out(self) -> None:
        chunk = os.read(self._stdout.fileno(), _CHUNK)
        if not chunk:
            self._died()
        self._out += chunk

    def _read_err(self) -> bool:
        chunk = os.read(self._stderr.fileno(), _CHUNK)
        self._err += chunk
        del self._err[:-_STDERR_KEPT]
        return bool(chunk)

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._stdin.fileno(), data[:_CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            self._died()

    def _died(self) -> NoReturn:
        self._wait(0.5)
        status = self._stop(grace=0.0)
        if status == -signal.SIGKILL:
            fate = "closed its output"
        elif status < 0:
            fate = f"was ended by signal {-status}"
        else:
            fate = f"ended with status {status}"
        rest = f" after {quote(bytes(self._out[:500]))}" if self._out.strip() else ""
        early = "" if self._greeted else "never said hello: it "
        fault = ProgramDied if self._greeted else AgentError
        raise fault(f"the agent's program {early}{fate}{rest}{self._last_words()}")

    def _too_late(self, seconds: float | None, complaint: str) -> NoReturn:
        if self._out.strip():
            rest = f"; it printed a line without an end: {quote(bytes(self._out[:500]))}"
        else:
            rest = " (does it read its input line by line, and flush its output after each line?)"
        raise AgentTimeout(f"the agent {complaint} within {seconds:g} s{rest}{self._last_words()}")

    def _last_words(self) -> str:
        if not self._stderr.closed:
            with suppress(BlockingIOError):
                for _ in range(_LAST_CHUNKS):  # one that still writes, writes for ever
                    if not self._read_err():
                        break
        lines = self._err.decode(errors="backslashreplace").split("\n")
        lines = [shorten(line, 300) for line in lines if line.strip()][-_LAST_LINES:]
        return _SAID + "".join(f"\n    | {line}" for line in lines) if lines else ""

    def _end(self, reason: str, grace: float = 0.0) -> None:
        if not self._ended:
            self._ended = reason.partition(_SAID)[0]  # its last words are not repeated with every question
            self._stop(grace)
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()

    def _stop(self, grace: float) -> int:
        """Ends the program's process group; the program's own number is given back only at the very end."""
        if self._process.returncode is None:
            self._stdin.close()
            if grace and not self._wait(grace):
                self._signal(signal.SIGTERM)
                self._wait(grace)
            self._signal(signal.SIGKILL)
        return self._process.wait()

    def _signal(self, number: int) -> None:
        # The group may be empty, or hold only a finished program, which macOS refuses to signal.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _wait(self, seconds: float) -> bool:
        """Waits for the program to finish but does not collect it, so that its group keeps its number."""
        deadline = time.monotonic() + seconds
        while True:
            if hasattr(os, "waitid"):
                flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
                if os.waitid(os.P_PID, self._process.pid, flags) is not None:
                    return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)


def _words(command: str | Sequence[str]) -> list[str]:
    """The program and its arguments; what only a shell would understand is refused, not handed on."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise InputError(f"command {command!r}: {str(error).lower()}") from error
    for word in words if isinstance(command, str) else ():
        if _SHELL.fullmatch(word):
            said = f"no shell reads it, so {word!r} means nothing; write sh -c '...' around it"
            raise InputError(f"command {command!r}: {said}")
    if not words:
        raise InputError("the command is empty; write for example 'python3 agent.py'")
    return words
