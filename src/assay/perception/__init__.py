"""From low-level states to atoms: predicates that look at what a simulator's state really is."""
