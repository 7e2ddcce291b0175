"""How to cite a result, and how to get it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from platform import python_version
from typing import Any

from assay.core.query import Start
from assay.core.setting import Setting
from assay.report.reading import Reading


@dataclass(frozen=True, slots=True)
class Origin:
    command: str
    agent: str
    strategy: str
    seed: int
    versions: tuple[tuple[str, str], ...]
    journal_hash: str
    certified: bool | None
    """Whether the certificate is about this journal; None if there is none."""
    citation: str


def origin(reading: Reading) -> Origin:
    setting, options, record = reading.record.setting, reading.options, reading.record
    made_by = str(options.get("version") or version("assay"))
    certified = None
    if reading.certificate:
        journal = reading.certificate.get("journal")
        certified = isinstance(journal, Mapping) and journal.get("hash") == record.hash
    questions = reading.fold.questions
    return Origin(
        again(setting, options),
        str(options.get("agent") or ""),
        setting.strategy,
        setting.seed,
        (
            ("assay", made_by),
            ("Journal format", str(record.lines[0].get("assay", ""))),
            ("Python", str(options.get("python") or python_version())),
        ),
        record.hash,
        certified,
        f"assay {made_by}: assessment of the agent {setting.profile.vocabulary.name}, {questions} "
        f"question{'' if questions == 1 else 's'}, strategy {setting.strategy}, seed {setting.seed}; "
        f"journal SHA-256 {record.hash}.",
    )


def again(setting: Setting, options: Mapping[str, Any]) -> str:
    """The command that asks the same questions again; for an agent without a name, the call in Python."""
    spec, budget = str(options.get("agent") or ""), options.get("budget")
    if not spec:
        given: dict[str, object] = {"strategy": setting.strategy, "seed": setting.seed}
        given |= {"start": setting.profile.start.value, "new_objects": setting.profile.new_objects}
        given |= {"max_plan": setting.max_plan, "budget": budget}
        given |= {"equality": True} if setting.equality else {}
        given |= {"traces": options.get("traces"), "never": setting.never or None}
        told = ", ".join(f"{name}={value!r}" for name, value in given.items() if value is not None)
        return f"assay.assess(agent, {told})"
    words = ["assay", "run", spec, "--strategy", setting.strategy, "--seed", str(setting.seed)]
    if setting.profile.start is not Start.ANY:
        words += ["--start", setting.profile.start.value]
    if not setting.profile.new_objects:
        words.append("--own-objects")
    if setting.max_plan is not None:
        words += ["--max-plan", str(setting.max_plan)]
    if setting.equality:
        words.append("--equality")
    if setting.planner != "builtin":
        words += ["--planner", setting.planner]
    if options.get("traces"):
        words += ["--traces", str(options["traces"])]
    if setting.never:
        words += ["--never", setting.never]
    if budget is not None:
        words += ["--budget", str(budget)]
    return shlex.join(words)
