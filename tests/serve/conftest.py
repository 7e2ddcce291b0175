"""A real server on the loopback interface over real result folders."""

from __future__ import annotations

import http.client
import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.agents.model import ModelAgent
from assay.pddl import read_domain, read_problem
from assay.serve.server import Server, open_server
from assay.session import assess

DOMAINS = Path(__file__).parents[2] / "src/assay/bench/domains"


def delivery() -> ModelAgent:
    model = read_domain((DOMAINS / "delivery.pddl").read_text())
    problem = read_problem((DOMAINS / "delivery-problem.pddl").read_text(), model.vocabulary)
    return ModelAgent(model, problem.objects, (problem.initial,))


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    assess(delivery(), out=folder, spec="pddl:delivery.pddl,delivery-problem.pddl")
    return folder


@pytest.fixture
def shelf(tmp_path: Path, finished: Path) -> Path:
    """A folder of result folders."""
    shelf = tmp_path / "results"
    for name in ("first", "second"):
        shutil.copytree(finished, shelf / name)
    (shelf / "notes").mkdir()
    (tmp_path / "secret.txt").write_text("top secret")
    return shelf


@dataclass
class Client:
    server: Server

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=10)
        sent = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        connection.putrequest(method, path, skip_host="Host" in sent)
        if body is not None:
            sent.setdefault("Content-Length", str(len(body)))
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.headers, content

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        status, _, body = self.request("GET", path, headers=headers)
        return status, body.decode()

    def json(self, path: str) -> Any:
        status, body = self.get(path)
        assert status == 200, body
        return json.loads(body)

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        status, _, content = self.request("POST", path, body, headers)
        return status, json.loads(content)


def started(folder: Path) -> Iterator[Client]:
    with open_server(folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield Client(server)
        server.shutdown()
        thread.join()


@pytest.fixture
def client(shelf: Path) -> Iterator[Client]:
    yield from started(shelf)


@pytest.fixture
def single(finished: Path) -> Iterator[Client]:
    yield from started(finished)
