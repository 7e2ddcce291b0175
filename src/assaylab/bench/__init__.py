"""Benchmarks of what assay is told about worlds from outside."""
