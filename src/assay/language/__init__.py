"""English for symbols, formulas, effects, questions and claims; no word is guessed from a name."""
