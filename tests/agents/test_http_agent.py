"""Agents over HTTP: our server and our client together, each against a misbehaving other side."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
import time
from contextlib import contextmanager

import pytest

from assay.agents.guard import Guard
from assay.agents.http import HttpAgent, serve
from assay.agents.stochastic import open_world
from assay.chance_assessment import assess_chance
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.symbols import Atom, Object
from assay.core.universe import Universe
from assay.errors import AgentError, AgentTimeout, InputError

HELLO = b'{"assay": 1, "types": ["lamp"], "predicates": {"power": [], "on": ["lamp"]}, "actions": {"go": []}}'


class Odd:
    """An agent whose `ask` is given by the test."""

    def __init__(self, lamps, ask):
        self.vocabulary, self.objects, self.ask = lamps.vocabulary, lamps.objects, ask


@contextmanager
def raw_server(*replies: bytes | float | None):
    """For each request sends the next reply. A number waits, None hangs up (at once if it comes next)."""
    listener = socket.create_server(("127.0.0.1", 0))
    todo = list(replies)

    def handle(connection: socket.socket) -> None:
        with connection:
            while todo:
                request = b""
                while b"\r\n\r\n" not in request:
                    chunk = connection.recv(65536)
                    if not chunk:
                        return
                    request += chunk
                head, _, body = request.partition(b"\r\n\r\n")
                for line in head.split(b"\r\n"):
                    if line.lower().startswith(b"content-length:"):
                        while len(body) < int(line.split(b":")[1]):
                            body += connection.recv(65536)
                reply = todo.pop(0)
                while isinstance(reply, float):
                    time.sleep(reply)
                    reply = todo.pop(0) if todo else None
                if reply is None:
                    return
                connection.sendall(reply)
                if todo and todo[0] is None:
                    todo.pop(0)
                    return

    def run() -> None:
        while True:
            try:
                connection, _ = listener.accept()
                handle(connection)
            except OSError:
                if listener.fileno() < 0:
                    return

    threading.Thread(target=run, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()


def reply(body: bytes, status: str = "200 OK", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\nContent-Length: {size}\r\n\r\n".encode() + body


def post(url: str, body: bytes, path: str = "/ask", method: str = "POST", **headers: str) -> tuple[int, dict]:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def test_a_served_agent_is_the_agent(lamps, universe, question):
    with serve(lamps) as server, HttpAgent(server.url, timeout=10) as agent:
        assert server.url.startswith("http://127.0.0.1:")
        assert (agent.vocabulary, agent.objects) == (lamps.vocabulary, lamps.objects)
        assert (agent.start, agent.new_objects) == (lamps.start, lamps.new_objects)
        assert agent.states(60, universe) == tuple(lamps.states(60, universe))
        assert len(agent.states(60, universe)) == 60
        universe.add(Object("porch", "lamp"))
        for query in (
            question("", "connect, light desk, light porch, light desk"),
            question("on porch, on hall", "light porch"),
        ):
            assert agent.ask(query) == lamps.ask(query)


def test_a_name_may_return_as_another_thing(lamps):
    with serve(lamps) as server, HttpAgent(server.url, timeout=10) as agent:
        for type_name in ("lamp", "object", "lamp"):
            universe = Universe(agent.vocabulary, agent.objects)
            universe.add(Object("porch", type_name))
            atoms = [Atom("on", ("porch",))] if type_name == "lamp" else []
            query = PlanQuery(universe.state(atoms), ())
            assert agent.ask(query) == PlanResponse(0, query.state, ())


def test_invalid_travels(lamps, question):
    with serve(Odd(lamps, lambda query: Invalid("fuse"))) as server, HttpAgent(server.url) as agent:
        assert agent.ask(question()) == Invalid("fuse")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda query: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda query: os.stat("/no/such/file"), "FileNotFoundError"),
        (lambda query: exit(3), "SystemExit: 3"),
        (lambda query: "fine", "neither a PlanResponse nor Invalid, but str 'fine'"),
        (lambda query: PlanResponse(5, query.state), "5 steps ran, of a plan of 1"),
        (lambda query: PlanResponse(0, ["power"]), "not a State"),
    ],
)
def test_what_the_agent_does_wrong_is_said_without_traceback(lamps, question, ask, words):
    with serve(Odd(lamps, ask)) as server:
        status, answer = post(server.url, b'{"state": [], "plan": ["connect"]}')
        assert status == 500
        assert words in answer["error"]
        assert "Traceback" not in answer["error"]
        with HttpAgent(server.url) as agent, pytest.raises(AgentError, match="500") as caught:
            agent.ask(question("", "connect"))
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "the question is empty"),
        (b"state=power", "not JSON"),
        (b"\xff", "not JSON"),
        (b"{}", 'has no member "state": {}'),
        (b'{"state": ["fire"], "plan": []}', "unknown predicate 'fire'"),
        (b'{"state": [], "plan": ["jump"]}', "unknown action 'jump'"),
        (b'{"state": [], "plan": [], "objects": {"desk": "object"}}', "'desk'"),
    ],
)
def test_bad_questions_get_400(lamps, body, words):
    with serve(lamps) as server:
        status, answer = post(server.url, body)
        assert status == 400
        assert words in answer["error"]


def test_bad_requests(lamps):
    good = b'{"state": [], "plan": []}'
    with serve(lamps, max_bytes=1000) as server:
        assert post(server.url, good)[0] == 200
        assert post(server.url, b" " * 1001)[0] == 413
        assert post(server.url, good, path="/")[0] == 404
        assert post(server.url, good, path="/hello")[0] == 405
        assert post(server.url, b"", path="/ask", method="GET")[0] == 405
        assert post(server.url, b"", path="/favicon.ico", method="GET")[0] == 404
        assert post(server.url, good, method="PUT")[0] == 501
        assert post(server.url, good, Origin="http://example.org")[0] == 403
        assert post(server.url, good, **{"Content-Length": "many"})[0] == 411
        assert post(server.url, good, **{"Content-Length": "-1"})[0] == 411
        for request in (b"HELLO\r\n\r\n", b"POST /ask HTTP/1.1\r\nHost: x\r\n\r\n", b"\x00\xff\r\n\r\n"):
            with socket.create_connection(server._server.server_address) as sock:
                sock.sendall(request)
                sock.shutdown(socket.SHUT_WR)
                assert b'{"error":' in sock.makefile("rb").read()
        with socket.create_connection(server._server.server_address) as sock:
            sock.sendall(b"POST /ask HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
            sock.shutdown(socket.SHUT_WR)
            assert b"ended early" in sock.makefile("rb").read()
        assert post(server.url, good)[0] == 200


def test_questioners_take_turns(lamps, question):
    busy = []

    def ask(query):
        busy.append(1)
        overlapping = len(busy)
        time.sleep(0.02)
        busy.pop()
        return Invalid(str(overlapping))

    with serve(Odd(lamps, ask)) as server:
        found = []

        def questioner():
            with HttpAgent(server.url, timeout=20) as agent:
                found.extend(agent.ask(question()).reason for _ in range(5))

        threads = [threading.Thread(target=questioner) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == ["1"] * 30


def test_stopping(lamps):
    unused = serve(lamps)
    unused.shutdown()
    unused.shutdown()
    unused.serve_forever()
    server = serve(lamps)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    server.shutdown()
    thread.join(5)
    assert not thread.is_alive()
    with pytest.raises(AgentError, match=r"connection to the agent at .* failed"):
        HttpAgent(server.url)


def test_agent_or_place_that_cannot_be_served(lamps):
    with serve(lamps) as server, pytest.raises(InputError, match="cannot listen on 127"):
        serve(lamps, port=int(server.url.rpartition(":")[2]))
    with pytest.raises(InputError, match="cannot listen"):
        serve(lamps, port=99999)
    with pytest.raises(AgentError, match="no `vocabulary`"):
        serve(object())

    def no_states(count, universe):
        raise KeyError("room")

    odd = Odd(lamps, lamps.ask)
    odd.states = no_states
    with pytest.raises(AgentError, match="KeyError: 'room'"):
        serve(odd)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://host", "is not an address"),
        ("http://", "is not an address"),
        ("http://host:port", "Port could not be cast"),
        ("http://[::1", "Invalid IPv6"),
        ("http://me:secret@host", "no user"),
        ("http://host/?x=1", "no '\\?'"),
    ],
)
def test_addresses_that_are_none(url, words):
    with pytest.raises(InputError, match=words):
        HttpAgent(url)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (reply(b"ok"), ["not JSON", "ok"]),
        (reply(b""), ["answer is empty"]),
        (reply(b'{"steps": 0}'), ["neither"]),
        (reply(b'{"steps": 0, "state": ["on moon"]}'), ["unknown object 'moon'"]),
        (reply(b'{"error": "tired"}'), ["the agent reports: tired"]),
        (reply(b'{"error": "tired"}', "503 Busy"), ["503 Busy: tired"]),
        (reply(b"<html>Not here</html>", "404 Not Found"), ["404 Not Found", "<html>Not here"]),
        (reply(b"", "302 Found"), ["302 Found"]),
        (reply(b"x" * 3000), ["longer than 2000 bytes"]),
        (
            reply(b'{"steps"', length=50),
            ["failed", "the response breaks off after 8 bytes, but states a Content-Length of 50"],
        ),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{", ["the response breaks off"]),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b'{"invalid": "\xff"}', ["not UTF-8"]),
        (b"220 mail.example.org ESMTP\r\n", ["connection", "failed"]),
        (None, ["connection", "failed"]),
    ],
)
def test_answers_that_go_wrong(question, answer, words):
    with raw_server(reply(HELLO), answer, None, None) as url, pytest.raises(AgentError) as caught:
        HttpAgent(url, timeout=5, max_bytes=2000).ask(question())
    assert not isinstance(caught.value, AgentTimeout)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (reply(HELLO.replace(b"1", b"2", 1)), "version 2"),
        (reply(b"<html>"), "hello is not JSON: <html>"),
        (reply(b"{"), "hello is JSON that breaks off: {"),
        (reply(b"\xef\xbb\xbf" + HELLO), "hello begins with a byte order mark, which is no part of JSON: {"),
        (reply(b"", "404 Not Found"), "404 Not Found"),
    ],
)
def test_hello_that_goes_wrong(answer, words):
    with raw_server(answer) as url, pytest.raises(AgentError, match=words):
        HttpAgent(url)


@pytest.mark.parametrize("url", ["http://no..such..host", "http://127.0.0.1:9/a b"])
def test_addresses_that_cannot_be_used(url):
    with pytest.raises(AgentError, match="failed"):
        HttpAgent(url, hello_timeout=5)


def test_nobody_there():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(AgentError, match=r"connection to the agent at .* failed"):
        HttpAgent(f"http://127.0.0.1:{port}")


def test_hello_that_never_comes():
    with raw_server(5.0) as url, pytest.raises(AgentTimeout, match=r"no answer within 0\.3 s"):
        HttpAgent(url, hello_timeout=0.3)


@pytest.mark.parametrize(
    "drip", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"]
)
def test_time_limit_holds_against_a_drip(lamps, question, drip):
    """Byte after byte, each well within the limit: the limit is for the whole answer."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run():
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(reply(HELLO))
            connection.recv(65536)
            try:
                connection.sendall(drip)
                for _ in range(60):
                    time.sleep(0.05)
                    connection.sendall(b" ")
            except OSError:
                return

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    agent = HttpAgent(f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=0.4)
    began = time.monotonic()
    with pytest.raises(AgentTimeout):
        agent.ask(question())
    assert time.monotonic() - began < 1.5
    thread.join(5)
    listener.close()


