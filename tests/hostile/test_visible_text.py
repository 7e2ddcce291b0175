"""What an agent says cannot act on a terminal, hide, or pass for a line of ours."""

from __future__ import annotations

import json
import unicodedata

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
