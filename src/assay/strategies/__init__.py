"""Ways to choose the next question, siblings behind one signature.

A strategy is a generator: it yields a question and is sent the answer, after the answer has been folded
into the knowledge it reads. It holds no agent, and given the same setting, seed and answers it yields the
same questions; that is what makes a journal enough to resume a run.
"""
