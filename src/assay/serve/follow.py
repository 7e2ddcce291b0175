"""A journal that may still be growing, read as far as it goes; nothing is learned from it here.

Only complete lines are read, each once and with its hash checked; a torn last line is the run's business, and
is read when it is whole. A journal that was replaced by another is read from the start. Little is kept: how
often each action ran and was refused, and the last answer.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from pathlib import Path

from assay.core.query import PlanResponse
from assay.core.setting import Setting
from assay.errors import InputError, JournalError
from assay.store.chain import decode
from assay.store.journal import Entry, check_form, entry_from_dict, entry_to_dict

_TAIL = len(b',"hash":"') + 64 + len(b'"}')


class Follower:
    """One journal. Use it under its lock."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, threading.Lock()
        self._restart()

    def _restart(self) -> None:
        self._offset, self._inode, self.hash = 0, -1, ""
        self._setting: Setting | None = None
        self.last: Entry | None = None
        self.entries = self.questions = 0
        self.ran: Counter[str] = Counter()
        """By action, how often it ran."""
        self.refused: Counter[str] = Counter()

    @property
    def setting(self) -> Setting:
        assert self._setting is not None  # `refresh` raises before this can be
        return self._setting

    def refresh(self) -> bool:
        """Take in what was written since; whether there was anything."""
        try:
            with self.path.open("rb") as stream:
                inode = self.path.stat().st_ino
                size = stream.seek(0, 2)
                if inode != self._inode or size < self._offset:
                    self._restart()
                    self._inode = inode
                stream.seek(self._offset)
                complete = stream.read().split(b"\n")[:-1]
        except OSError as error:
            raise JournalError(f"the journal cannot be read: {error.strerror}") from error
        for line in complete:
            try:
                self._take(line)
            except JournalError:
                self._restart()
                raise
            self._offset += len(line) + 1
        if self._setting is None:
            raise JournalError("the run has only just begun: its journal has no complete first line yet")
        return bool(complete)

    def silent_seconds(self) -> float:
        """How long ago the last answer was written."""
        try:
            return max(0.0, time.time() - self.path.stat().st_mtime)
        except OSError:
            return 0.0

    def _take(self, line: bytes) -> None:
        place = 1 if self._setting is None else self.entries + 2
        stated = line[-66:-2].decode(errors="replace")
        if hashlib.sha256(self.hash.encode() + line[:-_TAIL] + b"}").hexdigest() != stated:
            raise JournalError(f"journal, line {place}: the hash does not match; the journal was edited")
        try:
            data = decode(line[:-_TAIL] + b"}")
            if self._setting is None:
                self._setting = Setting.from_dict(data)
                check_form(data, self._setting.to_dict())
            elif "policy" in data:
                raise InputError("this is an assessment with chance; its report.html shows what was found")
            else:
                entry = entry_from_dict(data, self.setting.universe, place - 1, apart=True)
                check_form(data, entry_to_dict(entry))
                self._count(entry)
        except (InputError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise JournalError(f"journal, line {place}: {error}") from error
        self.hash = stated

    def _count(self, entry: Entry) -> None:
        self.last = entry
        self.entries += 1
        self.questions += not entry.logged
        if isinstance(entry.response, PlanResponse):
            plan, steps = entry.query.plan, entry.response.steps
            self.ran.update(s.action for s in plan[:steps])
            self.refused.update(s.action for s in plan[steps : steps + 1])
