"""PDDL and PPDDL text to and from the core types."""

from assay.pddl.reader import Problem, read_domain, read_ppddl, read_problem, read_vocabulary
from assay.pddl.writer import write_domain, write_problem

__all__ = [
    "Problem",
    "read_domain",
    "read_ppddl",
    "read_problem",
    "read_vocabulary",
    "write_domain",
    "write_problem",
]
