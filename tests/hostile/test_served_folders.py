"""`serve` and `report` show what is in the folder, nothing else; one bad folder does not hide the others."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from assay.agents.connections import MOST_CONNECTIONS
from assay.serve.server import open_server

SECRET = "GIF89a root:x:0:0 secret"


@pytest.fixture
def results(finished, tmp_path):
    shelf = tmp_path / "results"
    shelf.mkdir()
    for name in ("good", "bad"):
        shutil.copytree(finished, shelf / name)
    return shelf


@pytest.fixture
def get(results):
    with open_server(results) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()

        def get(path):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()

        get.port = server.server_port
        yield get
        server.shutdown()
        thread.join()


def link_a_picture(folder, target):
    (folder / "pictures").mkdir()
    (folder / "pictures" / "x.gif").symlink_to(target)
    album = {"entries": 1, "animation": "x.gif", "frames": ["look"]}
    (folder / "pictures" / "index.json").write_text(json.dumps(album))


def test_a_picture_that_is_a_link_is_not_embedded(call, results, get, tmp_path):
    import base64

    (tmp_path / "passwd").write_text(SECRET)
    link_a_picture(results / "bad", tmp_path / "passwd")
    shown = [get(path)[1] for path in ("/", "/run/bad/", "/run/bad/report")]
    call("report", str(results / "bad"), code=2)
    shown += [(results / "bad" / "report.html").read_text()]
    secret = base64.b64encode(SECRET.encode()).decode()[:16]
    assert not any(secret in text for text in shown)
    assert get("/run/good/")[0] == 200


def test_a_link_is_not_written_through(call, finished, tmp_path):
    (tmp_path / "mine").write_text("mine")
    (finished / "report.html.part").symlink_to(tmp_path / "mine")
    (finished / "timings.jsonl").unlink()
    (finished / "timings.jsonl").symlink_to(tmp_path / "mine")
    for command in ("report", "resume"):
        call(command, str(finished), code=2)
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("summary.json", '{"outcome": "interrupted", "questions": 7, "traces": 0}'),
        ("summary.json", '{"outcome": [], "questions": 7, "traces": 0}'),
        ("summary.json", "[]"),
        ("certificate.json", '{"claims": 5}'),
        ("run.json", "[]"),
        ("journal.jsonl", "{}\n"),
        ("journal.jsonl", "\x00"),
        ("model.ppddl", "("),
        ("reaches.jsonl", "{}"),
    ],
)
def test_one_bad_folder_is_a_line_that_says_why(results, get, file, content):
    (results / "bad" / file).write_text(content)
    status, index = get("/")
    assert status == 200
    assert "Complete" in index
    assert 'href="/run/good/"' in index
    status, page = get("/run/bad/")
    assert status in (200, 400, 404), page


def test_an_interrupted_run_is_shown(results, get):
    path = results / "bad" / "summary.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"outcome": "interrupted", "complete": False}))
    status, index = get("/")
    assert status == 200
    assert "interrupted" in index
    assert get("/run/bad/")[0] == 200
    assert get("/run/bad/live")[0] == 200


def test_clients_are_answered_while_others_drip(get):
    dripping = []
    for _ in range(MOST_CONNECTIONS + 100):
        connection = socket.create_connection(("127.0.0.1", get.port))
        connection.sendall(b"GET / HTTP/1.1\r\nHo")
        dripping.append(connection)
    before = threading.active_count()
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: get("/")[0], range(300)))
    assert answers == [200] * 300
    assert before <= MOST_CONNECTIONS + 20
    for connection in dripping:
        connection.close()


def test_a_connection_that_does_not_ask_in_time_is_dropped(results, monkeypatch):
    monkeypatch.setattr("assay.serve.server.Server.request_seconds", 0.5)
    with open_server(results) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        connection = socket.create_connection(("127.0.0.1", server.server_port))
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began < 10:  # one byte at a time, for ever
                connection.sendall(b"G")
                time.sleep(0.1)
        assert time.monotonic() - began < 5
        server.shutdown()
