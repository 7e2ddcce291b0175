"""A served agent answers everybody else, whatever one client asks."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from commands import DELIVERY

SLEEPY = "if question.get('state') == ['power']: time.sleep(60)"


@contextmanager
def served(tmp_path, spec, *options):
    command = [sys.executable, "-m", "assay", "serve-agent", spec, *options]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())[1])
        finally:
            process.send_signal(signal.SIGINT)


def ask(port, question, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    body = question if isinstance(question, bytes) else json.dumps(question).encode()
    connection.request("POST", "/ask", body, headers)
    response = connection.getresponse()
    found = response.status, json.loads(response.read())
    connection.close()
    return found


def test_questions_are_bounded(tmp_path):
    with served(tmp_path, DELIVERY) as port:
        for question in (
            {"state": [], "walk": 100_000},
            {"state": [], "plan": ["drive red depot market"] * 100_000},
        ):
            began = time.monotonic()
            status, said = ask(port, question)
            assert status == 400
            assert "more than this server takes" in said["error"]
            assert time.monotonic() - began < 5
        assert ask(port, {"state": [], "plan": []})[0] == 200


def test_a_question_without_end_is_ended_and_others_are_answered(tmp_path, lamps):
    with served(tmp_path, lamps(SLEEPY), "--timeout", "1") as port, ThreadPoolExecutor(4) as pool:
        stuck = pool.submit(ask, port, {"state": ["power"], "plan": []})
        time.sleep(0.2)
        others = [pool.submit(ask, port, {"state": [], "plan": ["connect"]}) for _ in range(3)]
        assert stuck.result()[0] == 503
        assert [other.result() for other in others] == [(200, {"steps": 1, "state": ["power"]})] * 3


def test_an_agent_in_python_that_never_comes_back_is_ended_too(tmp_path):
    (tmp_path / "stuck.py").write_text(
        "from assay import PlanResponse, Vocabulary\n"
        "class Stuck:\n"
        "    vocabulary = Vocabulary.of(predicates={'p': []}, actions={'go': []})\n"
        "    def ask(self, query):\n"
        "        while query.plan: pass\n"
        "        return PlanResponse(0, query.state)\n"
    )
    with served(tmp_path, "python:stuck:Stuck", "--timeout", "1") as port:
        assert ask(port, {"state": [], "plan": ["go"]})[0] == 503
        assert ask(port, {"state": [], "plan": []}) == (200, {"steps": 0, "state": []})


def test_foreign_names_and_pages_are_refused(tmp_path):
    with served(tmp_path, DELIVERY) as port:
        question = {"state": [], "plan": []}
        assert ask(port, question, Host="attacker.example")[0] == 421
        assert ask(port, question, Origin="http://attacker.example")[0] == 403
        assert ask(port, question, Host=f"localhost:{port}")[0] == 200


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b'{"state": []}', b"[" * 100_000, b'{"walk": 1e400}'])
def test_nonsense_is_answered_in_words(tmp_path, body):
    from assay.agents.http import serve
    from assay.agents.open import open_agent

    with open_agent(DELIVERY, timeout=None) as agent, serve(agent) as server:
        status, said = ask(int(server.url.rpartition(":")[2]), body)
        assert status == 400
        assert said["error"]


def test_bodies_are_bounded_in_sum():
    from assay.agents.http import serve
    from assay.agents.open import open_agent

    with open_agent(DELIVERY, timeout=None) as agent, serve(agent, max_bytes=1000) as server:
        port = int(server.url.rpartition(":")[2])
        waiting = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
        for connection in waiting:
            connection.sendall(b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        time.sleep(0.3)
        assert ask(port, {"state": [], "plan": []})[0] == 503
        for connection in waiting:
            connection.close()
        time.sleep(0.3)
        assert ask(port, {"state": [], "plan": []})[0] == 200
