"""Plain STRIPS domains to be interrogated: the bundled ones, and those in the wheel of a peers' benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from assay.bench import peers_files
from assay.bench.problems import DOMAINS, EXTRA, load
from assay.core.model import Model
from assay.errors import InputError
from assay.pddl.reader import Problem

PEERS = "amlgym:"
"""Before the names of domains from the peers' wheel."""


def known_domains() -> tuple[str, ...]:
    """The ten of AIA-21 Table 1, then the others bundled, then the peers' where their wheel is installed."""
    peers = peers_files.DOMAINS if peers_files.installed() else ()
    return (*DOMAINS, *EXTRA, *(PEERS + name for name in peers))


def domains_named(names: Sequence[str]) -> list[str]:
    """These, or all if none is named."""
    every = known_domains()
    if unknown := [name for name in names if name not in every]:
        raise InputError(f"unknown domain {unknown[0]!r}; there are {', '.join(every)}")
    return list(names) or list(every)


def subject(domain: str, size: int, seed: int) -> tuple[Model, Problem]:
    """A problem of this size, from 1 to 10; of the peers' domains the problem with this number."""
    if not domain.startswith(PEERS):
        return load(domain, size, seed)
    found = peers_files.instance(domain.removeprefix(PEERS), size - 1)
    return found.model, found.problem
