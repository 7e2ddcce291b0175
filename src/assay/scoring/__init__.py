"""How far a learned model is from the truth, for those who know it: benchmarks and `assay score`."""
