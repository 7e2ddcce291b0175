"""Programs as agents, well behaved and otherwise. Every program here is a real process."""

from __future__ import annotations

import os
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from assay.agents.guard import Guard
from assay.agents.process import ProcessAgent
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start, agree
from assay.core.symbols import Object, Step
from assay.errors import AgentError, AgentGone, AgentTimeout, InputError
from assay.testing import check_agent

EXAMPLES = Path(__file__).parents[2] / "examples" / "protocol"
HELLO = (
    '{"assay": 1, "types": {"lamp": "object"}, "predicates": {"power": [], "on": ["lamp"]},'
    ' "actions": {"connect": [], "disconnect": [], "light": ["lamp"], "douse": ["lamp"]},'
    ' "objects": {"desk": "lamp", "hall": "lamp"}, "states": [["power"]]}'
)
PROLOGUE = f"""
import json, os, signal, sys, time
HELLO = {HELLO!r}
def say(line, end="\\n"):
    sys.stdout.write(line + end)
    sys.stdout.flush()
def same(question):
    return json.dumps({{"steps": 0, "state": json.loads(question)["state"]}})
"""


@pytest.fixture
def start(tmp_path):
    """Starts a program from its Python source; ends it after the test."""
    started = []

    def make(source: str, **options) -> ProcessAgent:
        script = tmp_path / "agent.py"
        script.write_text(PROLOGUE + source)
        agent = ProcessAgent([sys.executable, "-S", "-E", str(script)], **options)
        started.append(agent)
        return agent

    yield make
    for agent in started:
        agent.close()


def gone(pid: int) -> bool:
    """Whether the process has ended (a finished one that nobody collected yet counts as ended)."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(
    "command", [[sys.executable, "lamps.py"], ["perl", "lamps.pl"]], ids=["python", "perl"]
)
def test_examples_are_agents(command, lamps, universe, question):
    with ProcessAgent([command[0], str(EXAMPLES / command[1])], timeout=10) as agent:
        assert agent.vocabulary.predicate == lamps.vocabulary.predicate
        assert set(agent.vocabulary.actions) == set(lamps.vocabulary.actions)
        assert sorted(agent.objects) == sorted(lamps.objects)
        assert (agent.start, agent.new_objects) == (Start.ANY, True)
        walk = agent.states(9, universe)
        assert set(walk) > set(lamps.states(3, universe))
        for (before, after), step in zip(pairwise(walk), ("connect", "light hall"), strict=True):
            assert agent.ask(PlanQuery(before, (Step.parse(step),))) == PlanResponse(1, after)
        universe.add(Object("porch", "lamp"))
        for query in (
            question("", ""),
            question("", "connect, light desk, light porch, light desk"),
            question("power, on porch", "light porch"),
            question("on porch", "douse porch, light porch, connect"),
        ):
            assert agree(agent.ask(query), lamps.ask(query))


def test_command_line_is_split_as_a_shell_would(question):
    path = EXAMPLES / "lamps.py"
    with ProcessAgent(f'"{sys.executable}" "{path}"') as agent:
        assert agent.ask(question("", "connect")).steps == 1


LAMPS = f'"{sys.executable}" "{EXAMPLES / "lamps.py"}"'


@pytest.mark.parametrize("command", [f"sh -c '{LAMPS} | cat'", ["sh", "-c", LAMPS, ";"]])
def test_a_shell_may_be_the_program(command, question):
    with ProcessAgent(command) as agent:
        assert agent.ask(question("", "connect")).steps == 1


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", "empty"),
        ([], "empty"),
        ("'unfinished", "no closing quotation"),
        ("python3 lamps.py | cat", "no shell reads it, so '\\|' means nothing; write sh -c"),
        ("python3 lamps.py 2>&1", "'2>&1' means nothing"),
        ("cd agents && python3 lamps.py", "'&&' means nothing"),
        ("/no/such/program --fast", "cannot start '/no/such/program': No such file"),
        ("/", "cannot start '/'"),
        (["a\0b"], "cannot start"),
    ],
)
def test_command_that_cannot_start(command, words):
    with pytest.raises(InputError, match=words):
        ProcessAgent(command)


def test_invalid_and_error_leave_it_alive(start, question):
    agent = start("""
say(HELLO)
for line in sys.stdin:
    state = json.loads(line)["state"]
    say('{"invalid": "fuse"}' if "power" in state else '{"error": "tired"}' if state else same(line))
