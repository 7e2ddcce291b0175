"""The nouns of the field: symbols, vocabulary, universe, state, model, query.

Frozen types made of tuples, frozensets and ints; they import nothing of ours but the error tree.
"""
