"""The fold of a journal that may still be growing.

Only complete lines are read, each once and with its hash checked; a torn last line is the run's business,
and is read when it is whole. A journal that was replaced by another is read from the start.
What was proved when a run ended is taken from the certificate beside the journal.
"""

from __future__ import annotations

import hashlib
import threading
import time
from pathlib import Path

from assay.core.setting import Setting
from assay.errors import InputError, JournalError
from assay.knowledge.knowledge import Knowledge
from assay.report.fold import Fold
from assay.report.reach import known_certificate
from assay.store.chain import decode
from assay.store.folder import CERTIFICATE
from assay.store.journal import check_form, entry_from_dict, entry_to_dict

_TAIL = len(b',"hash":"') + 64 + len(b'"}')


class Follower:
    """One journal, read as far as it goes. Use it under its lock."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, threading.Lock()
        self._restart()

    def _restart(self) -> None:
        self._offset, self._inode, self.hash = 0, -1, ""
        self._fold: Fold | None = None
        self._recalled = ""

    @property
    def fold(self) -> Fold:
        assert self._fold is not None  # `refresh` raises before this can be
        return self._fold

    @property
    def setting(self) -> Setting:
        return self.fold.setting

    @property
    def knowledge(self) -> Knowledge:
        return self.fold.knowledge

    @property
    def questions(self) -> int:
        return self.fold.questions

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
        if self._fold is None:
            raise JournalError("the run has only just begun: its journal has no complete first line yet")
        return bool(complete) | self._recall()

    def _recall(self) -> bool:
        """Take over what was proved when the run ended; whether that is news."""
        certificate = self.path.with_name(CERTIFICATE)
        try:
            mark = f"{self.hash} {certificate.stat().st_mtime_ns}"
        except OSError:
            return False
        if mark == self._recalled:
            return False
        self._recalled = mark
        self.fold.recall(known_certificate(certificate), self.hash)
        return True

    def silent_seconds(self) -> float:
        """How long ago the last answer was written."""
        try:
            return max(0.0, time.time() - self.path.stat().st_mtime)
        except OSError:
            return 0.0

    def _take(self, line: bytes) -> None:
        place = 1 if self._fold is None else len(self._fold.entries) + 2
        stated = line[-66:-2].decode(errors="replace")
        if hashlib.sha256(self.hash.encode() + line[:-_TAIL] + b"}").hexdigest() != stated:
            raise JournalError(f"journal, line {place}: the hash does not match; the journal was edited")
        try:
            data = decode(line[:-_TAIL] + b"}")
            if self._fold is None:
                self._fold = Fold(Setting.from_dict(data))
                check_form(data, self._fold.setting.to_dict())
            elif "policy" in data:
                raise InputError("this is an assessment with chance; its report.html shows what was found")
            else:
                entry = entry_from_dict(data, self.setting.universe, place - 1)
                check_form(data, entry_to_dict(entry))
                self._fold.take(entry)
        except (InputError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise JournalError(f"journal, line {place}: {error}") from error
        self.hash = stated
