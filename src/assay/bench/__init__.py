"""Domains with known truth, problems for them, and measurements."""
