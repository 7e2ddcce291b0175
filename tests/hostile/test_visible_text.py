"""What an agent says cannot act on a terminal, hide, or pass for a line of ours."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest

from assay.core.visible import HIDDEN, as_markdown, visible

EVIL = "x\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u2066\n\n# CERTIFIED SAFE\r\n\x85\u2028\u200b [a](file:///) <b>"
NAMED = {"name": EVIL}


def hidden(text):
    return [c for c in text if unicodedata.category(c) in HIDDEN and c != "\n"]


def test_the_one_function():
    for code in range(0x11000):
        shown = visible(chr(code))
        assert not hidden(shown)
        assert "\n" not in shown
        assert shown == chr(code) or unicodedata.category(chr(code)) in HIDDEN
    assert visible("naïve 日本 🚚") == "naïve 日本 🚚"
    assert visible("a" * 50, 10) == "aaaaaaa..."
    assert as_markdown("![a](b) <i>\n#") == "!\\[a\\](b) \\<i\\>\\\\n#"


@pytest.mark.parametrize(
    ("hello", "trick", "code"),
    [
        (NAMED, "pass", 0),
        (NAMED, f"print(json.dumps({{'invalid': {EVIL!r}}}), flush=True); continue", 3),
        (NAMED, f"print(json.dumps({{'error': {EVIL!r}}}), flush=True); continue", 2),
        (NAMED, f"print({EVIL!r}, flush=True)", 2),
        (NAMED, f"sys.stderr.write({EVIL!r}); sys.exit(3)", 2),
        ({"objects": {EVIL: "lamp"}}, "pass", 2),
        ({"predicates": {"power": [EVIL]}}, "pass", 2),
        ({"start": EVIL}, "pass", 2),
        ({EVIL: 1}, "pass", 2),
    ],
)
def test_names_reasons_errors_and_stderr(call, lamps, tmp_path, hello, trick, code):
    call("run", lamps(trick, **hello), "--out", "r", "--quiet", code=code)
    said = call("run", lamps(trick, **hello), "--out", "again", "--quiet", code=code).output
    looked_at = [said]
    if (tmp_path / "r" / "summary.json").exists():
        call("report", "r")
        files = {path.suffix: path for path in (tmp_path / "r").iterdir() if path.suffix != ".json"}
        looked_at += [files[kind].read_text() for kind in (".md", ".html", ".pddl")]
        looked_at.append(str(json.loads((tmp_path / "r" / "summary.json").read_text())))
        description = files[".md"].read_text()
        assert not re.search(r"(?<!\\)\](?=\()|<b>", description)
    assert not any(map(hidden, looked_at))
    for text in looked_at[1:]:  # in the terminal a long line may be broken anywhere
        assert not any(line.lstrip().startswith("# CERTIFIED") for line in text.split("\n"))


def test_files_of_others_are_shown_so_too(call, finished):
    for name in ("run.json", "summary.json"):
        data = json.loads((finished / name).read_text())
        data |= {"agent": EVIL, "error": EVIL, "outcome": "failed", "version": EVIL}
        (finished / name).write_text(json.dumps(data))
    call("report", str(finished))
    assert not hidden((finished / "report.html").read_text())
    said = call("resume", str(finished), code=2).output
    assert not hidden(said)
    assert "CERTIFIED" in said
