"""An HTTP server with a bounded number of connections, each of which has to say what it wants in time.

A thread per connection is simple, and an attacker's way to thousands of them: open many, send a byte now and
then. Here a connection is dropped that has not sent a whole request in time, however many bytes came; and if
there is no room for a new one, the one that has taken longest to ask makes room. Who is being answered is
never dropped, so clients that ask at once are answered whatever others do.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MOST_CONNECTIONS = 128
"""More than a browser and fifty clients need; each costs a thread."""
REQUEST_SECONDS = 15.0
"""To send a whole request in, from when the connection was made or the last answer was sent."""
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class BoundedServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = MOST_CONNECTIONS
    request_seconds = REQUEST_SECONDS

    def server_activate(self) -> None:
        self._asking: dict[socket.socket, float] = {}
        """Connections that have yet to send a request, and since when."""
        self._answered: set[socket.socket] = set()
        """Those that have sent one."""
        self._changing = threading.Lock()
        super().server_activate()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._changing:
            if len(self._asking) + len(self._answered) >= MOST_CONNECTIONS and not self._drop_slowest():
                with suppress(OSError):
                    request.sendall(_FULL)
                super().shutdown_request(request)
                return
            self._asking[request] = time.monotonic()
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._changing:
            self._asking.pop(request, None)
            self._answered.discard(request)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Looks for connections that take too long; the loop that serves calls this again and again."""
        late = time.monotonic() - self.request_seconds
        with self._changing:
            for connection in [c for c, since in self._asking.items() if since < late]:
                self._drop(connection)

    def asks(self, connection: socket.socket) -> None:
        """The connection is expected to send a request from now on."""
        with self._changing:
            self._answered.discard(connection)
            self._asking[connection] = time.monotonic()

    def asked(self, connection: socket.socket) -> None:
        """The connection has sent a whole request."""
        with self._changing:
            if self._asking.pop(connection, None) is not None:
                self._answered.add(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A questioner who hangs up is not an event."""

    def _drop_slowest(self) -> bool:
        if not self._asking:
            return False
        self._drop(min(self._asking, key=self._asking.__getitem__))
        return True

    def _drop(self, connection: socket.socket) -> None:
        # its thread, which waits for more, finds that there is none, and closes it
        del self._asking[connection]
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


class BoundedHandler(BaseHTTPRequestHandler):
    """A handler that tells its server when a request is there; one with a body calls `received` itself."""

    server: BoundedServer

    def handle_one_request(self) -> None:
        self.server.asks(self.connection)
        super().handle_one_request()

    def parse_request(self) -> bool:
        parsed = super().parse_request()
        if parsed and self.command != "POST":
            self.received()
        return parsed

    def received(self) -> None:
        self.server.asked(self.connection)
