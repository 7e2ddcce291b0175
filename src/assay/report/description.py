"""A result in sentences."""

from __future__ import annotations

from assay.result import Result


def describe(result: Result) -> str:
    return "\n".join(f"{f.action}: {f.status.value}, strength {f.strength}" for f in result.findings) + "\n"
