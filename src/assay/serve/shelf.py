"""Which result folders there are, and the only way from a name in a request to a file.

A name is looked up among the folders that exist, never joined to a path as it came, so `..` in any
spelling is just a name that nothing has. Links are followed only if they stay below the folder served.
"""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError
from assay.report.content import CONTENT
from assay.store.folder import (
    CAPABILITIES,
    CERTIFICATE,
    CHANCE_MODEL,
    DESCRIPTION,
    JOURNAL,
    MODEL,
    REACHES,
    RUN,
    SUMMARY,
    TIMINGS,
)
from assay.store.plain import check_folder

REPORT = "report.html"
PROBLEM = "problem.pddl"
JOURNALS = (JOURNAL, REACHES)
FILES = (
    *(MODEL, CHANCE_MODEL, CAPABILITIES, DESCRIPTION, SUMMARY, CERTIFICATE),
    *JOURNALS,
    *(PROBLEM, TIMINGS, RUN, REPORT, CONTENT),
)
"""What may be downloaded from a result folder."""

MOST = 1000
"""So many result folders are listed."""


class Missing(InputError):
    """There is nothing of that name below the folder served."""


class Shelf:
    """A result folder, or a folder of them."""

    def __init__(self, root: Path) -> None:
        try:
            self.root = root.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise InputError(f"{root}: there is no such folder") from error
        if not self.root.is_dir():
            raise InputError(f"{root} is a file; give a result folder, or a folder of result folders")

    @property
    def single(self) -> bool:
        """Whether the folder served is itself a result folder."""
        return self._holds_a_run(self.root)

    @property
    def title(self) -> str:
        return self.root.name or "results"

    def names(self) -> list[str]:
        """The result folders, by name."""
        if self.single:
            return [self.title]
        try:
            found = sorted(p.name for p in self.root.iterdir() if self._holds_a_run(p))
        except OSError as error:
            raise InputError(f"the folder cannot be listed: {error.strerror}") from error
        return found[:MOST]

    def folder(self, name: str) -> Path:
        """The result folder of that name."""
        if name not in self.names():
            raise Missing("There is no result folder of that name here.")
        return self.root if self.single else self.root / name

    def file(self, name: str, file: str) -> Path:
        """A file of a result folder that is known to be one of ours and to lie below the folder served."""
        folder = self.folder(name)
        if file not in FILES:
            raise Missing("There is no such file in a result folder.")
        path = folder / file
        if not self._inside(path) or not path.is_file():
            raise Missing(f"This result folder has no {file}.")
        return path

    def journal(self, name: str) -> Path:
        """The journal of a result folder, whatever it is about."""
        return next(path for file in JOURNALS if (path := self.folder(name) / file).is_file())

    def _holds_a_run(self, path: Path) -> bool:
        try:
            path.name.encode()  # a name that is not text cannot be asked for
            return path.is_dir() and any((path / j).is_file() for j in JOURNALS) and self._sealed(path)
        except (OSError, UnicodeEncodeError):
            return False

    def _sealed(self, folder: Path) -> bool:
        """Whether nothing that is read for a folder lies elsewhere: whoever asks may not be who linked."""
        try:
            check_folder(folder)
        except InputError:
            return False
        return self._inside(folder)

    def _inside(self, path: Path) -> bool:
        try:
            return path.resolve(strict=True).is_relative_to(self.root)
        except (OSError, RuntimeError):
            return False
