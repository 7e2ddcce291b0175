"""What is settled, what is open, and which answers settled it."""
