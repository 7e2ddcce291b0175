"""What the server refuses: paths that leave the folder, other web pages, oversized and malformed requests."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.serve.server import MAX_BODY, open_server

from .conftest import Client, started

NASTY = "<img src=x onerror=alert(1)>'\" &amp; run"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/run/../secret.txt",
        "/run/..%2fsecret.txt/",
        "/run/%2e%2e/",
        "/run/%2e%2e/files/secret.txt",
        "/run/../files/secret.txt",
        "/run/first/files/../../../secret.txt",
        "/run/first/files/..%2f..%2f..%2fsecret.txt",
        "/run/first/files/%2e%2e%2f%2e%2e%2f%2e%2e%2fsecret.txt",
        "/run/first/files/%252e%252e%252fsecret.txt",
        "/run/first/files/..%5c..%5csecret.txt",
        "/run/first/files//etc/passwd",
        "/run/first/files/%2fetc%2fpasswd",
        "/run/first/files/model.pddl%00.txt",
        "/run/first/files/.git",
        "/run/first%00/",
        "/run/%00/",
        "/run/./",
        "/run//",
        "/run/notes/",
        "/run/first/../second/",
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2fetc%2fpasswd",
        "/run/" + "x" * 3000 + "/",
    ],
)
def test_no_path_leaves_the_folder(client: Client, path: str) -> None:
    status, body = client.get(path)
    assert status == 404, body
    assert "secret" not in body
    assert "root:" not in body
    assert "That did not work" in body or "error" in json.loads(body)


def test_links_that_leave_are_refused(shelf: Path, tmp_path: Path, finished: Path) -> None:
    outside = tmp_path / "outside"
    shutil.copytree(finished, outside)
    (shelf / "linked").symlink_to(outside)
    for file in ("run.json", "journal.jsonl", "summary.json", "model.pddl"):
        folder = shelf / f"linked-{file}"
        shutil.copytree(finished, folder)
        (folder / file).unlink()
        (folder / file).symlink_to(outside / file)
    (shelf / "alias").symlink_to(shelf / "first")
    for client in started(shelf):
        index = client.get("/")[1]
        assert "linked" not in index
        assert "alias" in index  # stays below the folder
        for name in ("linked", "linked-run.json", "linked-model.pddl"):
            for rest in ("", "live", "world", "files/model.pddl", "files/run.json"):
                assert client.get(f"/run/{name}/{rest}")[0] == 404
        assert client.get("/run/alias/live")[0] == 200


def test_names_are_shown_as_text(shelf: Path, finished: Path) -> None:
    shutil.copytree(finished, shelf / NASTY)
    for client in started(shelf):
        index = client.get("/")[1]
        assert "<img" not in index
        link = re.search(r'href="(/run/%3Cimg[^"]*)"', index)
        assert link is not None
        status, page = client.get(link[1])
        assert status == 200
        assert "<img" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in page
        assert client.get(link[1] + "live")[0] == 200
        assert "<script" not in client.get("/run/%3Cscript%3Ealert(1)%3C%2Fscript%3E/")[1].replace(
            "<script src", ""
        )


@pytest.mark.parametrize("path", ["/", "/run/first/", "/nothing", "/run/first/live", "/static/page.js"])
def test_every_answer_shuts_the_doors(client: Client, path: str) -> None:
    _, headers, body = client.request("GET", path)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    if headers["Content-Type"].startswith("text/html"):
        text = body.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)", text)
        assert not re.search(r"<[^>]*\son[a-z]+\s*=", text)
        assert not re.search(r"(src|href)=\"(https?:)?//", text)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[", "10.0.0.1"]
)
def test_a_name_that_only_points_here_is_refused(client: Client, host: str) -> None:
    for path in ("/", "/run/first/live"):
        status, _, body = client.request("GET", path, headers={"Host": host})
        assert status == 421
        assert b"delivery" not in body
    status, answer = client.post("/run/first/scene", {"state": []}, Host=host)
    assert status == 421
    assert "not served under that name" in answer["error"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "localhost:9999", "[::1]:80", "LOCALHOST"])
def test_the_names_of_this_machine_are_fine(client: Client, host: str) -> None:
    assert client.request("GET", "/", headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
def test_other_web_pages_are_kept_out(client: Client, headers: dict[str, str]) -> None:
    assert client.post("/run/first/scene", {"state": []}, **headers)[0] == 403
    assert client.get("/run/first/live", **headers)[0] == 403


def test_our_own_page_and_links_from_elsewhere_are_let_in(client: Client) -> None:
    here = f"127.0.0.1:{client.server.server_port}"
    ours = {"Origin": f"http://{here}", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}
    assert client.post("/run/first/scene", {"state": []}, **ours)[0] == 200
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", **followed)[0] == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_questions_must_be_json(client: Client, kind: str) -> None:
    status, answer = client.post("/run/first/scene", b'{"state":[]}', **{"Content-Type": kind})
    assert status == 415
    assert "JSON" in answer["error"]


@pytest.mark.parametrize(
    ("length", "status"),
    [(str(MAX_BODY + 1), 413), ("9" * 40, 413), ("-1", 411), ("many", 411), ("", 411), ("\u00b2", 411)],
)
def test_sizes_are_limited(client: Client, length: str, status: int) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": length}
    assert client.post("/run/first/scene", b"{}", **headers)[0] == status


def test_long_addresses_are_refused(client: Client) -> None:
    assert client.get("/" + "x" * 5000)[0] == 414


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
def test_other_methods_are_refused_in_words(client: Client, method: str) -> None:
    status, headers, body = client.request(method, "/")
    assert status == 501
    assert "error" in json.loads(body)
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_garbage_on_the_line_does_no_harm(client: Client) -> None:
    for garbage in (
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", client.server.server_port), timeout=5) as connection:
            connection.sendall(garbage)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1000)
    assert client.get("/")[0] == 200


def test_posting_to_a_page_is_refused(client: Client) -> None:
    assert client.post("/", {})[0] == 404
    assert client.post("/run/first/live", {"state": []})[0] == 404
    assert client.post("/run/none/scene", {"state": []})[0] == 404


def test_a_hostile_journal_is_shown_as_text(shelf: Path) -> None:
    folder = shelf / "hostile"
    folder.mkdir()
    (folder / "journal.jsonl").write_text('{"<script>alert(1)</script>":1}\n')
    for client in started(shelf):
        for path in ("/", "/run/hostile/"):
            status, page = client.get(path)
            assert status == 200
            assert "<script>" not in page


def test_something_unexpected_tells_the_browser_nothing(client: Client, monkeypatch, capsys) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a private detail")

    monkeypatch.setattr(client.server.site.shelf, "names", fail)
    status, body = client.get("/run/first/live")
    assert status == 500
    assert "private" not in body
    assert "a private detail" in capsys.readouterr().err


def test_what_cannot_be_served_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        open_server(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        open_server(tmp_path / "file")
    with pytest.raises(InputError, match="cannot listen"):
        open_server(tmp_path, host="no such host.invalid")
    with open_server(tmp_path) as server, pytest.raises(InputError, match="cannot listen"):
        open_server(tmp_path, port=server.server_port)


def test_it_listens_on_the_loopback_interface(client: Client) -> None:
    assert client.server.server_address[0] == "127.0.0.1"
    assert client.server.url == f"http://127.0.0.1:{client.server.server_port}/"


@pytest.mark.skipif(os.name != "posix", reason="file names are text elsewhere")
def test_a_folder_name_that_is_not_text_is_left_out(shelf: Path, finished: Path) -> None:
    strange = os.fsencode(shelf) + b"/\xff"
    os.mkdir(strange)
    shutil.copy(finished / "journal.jsonl", strange + b"/journal.jsonl")  # type: ignore[call-overload]
    for client in started(shelf):
        assert client.get("/")[0] == 200
