"""What commands are tried on, and what they leave behind."""

from __future__ import annotations

import json
from importlib.resources import files

DOMAINS = files("assay.bench") / "domains"
DELIVERY = f"pddl:{DOMAINS / 'delivery.pddl'},{DOMAINS / 'delivery-problem.pddl'}"


def summary(folder):
    return json.loads((folder / "summary.json").read_text())
