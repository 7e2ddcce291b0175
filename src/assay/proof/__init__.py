"""The independent checker: re-derives every claim from the journal, sharing no code with the learner.

`prove` says whether a model is the only one, up to equivalence, that gives the answers, and if not, which
literals are in doubt; `reachable_verdict` whether an agent that only acts could ever show a difference. If
no model gives the answers, `smallest_contradiction` finds those at fault and `explain_contradiction` tells
what is wrong with them. `verify_folder` checks a result folder and its certificate; `replay` asks the
agent again.
"""

from assay.proof.acting import ActingVerdict, Limits, reachable_verdict
from assay.proof.certificate import Certificate, Claim, read_certificate, write_certificate
from assay.proof.contradiction import Conflict, smallest_contradiction
from assay.proof.explanation import explain_contradiction
from assay.proof.folder import FolderVerdict, verify_folder
from assay.proof.replay import replay
from assay.proof.verdict import Doubt, Verdict, prove

__all__ = [
    "ActingVerdict",
    "Certificate",
    "Claim",
    "Conflict",
    "Doubt",
    "FolderVerdict",
    "Limits",
    "Verdict",
    "explain_contradiction",
    "prove",
    "reachable_verdict",
    "read_certificate",
    "replay",
    "smallest_contradiction",
    "verify_folder",
    "write_certificate",
]
