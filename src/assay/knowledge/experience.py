"""Experience: the fold of the answers of an agent with chance.

Two things are kept of every capability. Whether it runs is certain in each state, so passes and refusals
narrow the version space of its precondition as they do for a deterministic agent, and what is concluded
there is proved. What it leads to is a matter of chance: runs are counted, by the values of its lifted atoms
before and after (QACE section 3: an outcome changes nothing else). Beside that every distinct transition of
the agent is kept with its count, for whoever wants to see whole states.

Nothing is raised for answers that fit no model. They are findings: a capability that was refused where it had
run, as far as the vocabulary can tell (Theorem 1), or that changed what is none of its atoms.

An agent may not show that it refused: then a step that changed nothing was refused, or ran without effect. It
ran if the precondition is known to hold there, or if it ever changed anything under the same valuation. After
`patience` runs without any change it is taken to be refused, because a capability that runs would have
changed something in one of them but for a chance of `ERROR`. That is no proof, and is not called one. As long
as a capability was never seen to change anything, nothing is concluded: what it does may be so already.

Executions that bind two parameters to one object, or a parameter to a constant, are counted and otherwise
left alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import ceil, log

from assay.core.policy import PolicyQuery, PolicyResponse, Transition
from assay.core.query import Invalid
from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State
from assay.errors import Contradiction
from assay.knowledge.dossier import Claim, Dossier, Part
from assay.knowledge.intervals import interval
from assay.knowledge.knowledge import Knowledge
from assay.knowledge.outcomes import fit, outcomes

ERROR = 0.001
"""Chance of taking a step for refused that ran without effect, where refusals are hidden."""
LEAST, MOST = 0.5, 0.95
"""The chance that a run changes nothing: of a capability of which nothing is known, to say when to look
elsewhere, and the largest that is reckoned with."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer that no model over the vocabulary gives."""

    action: str
    kind: str
    """`refusal`: refused where it had run, or the converse; `scope`: it changed what is none of its atoms."""
    entries: tuple[int, ...]
    """Questions that show it."""
    transition: Transition


@dataclass(slots=True)
class Capability:
    """What is known of one capability."""

    dossier: Dossier
    """Its precondition; the effects in there are those of what it did first, and no claim."""
    runs: dict[int, Counter[int]] = field(default_factory=dict)
    """How often each valuation of its lifted atoms followed upon each; slots are numbered as in `Dossier`."""
    refusals: Counter[int] = field(default_factory=Counter)
    """How often it was refused under each valuation."""
    ran_at: dict[int, int] = field(default_factory=dict)
    refused_at: dict[int, int] = field(default_factory=dict)
    """The question in which it first ran, or was first refused, under a valuation."""
    first_seen: dict[tuple[int, int], int] = field(default_factory=dict)
    """The question that first showed a change from one valuation to another."""
    unclear: Counter[int] = field(default_factory=Counter)
    """Where refusals are hidden: executions without change of which it is not known whether they ran."""
    contradicted: bool = False
    """Whether runs and refusals fit no precondition: then none of them is concluded from any more."""
    tries: int = 0
    """Executions that ran."""

    @property
    def refused(self) -> int:
        return self.refusals.total()

    @property
    def settled(self) -> bool:
        """Whether its precondition is."""
        return self.dossier.ran and not self.contradicted and not self.dossier.open_needs

    def claims(self) -> list[Claim]:
        """How each literal of its precondition stands."""
        return [claim for claim in self.dossier.claims() if claim.part is Part.PRECONDITION]


