"""Inputs that are none: mutants of PDDL, messages, traces and folders; and hellos that mean harm."""

from __future__ import annotations

import json
import random
import shutil
import signal
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from assay.agents import wire
from assay.agents.open import open_agent
from assay.bench.attack import DELIVERY, SPEC, Command, Row, mutants
from assay.bench.attack.structured import journal_mutant, json_mutant
from assay.core.query import Profile
from assay.core.universe import Universe
from assay.core.visible import HIDDEN
from assay.errors import AssayError
from assay.pddl.reader import read_domain, read_problem
from assay.store.traces import read_traces

FOLDER_SHARE = 20
"""Every so manyth mutant is one of a folder: each is a whole command."""
COMMANDS = (["verify"], ["verify"], ["report"], ["watch"], ["resume", "--quiet", "--agent", SPEC])
HANG_SECONDS = 20.0


class Hang(BaseException):
    """It took too long."""


@contextmanager
def alarm(seconds: float = HANG_SECONDS) -> Iterator[None]:
    """Raises `Hang` inside if it is not left in time."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def tried(action: Callable[[], object]) -> str | None:
    """What is wrong if the action neither returns nor raises what is raised on purpose."""
    try:
        with alarm():
            action()
    except AssayError:
        return None
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return None


def input_mutants(
    number: int, folders: dict[str, Path], run: Command, place: Path, rng: random.Random
) -> Row:
    row = Row("mutants without traceback or hang")
    small = _sources(place)
    streams = [(name, mutants(original, rng), read) for name, original, read in small]
    files = [
        (kind, path)
        for kind, folder in folders.items()
        for path in sorted(folder.iterdir())
        if path.is_file()
    ]
    for attempt in range(number):
        if attempt % FOLDER_SHARE == 0:
            kind, path = rng.choice(files)
            row.count(_folder_mutant(kind, path, run, place, rng))
            continue
        name, stream, read = streams[attempt % len(streams)]
        data = next(stream)
        if wrong := tried(lambda read=read, data=data: read(data)):  # type: ignore[misc]
            row.count(f"{name}: {wrong}: {data!r}")
        else:
            row.count(None)
    return row


def _sources(place: Path) -> list[tuple[str, bytes, Callable[[bytes], object]]]:
    domain, problem = ((DELIVERY / f"{name}.pddl").read_bytes() for name in ("delivery", "delivery-problem"))
    with open_agent(SPEC, timeout=None) as agent:
        profile = Profile.of(agent)
        universe = Universe(profile.vocabulary, profile.objects)
        hello = wire.encode_hello(profile, agent.states(3, universe))
    question = b'{"state": ["at red depot"], "plan": ["drive red depot market"], "objects": {"x": "letter"}}'
    answer = b'{"steps": 1, "state": ["at red market", "at letter depot"]}'
    trace = json.dumps({"states": [["at red depot"], []], "actions": ["drive red depot market"]}).encode()
    plan = b'"plan": ["drive red depot market"]'
    walk = b'{"state": [], %b, "walk": 3, "changes": [{"added": [], "removed": []}]}' % plan
    vocabulary = profile.vocabulary

    def traces(data: bytes) -> object:
        (place / "log").write_bytes(data)
        return read_traces(place / "log", Universe(vocabulary, profile.objects))

    return [
        ("domain", domain, lambda data: read_domain(data.decode("utf-8", "replace"))),
        ("problem", problem, lambda data: read_problem(data.decode("utf-8", "replace"), vocabulary)),
        ("hello", hello, wire.decode_hello),
        ("question", question, lambda data: wire.decode_query(data, profile)),
        ("answer", answer, wire.decode_answer),
        ("trace", trace, traces),
        ("walk", walk, traces),
    ]


def _folder_mutant(kind: str, path: Path, run: Command, place: Path, rng: random.Random) -> str | None:
    copy = place / "mutant"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(path.parent, copy)
    data = _altered(path, rng)
    (copy / path.name).write_bytes(data)
    command = rng.choice(COMMANDS)
    ran = run([*command, str(copy)])
    wrong = ran.raised or ran.code not in (0, 2, 3, 4)
    return f"{kind}, {path.name}, {command[0]}: {ran}: {data[-200:]!r}" if wrong else None


def _altered(path: Path, rng: random.Random) -> bytes:
    """Half of the mutants of files that have a form keep it."""
    original = path.read_bytes()
    if path.suffix == ".json" and rng.randrange(2):
        return json_mutant(original, rng)
    if path.name in ("journal.jsonl", "reaches.jsonl") and rng.randrange(2):
        return journal_mutant(original, rng)
    return next(mutants(original, rng))


EVIL = (
    "..",
    ".",
    "/etc",
    "a/../../b",
    "\x1b[2J\x1b]0;x\x07",
    "\u202egnp",
    "x\n# CERTIFIED SAFE",
    "\x00",
    "x" * 10**6,
)


def hostile_hellos(number: int, run: Command, place: Path, rng: random.Random) -> Row:
    row = Row("hostile hellos without harm")
    for attempt in range(number):
        hello = _hello(attempt, rng)
        program = place / "hello.py"
        text = "sys.stdout.buffer.write({!r}); sys.stdout.flush(); sys.stdin.read()"
        program.write_text("import sys\n" + text.format(hello + b"\n"))
        before = set(place.parent.iterdir()) | set(place.iterdir())
        ran = run(["run", f"exec:{sys.executable} {program}", "--quiet", "--budget", "2", "--timeout", "1"])
        after = set(place.parent.iterdir()) | set(place.iterdir())
        shown = [c for c in ran.output if c != "\n" and unicodedata.category(c) in HIDDEN]
        strange = {path.name for path in after - before} - {"results"}
        wrong = ran.raised or ran.code not in (0, 2, 3, 4) or shown or strange or len(ran.output) > 10**5
        row.count(f"{hello[:300]!r}: {ran}, {strange}" if wrong else None)
    return row


def _hello(attempt: int, rng: random.Random) -> bytes:
    """One of some twenty kinds, with something drawn in it."""
    hello: dict[str, object] = {"assay": 1, "predicates": {"power": []}, "actions": {"connect": []}}
    evil = rng.choice(EVIL)
    many = rng.choice((3_000, 10**5))
    kinds: list[dict[str, object]] = [
        {"name": evil},
        {"predicates": {evil: []}},
        {"actions": {evil: []}},
        {"objects": {evil: "object"}},
        {"types": {evil: "object"}},
        {"types": {"a": "b", "b": "a"}},
        {"types": {f"t{n}": f"t{n + 1}" for n in range(3_000)}},
        {"constants": {evil: evil}},
        {"start": evil},
        {evil: 1},
        {"predicates": {"p": ["object"] * 4}, "actions": {"a": ["object"] * rng.choice((60, 600))}},
        {"predicates": {f"p{n}": [] for n in range(many)}},
        {"actions": {f"a{n}": ["object"] for n in range(many)}},
        {"objects": {f"o{n}": "object" for n in range(many)}, "predicates": {"p": ["object"] * 9}},
        {"states": [["power"] * many]},
        {"states": [[evil]]},
        {"start": "reset", "states": []},
        {"new_objects": "yes", "free_arguments": [evil]},
        {"assay": 10 ** rng.randrange(1, 400)},
        {"stochastic": True, "walks": True, "start": "reset"},
    ]
    made = json.dumps(hello | kinds[attempt % len(kinds)]).encode()
    if attempt % 7 == 6:
        return next(mutants(made, rng))
    return b"[" * many if attempt % 25 == 24 else made
