"""The independent checker: counts again, from the journal alone, what a result claims.

`recount` is the check of deterministic models (`coverage` needs no certificate); `chance` and `capabilities`
check the other kinds of result. None of them shares code with what it checks.
"""
