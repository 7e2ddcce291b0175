"""The published algorithms as strategies."""
