"""A real Chromium, real result folders, a real server. Whatever is missing fails the tests; none is skipped.

Every page is watched: an error on the console, an exception, a dialog or a request to anywhere but the server
under test (or the file that is looked at) fails the test at its end.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from assay.agents.model import ModelAgent
from assay.core.query import Invalid
from assay.core.symbols import Object
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError
from assay.pddl import read_domain, read_problem
from assay.serve.server import open_server
from assay.session import assess

HERE = Path(__file__).parent
ROOT = HERE.parent
DOMAINS = ROOT / "src/assay/bench/domains"
IMAGES = ROOT / "docs/images"
MOST_BYTES = 250_000

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # no name but this machine's can even be looked up
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'&lt;"
HOSTILE_FOLDER = "<img src=x onerror=alert(1)> & 'co'"

SLOW_AGENT = '''
"""A delivery agent that thinks before it answers."""
import time
from pathlib import Path

from assay.agents.model import ModelAgent
from assay.pddl import read_domain, read_problem

DOMAINS = Path({domains!r})
model = read_domain((DOMAINS / "delivery.pddl").read_text())
problem = read_problem((DOMAINS / "delivery-problem.pddl").read_text(), model.vocabulary)

class Slow(ModelAgent):
    def ask(self, query, /):
        time.sleep(0.6)
        return super().ask(query)

def agent():
    return Slow(model, problem.objects, (problem.initial,))
'''


def delivery() -> ModelAgent:
    model = read_domain((DOMAINS / "delivery.pddl").read_text())
    problem = read_problem((DOMAINS / "delivery-problem.pddl").read_text(), model.vocabulary)
    return ModelAgent(model, problem.objects, (problem.initial,))


class Hostile:
    """Puts markup wherever an agent has a say."""

    vocabulary = Vocabulary.of(name=MARKUP, predicates={"on": ["object"]}, actions={"switch": ["object"]})
    objects = (Object("lamp"), Object("fan"))

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, query: Any, /) -> Invalid:
        self.asked += 1
        if self.asked > 1:
            raise AgentError(f"broken {MARKUP}")
        return Invalid(f"impossible {MARKUP}")


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Result folders: one complete, one that stopped early, one hostile through and through."""
    shelf = tmp_path_factory.mktemp("shelf") / "results"
    spec = "pddl:delivery.pddl,delivery-problem.pddl"
    assess(delivery(), out=shelf / "delivery", spec=spec)
    assess(delivery(), out=shelf / "stopped", spec=spec, budget=3)
    with pytest.raises(AgentError):
        assess(Hostile(), out=shelf / HOSTILE_FOLDER, spec=f"python:{MARKUP}")
    for number, folder in enumerate(sorted(shelf.iterdir())):
        moment = 1_790_000_000 + number * 3600  # the same in every screenshot
        os.utime(folder / "journal.jsonl", (moment, moment))
    return shelf


@pytest.fixture(scope="session")
def base(shelf: Path) -> Iterator[str]:
    yield from _serve(shelf)


def _serve(folder: Path) -> Iterator[str]:
    with open_server(folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield server.url.rstrip("/")
        server.shutdown()
        thread.join()


@pytest.fixture
def slow_run(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a run that is going on, in a process of its own, and the process."""
    (tmp_path / "slow_delivery.py").write_text(SLOW_AGENT.format(domains=str(DOMAINS)))
    folder = tmp_path / "results"
    folder.mkdir()
    command = [
        "run",
        "python:slow_delivery:agent",
        "--out",
        str(folder / "going"),
        "--max-plan",
        "2",
        "--quiet",
    ]
    run = subprocess.Popen(
        [sys.executable, "-m", "assay", *command],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        for address in _serve(folder):
            yield address, run
    finally:
        run.kill()
        run.communicate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "chromium is not installed: run tests_browser/setup.sh"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)  # with a fresh profile
        yield browser
        browser.close()


@dataclass
class Watch:
    """What went on in a page."""

    trouble: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        page.on("console", lambda m: self.trouble.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: self.trouble.append(str(e)))
        page.on("request", lambda r: self.requests.append(r.url))
        page.on("requestfailed", lambda r: self._failed(r.url, r.failure or ""))

        def dialog(shown: Any) -> None:
            self.trouble.append(f"dialog: {shown.message}")
            shown.dismiss()

        page.on("dialog", dialog)

    def _failed(self, url: str, reason: str) -> None:
        if "ERR_ABORTED" not in reason:  # the page was left
            self.trouble.append(f"{url}: {reason}")

    def elsewhere(self) -> list[str]:
        here = ("http://127.0.0.1:", "file:///", "data:")
        return [url for url in self.requests if not url.startswith(here)]


Opener = Callable[..., Page]


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def visit(browser: Browser, watch: Watch) -> Iterator[Opener]:
    """Opens an address in a window of its own; at the end nothing may have gone wrong in any of them."""
    contexts: list[BrowserContext] = []

    def open_page(url: str, width: int = 1280, height: int = 900, dark: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        watch.over(page)
        page.goto(url, wait_until="load")
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            names = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
            watch.requests.extend(names)
        context.close()
    assert watch.trouble == []
    assert watch.requests
    assert watch.elsewhere() == []


@pytest.fixture(scope="session")
def axe() -> str:
    source = HERE / "node_modules/axe-core/axe.min.js"
    assert source.is_file(), "axe-core is not installed: run tests_browser/setup.sh"
    return source.read_text(encoding="utf-8")


def run_url(base: str, name: str) -> str:
    return f"{base}/run/{quote(name, safe='')}/"


def picture(page: Page, name: str, full: bool = False) -> None:
    """A screenshot for the documentation."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    path = IMAGES / f"{name}.png"
    page.screenshot(path=path, full_page=full, animations="disabled", caret="hide")
    assert path.stat().st_size < MOST_BYTES, f"{path.name} has {path.stat().st_size} bytes"


def fits_its_width(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