""")
    assert agent.ask(question("power")) == Invalid("fuse")
    with pytest.raises(AgentError, match="the agent reports: tired"):
        agent.ask(question("on desk"))
    assert agent.ask(question("")) == PlanResponse(0, question("").state)


def test_unknown_atom_is_named(start, question):
    agent = start("""
say(HELLO)
for line in sys.stdin: say('{"steps": 0, "state": ["on moon"]}')
""")
    with pytest.raises(AgentError, match=r"\(on moon\): unknown object 'moon'"):
        agent.ask(question())


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("print('loading', file=sys.stderr); sys.exit(3)", ["ended with status 3", "loading"]),
        ("sys.exit(0)", ["the agent's program never said hello: it ended with status 0"]),
        ("os.kill(os.getpid(), signal.SIGTERM)", ["never said hello: it was ended by signal 15"]),
        ("os.close(1); time.sleep(60)", ["closed its output"]),
        ("1 / 0", ["status 1", "ZeroDivisionError"]),
        (
            "say('Loading model...')",
            ["hello is not JSON (standard output is for the protocol only): Loading model..."],
        ),
        ("say(HELLO[:1])", ["hello is JSON that breaks off (a message must be on one line): {"]),
        ("say('\\ufeff' + HELLO)", ['begins with a byte order mark, which is no part of JSON: {"assay"']),
        ("say(HELLO[:50], end='')", ["ended with status 0 after", '{"assay": 1']),
        ("say(HELLO.replace('1', '2', 1))", ["version 2", "understands version 1"]),
        ("say(HELLO.replace('[\"lamp\"]', '[\"lorry\"]', 1))", ["unknown type 'lorry'"]),
        ("os.write(1, b'\\xff\\xfe\\n'); time.sleep(60)", ["\\xff\\xfe"]),
        ("os.write(2, b'\\xff\\n' * 100000); sys.exit(1)", ["\\xff"]),
        ("say('x' * 5000); time.sleep(60)", ["longer than 2000 bytes", "xxx..."]),
    ],
)
def test_hello_that_goes_wrong(start, source, words):
    with pytest.raises(AgentError) as caught:
        start(source, hello_timeout=20, max_bytes=2000)
    assert not isinstance(caught.value, AgentTimeout)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("seconds", "source", "words"),
    [
        (0.3, "time.sleep(60)", ["said no hello within 0.3 s", "flush"]),
        (0.3, "sys.stdin.read()", ["said no hello within 0.3 s"]),
        (1.0, "say(HELLO[:20], end=''); time.sleep(60)", ["a line without an end", HELLO[:20]]),
        (0.5, "say('\\n\\n'); time.sleep(60)", ["said no hello", "flush"]),
        (1.0, "print('warming up', file=sys.stderr, flush=True); time.sleep(60)", ["warming up"]),
        (0.5, "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)", ["said no hello"]),
    ],
)
def test_hello_that_never_comes(start, seconds, source, words):
    began = time.monotonic()
    with pytest.raises(AgentTimeout) as caught:
        start(source, hello_timeout=seconds)
    assert time.monotonic() - began < 4
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("sys.exit(7)", ["ended with status 7"]),
        ("raise KeyError('lamp')", ["ended with status 1", "KeyError: 'lamp'"]),
        ("say('thinking...'); say(same(line))", ["(standard output is for the protocol only): thinking"]),
        ("say('{\\n}')", ["answer is JSON that breaks off (a message must be on one line): {"]),
        ("say('[]')", ["is a list, not a JSON object: []"]),
        ("say('{\"steps\": 0}')", ["neither", '{"steps": 0}']),
        ("say(HELLO)", ['a member "assay"; there are "steps",']),
        ('os.write(1, b\'{"invalid": "\\xff"}\\n\')', ["not UTF-8"]),
        (
            'say(\'{"steps": 0, "state": [\' + \'"power",\' * 1000 + \'"power"]}\')',
            ["longer than 2000 bytes"],
        ),
        ("say('{\"steps\": 0', end=''); sys.exit(0)", ["status 0 after", '{"steps": 0']),
    ],
)
def test_answer_that_goes_wrong_ends_it(start, question, body, words):
    agent = start(f"say(HELLO)\nfor line in sys.stdin:\n    {body}\n", timeout=20, max_bytes=2000)
    with pytest.raises(AgentError) as caught:
        agent.ask(question("power", "light desk"))
    assert not isinstance(caught.value, AgentTimeout)
    for word in words:
        assert word in str(caught.value)
    assert gone(agent._process.pid)
    with pytest.raises(AgentError, match="no agent to ask any more"):
        agent.ask(question())


@pytest.mark.parametrize(
    "body",
    ["time.sleep(60)", "say('{\"steps\"', end=''); time.sleep(60)", "time.sleep(0.6); say(same(line))"],
)
def test_late_answer_is_never_taken_for_the_next(start, question, body):
    agent = start(f"say(HELLO)\nfor line in sys.stdin:\n    {body}\n", timeout=0.4)
    began = time.monotonic()
    with pytest.raises(AgentTimeout, match=r"gave no answer within 0\.4 s"):
        agent.ask(question("power"))
    assert time.monotonic() - began < 2
    assert gone(agent._process.pid)
    with pytest.raises(AgentError, match="gave no answer within"):
        agent.ask(question())


def test_two_answers_to_one_question(start, question):
    agent = start("""
