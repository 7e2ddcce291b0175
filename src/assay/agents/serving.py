"""The server that puts an agent behind HTTP: `GET /hello`, and `POST /ask` with a question in its body.

The server listens on the loopback interface unless told otherwise, and asks its agent one question at a
time, because agents need not be thread-safe. It knows no passwords: whoever can reach it can ask. Requests
sent by web pages are refused (they carry an `Origin`, or a `Host` that is not ours). Questions are bounded in
length, one by one and all together, and so is the time that a client waits for its turn.
"""

from __future__ import annotations

import socket
import socketserver
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Self

from assay.agents import wire
from assay.agents.address import addressed_here, is_loopback
from assay.agents.bounds import BODIES, Allowance, QuestionBounds
from assay.agents.connections import BoundedHandler, BoundedServer
from assay.agents.guard import Guard, check_response, check_walk
from assay.agents.malformed import shorten
from assay.core.limits import LONGEST_REASON
from assay.core.query import Agent, PlanQuery, Profile, Response, WalkQuery, WalkResponse
from assay.core.setting import OFFERED
from assay.core.universe import Universe
from assay.errors import AgentError, AgentTimeout, InputError

REQUEST_SECONDS = 60.0
"""For a question to arrive, which may be 64 MiB long; connections are kept open for so long between two."""
PATIENCE_SECONDS = 60.0
"""A client waits for its turn so long; with clients that retry, longer."""


class AgentServer:
    """An agent being served; `with` serves it in the background for as long as the block runs."""

    def __init__(
        self, agent: Agent, host: str, port: int, max_bytes: int, bounds: QuestionBounds, patience: float
    ) -> None:
        guard = agent if isinstance(agent, Guard) else Guard(agent)
        self.profile = Profile.of(guard)
        universe = Universe(self.profile.vocabulary, self.profile.objects)
        self.hello = wire.encode_hello(
            self.profile,
            guard.states(OFFERED, universe),
            stochastic=guard.stochastic,
            shows_refusals=guard.shows_refusals,
        )
        self.max_bytes, self.bounds = max_bytes, bounds
        self.bodies = Allowance(BODIES * max_bytes)
        self._agent, self._patience = agent, patience
        self._asking = threading.Lock()
        try:
            self._server = _Server((host, port), _Handler)
            self.loopback = is_loopback(str(self._server.server_address[0]))
        except (OSError, OverflowError) as error:
            raise InputError(f"cannot listen on {host}:{port}: {error}") from error
        self._server.owner, self.host = self, host
        self._turn = threading.Lock()
        self._running = self._closed = False
        name = f"[{host}]" if ":" in host else host
        self.url = f"http://{name}:{self._server.server_address[1]}"

    def ask(self, query: PlanQuery | WalkQuery) -> Response | WalkResponse:
        if not self._asking.acquire(timeout=self._patience):
            raise Busy("the agent is busy with other questions; ask again later")
        try:
            self.bounds.check(query)
            try:
                if isinstance(query, WalkQuery):
                    return check_walk(query, self._agent.walk(query))  # type: ignore[attr-defined]  # it walks
                return check_response(query, self._agent.ask(query), self.profile.tells_states)
            except AgentError:
                raise
            except (Exception, SystemExit) as error:
                said = shorten(str(error), LONGEST_REASON)
                raise AgentError(f"the agent raised {type(error).__name__}: {said}") from error
        finally:
            self._asking.release()

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
    agent: Agent,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    max_bytes: int = wire.MAX_BYTES,
    bounds: QuestionBounds | None = None,
    patience: float = PATIENCE_SECONDS,
) -> AgentServer:
    """A server for the agent; port 0 takes a free one, `url` says which."""
    return AgentServer(agent, host, port, max_bytes, bounds or QuestionBounds(), patience)


_UNREAD = 2**20


class Busy(AgentError):
    """Others are being answered; the same question may be asked again."""


class _Server(BoundedServer):
    owner: AgentServer
    request_seconds = REQUEST_SECONDS

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, handler)

    def server_bind(self) -> None:
        # The one in http.server looks the host's name up, which can take seconds, for nothing.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])


class _Handler(BoundedHandler, BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "assay", ""
    disable_nagle_algorithm = True
    timeout = REQUEST_SECONDS

    def do_GET(self) -> None:
        if self._acceptable("/hello", "/ask", "POST"):
            self._reply(HTTPStatus.OK, self.server.owner.hello)

    def do_POST(self) -> None:
        if (length := self._length()) is None:
            return
        with self.server.owner.bodies.share(length) as granted:
            if not granted:
                message = "too many questions are on their way; ask again later"
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, message, last=True)
                return
            body = self.rfile.read(length)
            self.received()
            if len(body) < length:
                self._refuse(HTTPStatus.BAD_REQUEST, "the request ended early", last=True)
            elif self._acceptable("/ask", "/hello", "GET"):
                self._answer(body)

    def _answer(self, body: bytes) -> None:
        owner = self.server.owner
        try:
            query = wire.decode_query(body, owner.profile)
            answer = wire.encode_response(owner.ask(query), query)
        except InputError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        except (Busy, AgentTimeout) as error:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, str(error))
        except AgentError as error:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
        else:
            self._reply(HTTPStatus.OK, answer)

    def _acceptable(self, path: str, other: str, other_method: str) -> bool:
        asked = self.path.partition("?")[0]
        owner = self.server.owner
        if not addressed_here(self.headers.get("Host", ""), owner.host, owner.loopback):
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "this agent is not served under that name")
        elif "Origin" in self.headers:
            self._refuse(HTTPStatus.FORBIDDEN, "requests from web pages are refused")
        elif asked == other:
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, f"use {other_method} for {other}")
        elif asked != path:
            self._refuse(HTTPStatus.NOT_FOUND, "there are only GET /hello and POST /ask")
        else:
            return True
        return False

    def _length(self) -> int | None:
        """How long the question is, if that is said and not too much."""
        limit = self.server.owner.max_bytes
        stated = self.headers.get("Content-Length", "")
        if not stated.isascii() or not stated.isdigit():
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the request must state its Content-Length", last=True)
        elif len(stated) > len(str(limit)) or int(stated) > limit:
            message = f"the question is longer than {limit} bytes"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, last=True)
            self.rfile.read(_UNREAD)  # a socket closed on unread data loses the reply
        else:
            return int(stated)
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
