"""What proves the seams of assay from outside: strategies and worlds that register like anybody's.

Nothing in `assay` imports this package; it is found by entry points.
"""
