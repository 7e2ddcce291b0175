"""How far a "never" or a "cannot" reaches: a model found by questions is as sure as its certificate."""

from __future__ import annotations


def limit_sentence(strength: int | None) -> str:
    """The sentence that names what an impossibility rests on: without a certificate, the model as given."""
    return f"That is so {'of this model' if strength is None else f'as far as strength {strength} tells'}."