say(HELLO)
for line in sys.stdin:
    say(same(line) + "\\n" + same(line))
""")
    agent.ask(question("power"))
    time.sleep(0.2)
    with pytest.raises(AgentError, match="nobody asked for"):
        agent.ask(question())


def test_dies_between_questions(start, question):
    agent = start("""
say(HELLO)
say(same(sys.stdin.readline()))
sys.exit("enough")
""")
    agent.ask(question())
    time.sleep(0.2)
    with pytest.raises(AgentError, match=r"(?s)status 1.*enough"):
        agent.ask(question())


def test_the_last_words_of_a_program_are_told_once(start, question):
    agent = start("say(HELLO)\nfor line in sys.stdin: raise ValueError('what is this')", timeout=20)
    (complaint,) = check_agent(agent)
    assert str(complaint).count("ValueError: what is this") == 1
    with pytest.raises(AgentGone, match=r"any more: the agent's program ended with status 1$"):
        agent.ask(question())
    (later,) = check_agent(agent)
    assert "question 1: there is no agent to ask any more" in str(later)


def test_does_not_read_its_questions(start, question):
    agent = start("say(HELLO)\ntime.sleep(60)", timeout=0.5)
    with pytest.raises(AgentTimeout):
        agent.ask(question("", "connect, disconnect," * 20_000))


def test_answers_before_reading_the_question(start, question):
    agent = start('say(HELLO)\nos.read(0, 10)\nsay(\'{"invalid": ""}\')\ntime.sleep(60)', timeout=20)
    with pytest.raises(AgentError, match="before it had read the question"):
        agent.ask(question("", "connect, disconnect," * 20_000))


def test_long_questions_long_answers_and_much_on_standard_error(start, question, universe):
    for number in range(5000):
        universe.add(Object(f"lamp{number}", "lamp"))
    agent = start(
        """
say(HELLO)
for line in sys.stdin:
    sys.stderr.write("remark " * 50_000)
    say(same(line) + "\\r")
""",
        timeout=20,
    )
    query = question(",".join(f"on lamp{n}" for n in range(5000)), "connect")
    for _ in range(3):
        assert agent.ask(query) == PlanResponse(0, query.state)


def test_close_lets_it_finish(start, tmp_path):
    mark = tmp_path / "finished"
    agent = start(f"say(HELLO)\nsys.stdin.read()\ntime.sleep(0.1)\nopen({str(mark)!r}, 'w').close()\n")
    agent.close()
    agent.close()
    assert mark.exists()
    assert agent._process.returncode == 0


def test_close_ends_its_children_and_nobody_else(start, question):
    bystander = start("say(HELLO)\nfor line in sys.stdin: say(same(line))\n")
    agent = start("""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if child:
    say(HELLO)
    sys.stdin.readline()
    say('{"invalid": "%d"}' % child)
time.sleep(60)
""")
    answer = agent.ask(question())
    assert isinstance(answer, Invalid)
    agent.close()
    assert gone(agent._process.pid)
    assert gone(int(answer.reason))
    assert bystander.ask(question("power")) == PlanResponse(0, question("power").state)


def test_guard_leaves_the_time_to_it(start, question):
    agent = start("say(HELLO)\nprint('stuck', file=sys.stderr, flush=True)\ntime.sleep(60)", timeout=0.5)
    guard = Guard(agent, 0.5)
    with pytest.raises(AgentTimeout, match=r"(?s)question 1: the agent gave no answer within 0.5 s.*stuck"):
        guard.ask(question())
    with pytest.raises(AgentError, match="question 2 was not asked"):
        guard.ask(question())
