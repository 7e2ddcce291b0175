"""All kinds of hidden agent by name."""

from __future__ import annotations

from assay.testing.hidden.beyond import BEYOND
from assay.testing.hidden.faults import FAULTS
from assay.testing.hidden.invented import INVENTED
from assay.testing.hidden.named import NAMED, Oddity
from assay.testing.hidden.unseen import UNSEEN

__all__ = ["BEYOND", "FAULTS", "INVENTED", "KINDS", "NAMED", "ODDITIES", "OUTSIDE", "UNSEEN"]

ODDITIES: dict[str, Oddity] = {**NAMED, **INVENTED, **UNSEEN, **BEYOND}
"""What is made odd about an action, by kind."""
KINDS = (*NAMED, *INVENTED, *UNSEEN)
"""Kinds that some strength level covers."""
OUTSIDE = (*BEYOND, *FAULTS)
"""Kinds that none does."""
