"""Stochastic agents: how near the truth each learner comes with how many samples (QACE section 6)."""
