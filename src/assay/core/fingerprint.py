"""What a journal was begun with, as hashes in its first line: the agent's hello, and how it was opened.

Whoever relabels a folder has to make its journal anew; the chain of hashes gives everything else away.
"""

from __future__ import annotations

import hashlib
import json

from assay.core.query import Profile


def hello_fingerprint(profile: Profile, stochastic: bool = False) -> str:
    """A hash of all that the agent declares but the situations that it offers, which may be drawn anew."""
    declared = {
        "vocabulary": profile.vocabulary.to_dict(),
        "objects": {o.name: o.type for o in profile.objects},
        "start": profile.start.value,
        "new_objects": profile.new_objects,
        "free_arguments": profile.free_declared,
        "walks": profile.walks,
        "stochastic": stochastic,
    }
    return hashlib.sha256(json.dumps(declared).encode()).hexdigest()


def spec_fingerprint(spec: str) -> str:
    """A hash of how the agent was opened; nothing, if it was not opened by name."""
    return hashlib.sha256(spec.encode(errors="surrogatepass")).hexdigest() if spec else ""
