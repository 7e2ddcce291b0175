"""Adapters that turn something into an agent, and wrappers around agents."""
