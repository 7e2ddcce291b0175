"""The recount: does a journal show what the certificate says of `model.pddl`?

- `questions`: the journal, read by the checker's own reader; `facts`: states as sets of facts
- `foretelling`: what the model says of each step; `evidence` compares it with the answers
- `features`: what a state shows of a step; `logic`: which conjunctions of features there can be
- `coverage`: patterns covered by runs and refusals; `levels`: what each strength asks for
- `surroundings`: what was around a step; `others` counts how it was varied
- `equivalence`: terms of the certificate against the precondition of the model (`quantifiers`)
- `terms`: terms derived from a precondition, where there is no certificate
- `claims`, `realised`, `contradiction`: what is claimed of one action; `verdict`: of the whole
- `folder`, `report`, `words`: the files, and the verdict in sentences
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
