"""Attacks on the pages: ways that lead out, foreign names and origins, dripping connections, many clients."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.bench.attack import Row

SECRET = "GIF89a this is not to be seen"
PATHS = (
    "/../secret",
    "/run/../../secret",
    "/run/..%2f..%2fsecret/",
    "/run/%2e%2e/files/secret",
    "/run/good/files/../../secret",
    "/run/good/files/..%2f..%2fsecret",
    "/run/good/files/%2fetc%2fpasswd",
    "/run/good/files/seal.json",
    "/static/../../../pyproject.toml",
    "/run/linked/",
    "/run/linked/report",
    "/run/\x00/",
    "/run/%ff/",
    "//etc/passwd",
)
DRIPPING, CLIENTS, REQUESTS = 250, 50, 300
HEADERS = (
    ({"Host": "attacker.example"}, 421),
    ({"Host": "127.0.0.1.attacker.example"}, 421),
    ({"Host": ""}, 421),
    ({"Origin": "http://attacker.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
)


def web(folder: Path, place: Path) -> Row:
    row = Row("web requests answered or refused as they must")
    shelf = place / "shelf"
    for name in ("good", "linked"):
        shutil.copytree(folder, shelf / name)
    (place / "secret").write_text(SECRET)
    (shelf / "linked" / "pictures").mkdir()
    (shelf / "linked" / "pictures" / "questions.gif").symlink_to(place / "secret")
    (shelf / "linked" / "pictures" / "index.json").write_text('{"entries": 7, "animation": "questions.gif"}')
    with _served(shelf) as port:
        for path in PATHS:
            status, text = _get(port, path)
            leaks = SECRET in text or "R0lGODlh" in text or "root:" in text
            row.count(f"{path}: {status}" if leaks or status >= 500 or status == 200 else None)
        for headers, wanted in HEADERS:
            status, _ = _get(port, "/run/good/live", headers)
            row.count(f"{headers}: {status}" if status != wanted else None)
        for size in ("-1", "9" * 30, "x", str(2**40)):
            status, _ = _get(port, "/run/good/ask", {"Content-Length": size}, "POST")
            row.count(f"a body of {size}: {status}" if not 400 <= status < 500 else None)
        with _dripping(port), ThreadPoolExecutor(CLIENTS) as pool:
            for status, _ in pool.map(lambda _: _get(port, "/"), range(REQUESTS)):
                row.count(f"one of {CLIENTS} clients: {status}" if status != 200 else None)
    row.notes = f"{DRIPPING} connections drip while {CLIENTS} clients ask"
    return row


def _get(port: int, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        # as it is: the library would refuse to send some of this
        lines = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json", **(headers or {})}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        connection.connect()
        connection.sock.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1"))
        response = http.client.HTTPResponse(connection.sock)
        response.begin()
        return response.status, response.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return 999, f"{type(error).__name__}: {error}"
    finally:
        connection.close()


@contextmanager
def _dripping(port: int) -> Iterator[None]:
    """Connections that have sent half a line, and will never send more."""
    opened = []
    for _ in range(DRIPPING):
        with suppress(OSError):
            opened.append(socket.create_connection(("127.0.0.1", port), timeout=5))
            opened[-1].sendall(b"GET / HTTP/1.1\r\nHo")
    try:
        yield
    finally:
        for connection in opened:
            connection.close()


@contextmanager
def _served(shelf: Path) -> Iterator[int]:
    command = [sys.executable, "-m", "assay", "serve", str(shelf)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
            yield int(found[1]) if found else 0
        finally:
            process.terminate()