def test_late_answer_is_never_taken_for_the_next(lamps, question):
    def ask(query):
        if len(query.plan) == 1:
            time.sleep(0.8)
        return PlanResponse(len(query.plan), query.state)

    with serve(Odd(lamps, ask)) as server, HttpAgent(server.url, timeout=0.6) as agent:
        with pytest.raises(AgentTimeout):
            agent.ask(question("", "connect"))
        time.sleep(0.4)
        assert agent.ask(question("power")) == PlanResponse(0, question("power").state)


def test_connection_that_ended_while_idle_is_replaced(question):
    answer = reply(b'{"steps": 0, "state": []}')
    with raw_server(reply(HELLO), answer, None, answer) as url:
        agent = HttpAgent(url, timeout=5)
        assert agent.ask(question()) == PlanResponse(0, question().state)
        assert agent.ask(question("power")) == PlanResponse(0, question().state)


def test_path_before_the_protocols_own(lamps, question):
    """An agent may live below a path; only the last part of the address is the protocol's."""
    with serve(lamps) as server, pytest.raises(AgentError, match="404"):
        HttpAgent(server.url + "/agents/7/")
    with serve(lamps) as server, pytest.raises(AgentError, match=rf"GET {server.url}/a/hello gave 404"):
        HttpAgent(server.url + "/a//")
    with serve(lamps) as server, HttpAgent(server.url + "/") as agent:
        assert agent.ask(question("", "connect")).steps == 1


def test_guarded(lamps, question):
    with serve(Odd(lamps, lambda query: time.sleep(0.5))) as server:
        guard = Guard(HttpAgent(server.url, timeout=0.2), 0.2)
        with pytest.raises(AgentTimeout, match="question 1: the agent at http"):
            guard.ask(question())
        guard.close()


def test_an_agent_with_chance_says_so_and_can_be_learned():
    world = open_world("driving", 3)
    with serve(world) as server, HttpAgent(server.url, timeout=10) as agent:
        assert (agent.stochastic, agent.shows_refusals) == (True, True)
        result = assess_chance(agent, samples=60)
    assert result.complete
    assert {a.header.name for a in result.model.actions} == {"changetire", "move-car"}
