"""Grounded tasks, search, and the reduction "two abstract models -> a task whose plan separates them"."""