class Experience:
    def __init__(self, setting: Setting) -> None:
        self.setting, self.universe = setting, setting.universe
        self.vocabulary = setting.profile.vocabulary
        self.needs = Knowledge(setting)
        """The dossiers with the preconditions, as the search for first examples reads them."""
        self.capabilities = {name: Capability(dossier) for name, dossier in self.needs.dossiers.items()}
        self.transitions: dict[tuple[int, Step], Counter[int | None]] = {}
        """How often each state (None: a refusal) followed upon a step in a state, as bits of the universe."""
        self.visited: dict[int, int] = {}
        """States the agent has been in, with the question that first came there; offered ones count as 0."""
        self.rejected: list[PolicyQuery] = []
        """Questions the agent called impossible."""
        self.findings: list[Finding] = []
        self.entries = 0
        self.samples = 0
        """Executions, refused ones included."""
        for state in setting.offered:
            self.visited.setdefault(state.bits, 0)
        self._constants = {c.name for c in self.vocabulary.constants}
        self.shown = setting.aims is None or setting.aims.refusals
        """Whether the agent shows that it refused."""

    def learn(self, query: PolicyQuery, response: PolicyResponse | Invalid) -> None:
        """Take in the next answer."""
        self.entries += 1
        if isinstance(response, Invalid):
            self.rejected.append(query)
            return
        for transition in response.transitions(query):
            self._learn(transition)

    def usable(self, step: Step) -> bool:
        """Whether what happens at the step is evidence about its capability."""
        return self._constants.isdisjoint(step.args) and len(set(step.args)) == len(step.args)

    def valuation(self, bits: int, step: Step) -> int:
        """The values of the capability's lifted atoms in a state, under the step's arguments."""
        found = 0
        for index, position in enumerate(self.universe.positions(step)):
            found |= (bits >> position & 1) << index
        return found

    def evenness(self, action: str) -> float:
        """How likely runs are that go by situation or objects as much, if chance does not (see `fit`)."""
        capability = self.capabilities[action]
        apart: dict[tuple[str, ...], dict[int, Counter[int]]] = {}
        for (bits, step), ends in self.transitions.items():
            if step.action == action and self.usable(step):
                before = self.valuation(bits, step)
                if before in capability.runs:
                    counts = apart.setdefault(step.args, {}).setdefault(before, Counter())
                    for end, count in ends.items():
                        if end is not None:
                            counts[self.valuation(end, step)] += count
        return fit(capability.runs, len(capability.dossier.atoms), apart.values())

    def state(self, valuation: int, step: Step, rest: int = 0) -> State:
        """The state in which the lifted atoms have these values under the step's arguments, else `rest`."""
        bits = rest
        for index, position in enumerate(self.universe.positions(step)):
            bits = bits & ~(1 << position) | (valuation >> index & 1) << position
        return State(self.universe, bits)

    def _learn(self, transition: Transition) -> None:
        self.samples += 1
        before, step, after = transition
        seen = self.transitions.setdefault((before.bits, step), Counter())
        seen[None if after is None else after.bits] += 1
        self.visited.setdefault(before.bits, self.entries)
        if after is not None:
            self.visited.setdefault(after.bits, self.entries)
        if not self.usable(step):
            return
        capability = self.capabilities[step.action]
        values = self.valuation(before.bits, step)
        if after is None:
            self._refused(capability, values, transition)
        elif self.shown or after.bits != before.bits or self._runs_there(capability, values):
            self._ran(capability, values, transition, after)
        else:
            self._unclear(capability, values, transition)

    def _runs_there(self, capability: Capability, values: int) -> bool:
        needs = capability.dossier.precondition
        possible = not (needs.may_true & ~values or needs.may_false & values)
        return values in capability.ran_at or (capability.dossier.ran and possible)

    def _unclear(self, capability: Capability, values: int, transition: Transition) -> None:
        """A step that changed nothing, of an agent that does not show refusals."""
        if values in capability.refused_at:
            capability.refusals[values] += 1
            return
        capability.unclear[values] += 1
        self._judge(capability, values, transition)

    def _judge(self, capability: Capability, values: int, transition: Transition) -> None:
        """Take a valuation for one in which it is refused, if it changed nothing there often enough."""
        patience = self.patience(transition.step.action, values)
        if capability.tries and patience is not None and capability.unclear[values] >= patience:
            self._refused(capability, values, transition)
            capability.refusals[values] += capability.unclear.pop(values) - 1

    def patience(self, action: str, values: int) -> int | None:
        """Executions without change under a valuation after which it is taken for refused; None: no number.

        One is enough if the agent shows that it refuses.
        """
        capability = self.capabilities[action]
        if self.shown or values in capability.refused_at:
            return 1
        quiet = LEAST
        if capability.tries:
            branches = outcomes(capability.runs, len(capability.dossier.atoms)).branches
            still = sum(b.probability for b in branches if b.after(values) == values)
            if still > 1 - ERROR:
                return None
            quiet = min(MOST, interval(round(still * capability.tries), capability.tries, 1 - 2 * ERROR)[1])
        return max(2, ceil(log(ERROR) / log(quiet)))

    def _refused(self, capability: Capability, values: int, transition: Transition) -> None:
        dossier = capability.dossier
        capability.refusals[values] += 1
        if values in capability.refused_at:
            return
        capability.refused_at[values] = self.entries
        if not dossier.ran:
            dossier.tried += 1
        if not capability.contradicted:
            try:
                dossier.precondition.failed(values, self.entries)
            except Contradiction:
                self._contradict(capability, transition)

    def _ran(self, capability: Capability, values: int, transition: Transition, after: State) -> None:
        before, step, _ = transition
        dossier = capability.dossier
        last = self.valuation(after.bits, step)
        if before.bits ^ after.bits != self.state(values ^ last, step).bits:
            self.findings.append(Finding(step.action, "scope", (self.entries,), transition))
        first = not dossier.ran
        dossier.first_run = dossier.first_run or self.entries
        capability.tries += 1
        capability.runs.setdefault(values, Counter())[last] += 1
        capability.first_seen.setdefault((values, last), self.entries)
        if values in capability.ran_at:
            return
        capability.ran_at[values] = self.entries
        if quiet := capability.unclear.pop(values, 0):
            capability.tries += quiet
            capability.runs[values][values] += quiet
            capability.first_seen.setdefault((values, values), self.entries)
        evidence = frozenset({self.entries})
        if first:
            dossier.effects.observe(dossier.atom_mask, values, last, evidence)
        if not capability.contradicted:
            try:
                dossier.precondition.passed((1 << dossier.precondition.size) - 1, values, evidence)
            except Contradiction:
                self._contradict(capability, transition)
        for other in sorted(capability.unclear):
            self._judge(capability, other, transition)

    def _contradict(self, capability: Capability, transition: Transition) -> None:
        """The pair of questions side by side, if one pair shows it; else the last one stands for all."""
        capability.contradicted = True
        values = self.valuation(transition.state.bits, transition.step)
        twin = capability.refused_at.get(values), capability.ran_at.get(values)
        entries = tuple(sorted({n for n in twin if n is not None} | {self.entries}))
        self.findings.append(Finding(transition.step.action, "refusal", entries, transition))
