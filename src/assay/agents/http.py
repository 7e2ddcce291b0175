"""An agent at the other end of HTTP, and the server that puts an agent there.

`GET /hello` returns the hello and `POST /ask` an answer to the question in its body; `wire` says what these
are. Only the standard library is used, with one connection that is kept open. A connection that ended while
idle is replaced once, in silence; any other failure, and a late answer, ends the connection, so that an
answer can never be taken for another question's.

The server listens on the loopback interface unless told otherwise, and asks its agent one question at a
time, because agents need not be thread-safe. It knows no passwords: whoever can reach it can ask. Requests
sent by web pages (they carry an `Origin`) are refused.
"""

from __future__ import annotations

import http.client
import io
import socket
import socketserver
import threading
import time
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

from assay.agents import wire
from assay.agents.guard import Guard, check_response, check_walk
from assay.agents.malformed import quote, shorten
from assay.core.query import Agent, Invalid, PlanQuery, Profile, Response, WalkQuery, WalkResponse
from assay.core.setting import OFFERED
from assay.core.universe import State, Universe
from assay.errors import AgentError, AgentTimeout, InputError

_CHUNK = 2**16
_IDLE_SECONDS = 120.0


class HttpAgent:
    def __init__(
        self,
        url: str,
        *,
        timeout: float | None = None,
        hello_timeout: float = wire.HELLO_SECONDS,
        max_bytes: int = wire.MAX_BYTES,
    ) -> None:
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
            reason = _reason(error)
            raise AgentError(f"the connection to the agent at {self._where} failed: {reason}") from error
        except BaseException:
            self._connection.close()
            raise
        if status != HTTPStatus.OK:
            raise AgentError(f"{method} {self._where}{path} gave {status} {reason}: {_complaint(data)}")
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
    return quote(data) if error is None else shorten(error, 500)


class AgentServer:
    """An agent being served; `with` serves it in the background for as long as the block runs."""

    def __init__(self, agent: Agent, host: str, port: int, max_bytes: int) -> None:
        guard = agent if isinstance(agent, Guard) else Guard(agent)
        self.profile = Profile.of(guard)
        universe = Universe(self.profile.vocabulary, self.profile.objects)
        self.hello = wire.encode_hello(
            self.profile,
            guard.states(OFFERED, universe),
            stochastic=guard.stochastic,
            shows_refusals=guard.shows_refusals,
        )
        self.max_bytes = max_bytes
        self._agent = agent
        self._asking = threading.Lock()
        try:
            self._server = _Server((host, port), _Handler)
        except (OSError, OverflowError) as error:
            raise InputError(f"cannot listen on {host}:{port}: {error}") from error
        self._server.owner = self
        self._turn = threading.Lock()
        self._running = self._closed = False
        name = f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self._server.server_address[1]}"

    def ask(self, query: PlanQuery | WalkQuery) -> Response | WalkResponse:
        with self._asking:
            try:
                if isinstance(query, WalkQuery):
                    return check_walk(query, self._agent.walk(query))  # type: ignore[attr-defined]  # it walks
                return check_response(query, self._agent.ask(query), self.profile.tells_states)
            except AgentError:
                raise
            except (Exception, SystemExit) as error:
                raise AgentError(f"the agent raised {type(error).__name__}: {error}") from error

    def serve_forever(self) -> None:
        with self._turn:
            if self._closed:
                return
            self._running = True
        self._server.serve_forever(poll_interval=0.05)

    def shutdown(self) -> None:
        """Stops serving. Not for the thread that is serving, unless an interrupt has ended that."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
        if self._running:
            self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True, name="assay-server").start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()


def serve(
    agent: Agent, host: str = "127.0.0.1", port: int = 0, *, max_bytes: int = wire.MAX_BYTES
) -> AgentServer:
    """A server for the agent; port 0 takes a free one, `url` says which."""
    return AgentServer(agent, host, port, max_bytes)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: AgentServer

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, handler)

    def server_bind(self) -> None:
        # The one in http.server looks the host's name up, which can take seconds, for nothing.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A questioner who hangs up is not an event."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "assay", ""
    disable_nagle_algorithm = True
    timeout = _IDLE_SECONDS

    def do_GET(self) -> None:
        if self._acceptable("/hello", "/ask", "POST"):
            self._reply(HTTPStatus.OK, self.server.owner.hello)

    def do_POST(self) -> None:
        body = self._body()
        if body is None or not self._acceptable("/ask", "/hello", "GET"):
            return
        try:
            query = wire.decode_query(body, self.server.owner.profile)
        except InputError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        try:
            answer = wire.encode_response(self.server.owner.ask(query), query)
        except AgentError as error:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
            return
        self._reply(HTTPStatus.OK, answer)

    def _acceptable(self, path: str, other: str, other_method: str) -> bool:
        asked = self.path.partition("?")[0]
        if "Origin" in self.headers:
            self._refuse(HTTPStatus.FORBIDDEN, "requests from web pages are refused")
        elif asked == other:
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, f"use {other_method} for {other}")
        elif asked != path:
            self._refuse(HTTPStatus.NOT_FOUND, "there are only GET /hello and POST /ask")
        else:
            return True
        return False

    def _body(self) -> bytes | None:
        limit = self.server.owner.max_bytes
        stated = self.headers.get("Content-Length", "")
        if not stated.isascii() or not stated.isdigit():
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the request must state its Content-Length", last=True)
        elif int(stated) > limit:
            message = f"the question is longer than {limit} bytes"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, last=True)
            self.rfile.read(min(int(stated), 2**20))  # a socket closed on unread data loses the reply
        else:
            body = self.rfile.read(int(stated))
            if len(body) == int(stated):
                return body
            self._refuse(HTTPStatus.BAD_REQUEST, "the request ended early", last=True)
        return None

    def _refuse(self, status: HTTPStatus, message: str, last: bool = False) -> None:
        self._reply(status, wire.encode_error(message), last)

    def _reply(self, status: HTTPStatus, body: bytes, last: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if last:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What http.server itself refuses, in the same form as what is refused here."""
        self._refuse(HTTPStatus(code), message or HTTPStatus(code).phrase, last=True)

    def log_message(self, *_: object) -> None:
        """A library does not write to standard error."""
