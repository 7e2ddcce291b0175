"""Why, why not, what if: a model read as a dynamic causal decision network (DCDN section 5.2)."""
