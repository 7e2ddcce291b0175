"""What is safe to ask again is asked again, and counted."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assay.agents import retry

HELLO = {"assay": 1, "predicates": {"power": []}, "actions": {"connect": []}, "new_objects": True}
DIE_ONCE = "if asked == 3 and not os.path.exists('died'): open('died', 'w').close(); sys.exit(1)"


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(retry, "FIRST_PAUSE", 0.01)


@contextmanager
def service(*troubles):
    """Answers rightly when the troubles are over: a status, or None for a connection that is closed."""
    left = list(troubles)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.reply(200, HELLO)

        def do_POST(self):
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            trouble = left.pop(0) if left else 200
            ran = bool(question["plan"]) and "power" not in question["state"]
            answer = {"steps": int(ran), "state": ["power"] if ran else question["state"]}
            if trouble is not None:
                self.reply(trouble, answer if trouble == 200 else {"error": "busy"})

        def reply(self, status, data):
            body = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def outcome(folder):
    return json.loads((folder / "summary.json").read_text())


@pytest.mark.parametrize("trouble", [500, 502, 503, 429, None])
def test_a_service_that_comes_back_is_asked_again(call, tmp_path, trouble):
    with service(trouble, trouble) as url:
        call("run", url, "--out", "r", "--quiet")
    assert outcome(tmp_path / "r")["retries"] == 2
    call("verify", "r")


def test_one_that_does_not_come_back_is_given_up(call, tmp_path):
    with service(*[503] * 10) as url:
        said = call("run", url, "--out", "r", "--quiet", "--retries", "2", code=2).output
    assert "gave 503" in said


def test_what_is_at_fault_is_not_asked_again(call, tmp_path):
    with service(400) as url:
        said = call("run", url, "--out", "r", "--quiet", code=2).output
    assert "gave 400" in said


def test_a_program_that_dies_is_started_again(call, lamps, tmp_path):
    call("run", lamps(DIE_ONCE), "--out", "r", "--quiet")
    assert outcome(tmp_path / "r")["retries"] == 1
    call("verify", "r")


def test_a_program_that_says_something_else_then_is_not_trusted(call, lamps, tmp_path):
    agent, path = lamps(DIE_ONCE), tmp_path / "lamps.py"
    other = "if os.path.exists('died'): HELLO['objects'] |= {'x': 'lamp'}\nprint(json.dumps(HELLO)"
    path.write_text(path.read_text().replace("print(json.dumps(HELLO)", other))
    said = call("run", agent, "--out", "r", "--quiet", code=2).output
    assert "another hello" in said
