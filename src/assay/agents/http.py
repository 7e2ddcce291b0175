"""An agent at the other end of HTTP; `serving` is the server that puts an agent there.

`GET /hello` returns the hello and `POST /ask` an answer to the question in its body; `wire` says what these
are. Only the standard library is used, with one connection that is kept open. A connection that ended while
idle is replaced once, in silence; any other failure, and a late answer, ends the connection, so that an
answer can never be taken for another question's.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
from functools import partial
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import urlsplit

from assay.agents import wire
from assay.agents.malformed import quote, shorten
from assay.agents.retry import LONGEST_PAUSE, pauses
from assay.agents.serving import serve
from assay.core.limits import LONGEST_REASON
from assay.core.query import Invalid, PlanQuery, Response, WalkQuery, WalkResponse
from assay.core.universe import State, Universe
from assay.errors import AgentError, AgentTimeout, InputError

__all__ = ["HttpAgent", "serve"]

_CHUNK = 2**16


class Unavailable(AgentError):
    """The connection was lost, or the service cannot answer now: the same request may be sent again."""

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds that the service wants to be left alone."""


class HttpAgent:
    def __init__(
        self,
        url: str,
        *,
        timeout: float | None = None,
        hello_timeout: float = wire.HELLO_SECONDS,
        max_bytes: int = wire.MAX_BYTES,
        retries: int = 0,
    ) -> None:
        self._retries, self.retries = retries, 0
        """How often a request may be sent again, and how often one was, in all."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise InputError(f"{url!r}: {error}") from error
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"{url!r} is not an address; write for example 'http://127.0.0.1:8000'")
        if parts.query or parts.fragment or parts.username:
            raise InputError(f"{url!r}: an agent's address has no user, no '?' and no '#'")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, port)
        self._base = parts.path.rstrip("/")
        self._where = url.rstrip("/")
        self._max_bytes = max_bytes
        self.time_limit = timeout
        self._hello = wire.decode_hello(self._request("GET", "/hello", None, hello_timeout))
        profile = self._hello.profile
        self.vocabulary, self.objects = profile.vocabulary, profile.objects
        self.start, self.new_objects = profile.start, profile.new_objects
        self.free_arguments, self.walks = profile.free_arguments, profile.walks
        self.tells_states = profile.tells_states
        self.stochastic, self.shows_refusals = self._hello.stochastic, self._hello.shows_refusals

    def ask(self, query: PlanQuery, /) -> Response:
        return wire.read_answer(self._answer(query), query)

    def walk(self, query: WalkQuery, /) -> WalkResponse | Invalid:
        return wire.read_walk(self._answer(query), query)

    def _answer(self, query: PlanQuery | WalkQuery) -> wire.Answer:
        return wire.decode_answer(self._request("POST", "/ask", wire.encode_query(query), self.time_limit))

    def states(self, count: int, universe: Universe) -> tuple[State, ...]:
        return self._hello.offer(count, universe)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(self, method: str, path: str, body: bytes | None, seconds: float | None) -> bytes:
        for pause in pauses(self._retries):
            try:
                return self._request_once(method, path, body, seconds)
            except Unavailable as error:
                time.sleep(min(max(pause, error.wait), LONGEST_PAUSE))
                self.retries += 1
        return self._request_once(method, path, body, seconds)

    def _request_once(self, method: str, path: str, body: bytes | None, seconds: float | None) -> bytes:
        deadline = None if seconds is None else time.monotonic() + seconds
        kept_open = self._connection.sock is not None
        try:
            try:
                status, reason, data = self._exchange(method, path, body, deadline)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                if not kept_open:
                    raise
                self._connection.close()
                status, reason, data = self._exchange(method, path, body, deadline)
        except TimeoutError as error:
            self._connection.close()
            limit = "" if seconds is None else f" within {seconds:g} s"
            raise AgentTimeout(f"the agent at {self._where} gave no answer{limit}") from error
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            self._connection.close()
            reason = shorten(_reason(error), LONGEST_REASON)
            raise Unavailable(f"the connection to the agent at {self._where} failed: {reason}") from error
        except BaseException:
            self._connection.close()
            raise
        if status != HTTPStatus.OK:
            passing = status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
            said = f"{method} {self._where}{path} gave {status} {shorten(reason, 60)}: {_complaint(data)}"
            raise Unavailable(said, self._told_to_wait) if passing else AgentError(said)
        return data

    def _exchange(
        self, method: str, path: str, body: bytes | None, deadline: float | None
    ) -> tuple[int, str, bytes]:
        connection = self._connection
        connection.timeout = _left(deadline)
        if connection.sock is None:
            connection.connect()
        connection.sock.settimeout(_left(deadline))
        # http.client calls this with the socket when it starts to read.
        connection.response_class = partial(_Response, deadline)  # type: ignore[assignment]
        headers = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, self._base + path, body, headers)
        with connection.getresponse() as response:
            data = bytearray()
            while chunk := response.read1(_CHUNK):
                data += chunk
                if len(data) > self._max_bytes:
                    raise http.client.HTTPException(f"the answer is longer than {self._max_bytes} bytes")
            if response.length:
                raise http.client.IncompleteRead(bytes(data), response.length)
        told = response.headers.get("Retry-After", "")
        self._told_to_wait = float(told) if told.isascii() and told.isdigit() else 0.0
        return response.status, response.reason, bytes(data)


def _reason(error: Exception) -> str:
    """Why the connection failed, in words."""
    if not isinstance(error, http.client.IncompleteRead):
        return str(error) or type(error).__name__
    came, missing = len(error.partial), error.expected
    stated = f" after {came} bytes, but states a Content-Length of {came + missing}" if missing else ""
    return f"the response breaks off{stated}"


def _left(deadline: float | None) -> float | None:
    """The seconds left until the deadline."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Response(http.client.HTTPResponse):
    """A response to be read by a deadline: a socket's own time limit starts anew with every byte."""

    def __init__(self, deadline: float | None, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp = io.BufferedReader(_TimedReader(self.fp.detach(), sock, deadline))


class _TimedReader(io.RawIOBase):
    def __init__(self, raw: io.RawIOBase, sock: socket.socket, deadline: float | None) -> None:
        self._raw, self._sock, self._deadline = raw, sock, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _complaint(data: bytes) -> str:
    """What the other side says went wrong, if it says so in the protocol's words."""
    try:
        error = wire.decode_answer(data).error
    except AgentError:
        error = None
    return quote(data) if error is None else shorten(error, LONGEST_REASON)
