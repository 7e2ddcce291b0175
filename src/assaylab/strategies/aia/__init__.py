"""The agent interrogation algorithm of AIA-21 (Algorithms 1 and 2; DCDN section 4), in a form that works.

Slots (pal tuples) are refined one by one in a seeded order. For each pair of modes a slot may still have,
a plan is sought that the two models, otherwise equal, answer differently; the agent is asked; what its
answer rules out goes. Taken literally the published text loops, or loses the right model. What was
repaired, and why:

- *Consistency* (AIA-21 Def. 4, DCDN Def. 7) asks that the agent run the whole plan and that a model's
  final state be contained in the agent's. A required literal differs from an absent one only where it is
  violated; there the agent stops and both models count as inconsistent, so no precondition is ever
  found. And containment compares atoms that have nothing to do with the slot. Here a precondition slot is
  judged by whether the last step ran, an effect slot by its own ground atom, both signs, and only where
  its value before is known.
- *Prunability* (Def. 5, Def. 8) is kept: a model goes only if the agent ran the plan and the other model
  agrees. A refusal prunes nothing. It is kept as a clause, "one of these literals is required", because
  the product of the modes per slot would contain models that were refuted.
- *p_u* (section 3.2): see `assay.planning.distinguish`.
- *update_pal_ordering* (section 3.4) is printed the wrong way round: if adding an atom to the state of a
  refusal leaves the action refused, nothing follows. Here it starts from a state in which the action
  runs, and changes it towards the refusal one undecided atom at a time: refused means required, with the
  sign the atom had; run means not required. It stops when the refusal is explained. Negative
  preconditions need no case of their own. It is called when a step was refused, not whenever nothing was
  pruned: without a refusal there is nothing to learn from.
- *Control flow*: line 16 of Algorithm 1 drops a slot for good; here it is queued again. After a refusal
  the next state of S is tried first, if many atoms might be the cause. The same valuation of an action's
  atoms is never asked about twice, nor one whose outcome follows from what is known.
- *S* has no state for some actions to run in. Such an action is parked until the others are settled and
  S has grown by walks through settled actions; in the end it is reported as never executed.
- *Equivalent models*: an effect that the precondition makes void counts as absent (AIA-20 section 2.2).
- Steps never bind two parameters to one object, or one to a constant: what happens there cannot be told
  slot by slot.

S is what the agent offers, what its answers lead to, and for each action the state in which all of its
atoms are true. With fewer rights than `start any` nothing is edited: only plans from S are asked, and
what they cannot tell apart stays open. The run ends when every slot is decided or a pass over the queue
changes nothing. Constraints of equality are not asked about.
"""

from __future__ import annotations

from assaylab.strategies.aia.strategy import AIA

__all__ = ["AIA"]
