"""Vocabulary files: plain Python, in which annotations name types of a world."""
