"""The HTTP around the site: the standard library's server, with the doors shut.

Whoever can reach the address can read the folder served, so it listens on the loopback interface unless told
otherwise. Other web pages in the same browser can reach it too; they are kept out by the `Host` header
(a name that merely points here is refused), by `Origin` and `Sec-Fetch-Site`, and because questions must be
JSON. The pages themselves may load nothing from elsewhere and run no script but ours.
"""

from __future__ import annotations

import socket
import socketserver
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from assay.agents.address import addressed_here, is_loopback
from assay.agents.connections import BoundedHandler, BoundedServer
from assay.errors import AssayError, InputError
from assay.serve import pages
from assay.serve.shelf import Missing, Shelf
from assay.serve.site import HTML, Reply, Site, json_reply

MAX_BODY = 2**20
MAX_PATH = 4096
IDLE_SECONDS = 30

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Refused(InputError):
    """A request that must not be answered, whatever it asks for."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.FORBIDDEN) -> None:
        super().__init__(message)
        self.status = status


class Server(BoundedServer):
    def __init__(self, site: Site, host: str, port: int) -> None:
        self.site, self.host = site, host
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            self.address_family = family
            self.loopback = is_loopback(str(address[0]))
            super().__init__((str(address[0]), port), _Handler)
        except (OSError, OverflowError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot listen on {host} port {port}: {reason}") from error

    def server_bind(self) -> None:
        # HTTPServer.server_bind looks up the host's full name, which can ask the network
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, int(self.server_address[1])

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.server_port}/"


def open_server(folder: Path, host: str = "127.0.0.1", port: int = 0) -> Server:
    """A server for a result folder or a folder of them; `serve_forever` runs it."""
    return Server(Site(Shelf(folder)), host, port)


class _Handler(BoundedHandler, BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "assay", ""
    timeout = IDLE_SECONDS

    def do_GET(self) -> None:
        self._answer(self.server.site.get)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self._answer(self._posted)

    def _posted(self, path: str) -> Reply:
        if self.headers.get_content_type() != "application/json":
            raise Refused("Questions must be sent as JSON.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        return self.server.site.post(path, self._body())

    def _answer(self, respond: Callable[[str], Reply]) -> None:
        path = "/"
        try:
            self._check_sender()
            if len(self.path) > MAX_PATH:
                raise Refused("The address is too long.", HTTPStatus.REQUEST_URI_TOO_LONG)
            path = self.path.partition("?")[0]
            reply = respond(path)
        except Refused as error:
            reply = self._failure(path, str(error), error.status)
        except Missing as error:
            reply = self._failure(path, str(error), HTTPStatus.NOT_FOUND)
        except AssayError as error:
            reply = self._failure(path, self.server.site.told(error), HTTPStatus.BAD_REQUEST)
        except (ConnectionError, TimeoutError):
            self.close_connection = True
            return
        except Exception as error:
            # what went wrong is for whoever runs the server; the browser learns only that it did
            sys.stderr.write(f"assay serve: {self.command} {path!r}: {type(error).__name__}: {error}\n")
            message = "Something went wrong here; the terminal says more."
            reply = self._failure(path, message, HTTPStatus.INTERNAL_SERVER_ERROR)
        self._send(reply)

    def _check_sender(self) -> None:
        host = self.headers.get("Host", "")
        if not addressed_here(host, self.server.host, self.server.loopback):
            raise Refused("This page is not served under that name.", HTTPStatus.MISDIRECTED_REQUEST)
        origin = self.headers.get("Origin")
        if origin is not None and origin != f"http://{host}":
            raise Refused("Other web pages may not use this one.")
        site, mode = self.headers.get("Sec-Fetch-Site"), self.headers.get("Sec-Fetch-Mode")
        followed_a_link = self.command == "GET" and mode == "navigate"
        if site not in (None, "same-origin", "none") and not followed_a_link:
            raise Refused("Other web pages may not use this one.")

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding"):
            raise Refused("Say how long the question is.", HTTPStatus.LENGTH_REQUIRED)
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            raise Refused("Say how long the question is.", HTTPStatus.LENGTH_REQUIRED)
        if len(length) > 12 or int(length) > MAX_BODY:
            raise Refused("The question is too long.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = self.rfile.read(int(length))
        self.received()
        return body

    def _failure(self, path: str, message: str, status: HTTPStatus) -> Reply:
        self.close_connection = True  # a body may be left unread
        if self.command in ("GET", "HEAD") and self.server.site.is_page(path):
            return Reply(pages.failure(message).encode(), HTML, status)
        return json_reply({"error": message}, status)

    def _send(self, reply: Reply) -> None:
        try:
            self.send_response(reply.status)
            for name, value in (HEADERS | reply.headers).items():
                self.send_header(name, value)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.body)))
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the standard library refuses by itself, in our words and with our headers."""
        self.close_connection = True
        status = HTTPStatus(code)
        self._send(json_reply({"error": f"The request was refused: {message or status.phrase}."}, status))

    def log_message(self, format: str, *args: object) -> None:
        """Not a line per request: the browser asks every second."""
