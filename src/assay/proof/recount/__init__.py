"""The recount: does a journal show what the certificate says of `model.pddl`?

questions     the journal, read by the checker's own reader
facts         states as sets of facts
foretelling   what the model says of each step; `evidence` compares it with the answers
features      what a state shows of a step; `logic`: which conjunctions of features there can be
coverage      patterns covered by runs and refusals; `levels`: what each strength asks for
equivalence   terms of the certificate against the precondition of the model
terms         terms derived from a precondition, where there is no certificate
claims, verdict, words, folder    the certificate's claims one by one, the whole, in sentences, on disk
"""

from assay.proof.recount.certificate import (
    ActionClaim,
    Certificate,
    NotRealised,
    OtherClaim,
    encode_certificate,
    read_certificate,
)
from assay.proof.recount.claims import ActionVerdict
from assay.proof.recount.coverage import Class
from assay.proof.recount.levels import LEVELS
from assay.proof.recount.questions import Journal, read_questions
from assay.proof.recount.verdict import Verdict, coverage, recount

__all__ = [
    "LEVELS",
    "ActionClaim",
    "ActionVerdict",
    "Certificate",
    "Class",
    "Journal",
    "NotRealised",
    "OtherClaim",
    "Verdict",
    "coverage",
    "encode_certificate",
    "read_certificate",
    "read_questions",
    "recount",
]
