"""Learning by asking: strategies choose questions, and hypotheses say what the answers so far amount to.

One learner per action generates *probes*, single steps tried in situations of its choosing (`action`). It knows
nothing of questions: `packing` puts the probes of all actions into as few questions as possible, and
`interrogation` asks them and hands the answers out.
"""
