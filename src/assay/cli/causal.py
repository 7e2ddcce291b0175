"""The commands that ask a model: graph, whatif, why, why-not, causal-check, ask.

Each works on a result folder or on a PDDL domain. Of a folder the journal is read, not the files derived
from it; objects are the agent's, and names that a state or plan mentions besides. Exit codes: 0 answered,
1 the two models of `causal-check` differ, 2 bad usage or bad input, 3 a bound was reached before an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.conventions import DIFFERENT, OK, PARTIAL, JsonOption, errors, plain_folder, print_json
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.causal.ask import Doubt
    from assay.causal.network import Network
    from assay.causal.scope import Scope
    from assay.core.model import Model
    from assay.core.symbols import Atom, Object, Step
    from assay.core.universe import State, Universe
    from assay.report.words import Speaker

TargetArgument = Annotated[
    Path,
    typer.Argument(
        metavar="DIR|MODEL.pddl",
        help="A result folder or a domain.",
        show_default=False,
        callback=plain_folder,
    ),
]
StateOption = Annotated[
    str | None,
    typer.Option(
        metavar="ATOMS|FILE",
        help='What holds at the start, "(power) (on l1)", or a file of atoms, or a PDDL problem.',
        show_default="the first situation that the agent offered",
    ),
]
PlanOption = Annotated[
    str, typer.Option(metavar="STEPS|FILE", help='"(load p1 t1 l1) (drive t1 l1 l2)", or a file of steps.')
]
OutcomesOption = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS", help='For models with chance: which outcome occurred at each step, "1 2 1".'
    ),
]


def add_commands(app: typer.Typer) -> None:
    app.command()(graph)
    app.command()(whatif)
    app.command()(why)
    app.command("why-not")(why_not)
    app.command("causal-check")(causal_check)
    app.command()(ask)


def graph(
    target: TargetArgument,
    action: Annotated[str, typer.Option(help="The action to draw.")],
    out: Annotated[Path | None, typer.Option(help="Write the SVG here.", show_default="printed")] = None,
    json: JsonOption = False,
) -> None:
    """Draw the causal network of an action: what it needs, the decision, what it changes (SVG)."""
    from assay.causal.draw import draw

    with errors(json):
        subject = load_warned(target)
        svg = draw(subject.model, action, subject.speaker)
        if out is not None:
            try:
                out.write_text(svg, encoding="utf-8")
            except OSError as error:
                raise InputError(f"cannot write {out}: {error.strerror}") from error
        if json:
            print_json({"action": action, "file": str(out) if out else None, "svg": svg})
        else:
            typer.echo(f"{out} written" if out else svg, nl=out is not None)


def whatif(
    target: TargetArgument,
    plan: PlanOption,
    do: Annotated[
        list[str],
        typer.Option(
            metavar="CHANGE", help='"not (open door1) at 2", "(on l1) at 0", "not step 2"; repeatable.'
        ),
    ],
    state: StateOption = None,
    outcomes: OutcomesOption = None,
    json: JsonOption = False,
) -> None:
    """Set facts or decisions at a time, whatever caused them, and see what would have been different."""
    from assay.causal.reading import read_intervention
    from assay.causal.whatif import resolve, what_if

    with errors(json):
        subject = load_warned(target)
        settings = [read_intervention(text, subject.model.vocabulary.action) for text in do]
        atoms = [s.literal.atom for s in settings if s.literal is not None]
        network = subject.network(state, plan, atoms, outcomes)
        found = what_if(network, resolve(network, settings))
        _show(found.to_dict(), found.lines(subject.speaker), json)


def why(
    target: TargetArgument,
    plan: PlanOption,
    fact: Annotated[str, typer.Option(help='"(in p1 t1)" or "not (in p1 t1)".')],
    state: StateOption = None,
    at: Annotated[int | None, typer.Option(help="The time asked about.", show_default="the end")] = None,
    limit: Annotated[int, typer.Option(help="So many causes at most.", min=1)] = 100,
    seconds: Annotated[float, typer.Option(help="Time to search.", min=0)] = 30.0,
    outcomes: OutcomesOption = None,
    json: JsonOption = False,
) -> None:
    """The actual causes of a fact after a plan: facts at times and decisions, smallest first."""
    from assay.causal.reading import read_literal
    from assay.causal.why import why as find

    with errors(json):
        subject = load_warned(target)
        literal = read_literal(fact)
        network = subject.network(state, plan, [literal.atom], outcomes)
        found = find(network, literal, at, limit, seconds)
        _show(found.to_dict(), found.lines(subject.speaker), json)
        raise typer.Exit(PARTIAL if found.gave_up else OK)


def why_not(
    target: TargetArgument,
    plan: PlanOption = "",
    fact: Annotated[str | None, typer.Option(help='The fact that does not hold, "(in p1 t1)".')] = None,
    action: Annotated[
        str | None, typer.Option(help='The step that could not be taken, "(load p1 t1 l1)".')
    ] = None,
    state: StateOption = None,
    limit: Annotated[int, typer.Option(help="So many changes of the start at most.", min=1)] = 10,
    max_states: Annotated[int, typer.Option(help="States to look at for a changed plan.", min=1)] = 100_000,
    seconds: Annotated[float, typer.Option(help="Time to look for a changed plan.", min=0)] = 10.0,
    json: JsonOption = False,
) -> None:
    """The smallest changes of the start or of the plan that would have made it so.

    Ask about a fact or an action; with neither, about the step at which the plan stopped.
    """
    from assay.causal.reading import read_literals, read_plan
    from assay.causal.why_not import why_not as find

    with errors(json):
        if fact is not None and action is not None:
            raise InputError("ask about a fact or about an action, not both")
        subject = load_warned(target)
        goal = read_literals(fact) if fact is not None else []
        asked = read_plan(action) if action is not None else []
        if action is not None and len(asked) != 1:
            raise InputError(f"{action!r}: one step is wanted here, not {len(asked)}")
        steps = read_plan(_content(plan))
        start = subject.start(state, [a for a, _ in goal], [*steps, *asked])
        found = find(
            subject.model,
            start,
            steps,
            goal=goal,
            step=asked[0] if asked else None,
            limit=limit,
            max_states=max_states,
            seconds=seconds,
            scope=subject.scope,
        )
        _show(found.to_dict(), found.lines(subject.speaker), json)


def causal_check(
    first: TargetArgument,
    second: TargetArgument,
    equality: Annotated[
        bool, typer.Option("--equality", help="Also compare which parameters must be different things.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Whether two models imply the same causal relations; if not, a smallest one that differs."""
    from assay.causal.soundness import compare

    with errors(json):
        one, two = load_warned(first), load_warned(second)
        verdict = compare(one.model, two.model, equality)
        _show(verdict.to_dict(), verdict.lines(one.speaker, two.speaker), json)
        raise typer.Exit(OK if verdict.same else DIFFERENT)


def ask(
    target: TargetArgument,
    question: Annotated[
        str, typer.Argument(help='"can (at p1 l2) hold from this state"', show_default=False)
    ],
    state: StateOption = None,
    max_states: Annotated[int, typer.Option(help="States to look at.", min=1)] = 200_000,
    seconds: Annotated[float, typer.Option(help="Time to search.", min=0)] = 30.0,
    json: JsonOption = False,
) -> None:
    """Can it ever: a shortest plan on the model, or the proof that there is none."""
    from assay.causal.ask import ask as find
    from assay.causal.ask import read_question

    with errors(json):
        subject = load(target)
        goal, atoms = read_question(question)
        start = subject.start(state, [a for a, _ in goal], (), atoms)
        doubts, never_ran = subject.doubts, subject.never_ran
        if tuple(sorted(start)) not in subject.offered:
            doubts = (*doubts, *subject.beyond) if doubts is not None else None
            never_ran += subject.idle
        found = find(
            subject.model,
            start,
            goal,
            doubts=doubts,
            never_ran=never_ran,
            max_states=max_states,
            seconds=seconds,
            scope=subject.scope,
        )
        _show(found.to_dict(), found.lines(subject.speaker), json)
        raise typer.Exit(OK if found.possible is not None else PARTIAL)


@dataclass(frozen=True)
class Subject:
    """A model to be asked, and what is known about it."""

    model: Model
    objects: tuple[Object, ...] = ()
    offered: tuple[tuple[Atom, ...], ...] = ()
    """Situations that the agent offered, most typical first."""
    doubts: tuple[Doubt, ...] | None = None
    """What is open, if the model was learned."""
    never_ran: tuple[str, ...] = ()
    beyond: tuple[Doubt, ...] = ()
    """What is proved to make no difference within reach of the agent, and may make one elsewhere."""
    idle: tuple[str, ...] = ()
    """Actions that never ran, and are proved to be refused within reach."""
    scope: Scope | None = None
    """Of which steps the model speaks, if it was learned."""

    @property
    def speaker(self) -> Speaker:
        from assay.report.words import Speaker

        return Speaker(self.model.vocabulary, self.model)

    def start(
        self,
        state: str | None,
        mention: Sequence[Atom] = (),
        steps: Sequence[Step] = (),
        spelled: Sequence[Atom] | None = None,
    ) -> State:
        """The state to start from, in a universe that knows everything mentioned."""
        from assay.causal.reading import introduce
        from assay.causal.scope import OTHER_STEPS
        from assay.core.universe import Universe

        universe = Universe(self.model.vocabulary, self.objects)
        if spelled is not None:
            if state is not None:
                raise InputError("the start is given twice, in the question and as --state")
            atoms = list(spelled)
        elif state is not None:
            atoms = _read_start(state, universe)
        elif self.offered:
            atoms = list(self.offered[0])
        else:
            raise InputError("say where to start: --state '(power) (on l1)'")
        facts = introduce(universe, [*atoms, *mention], list(steps))
        made_up = [f"{o.name} ({o.type})" for o in universe.objects if o.name not in universe.own]
        if self.objects and made_up:
            typer.echo(f"Not among the agent's objects, taken as new: {', '.join(made_up)}.", err=True)
        if self.scope and (others := [str(s) for s in steps if not self.scope.covers(universe, s)]):
            told = ", ".join(dict.fromkeys(others))
            typer.echo(f"The model does not speak of {OTHER_STEPS}: what {told} does is supposed.", err=True)
        return universe.state(a for a in atoms if a in facts)

    def network(self, state: str | None, plan: str, mention: Sequence[Atom], outcomes: str | None) -> Network:
        from assay.causal.network import unroll
        from assay.causal.reading import read_plan

        steps = read_plan(_content(plan))
        start = self.start(state, mention, steps)
        return unroll(self.model, start, steps, outcomes=_numbers(outcomes), mention=mention)


def load_warned(target: Path) -> Subject:
    """The same as `load`, for questions whose answers do not say themselves what they rest on."""
    from assay.core.quantity import count

    subject = load(target)
    doubts, missing = len(subject.doubts or ()), len(subject.never_ran)
    left = [f"{count(doubts, 'point')} open"] if doubts else []
    left += [f"{count(missing, 'action')} never seen to run"] if missing else []
    if left:
        typer.echo(
            f"The model of {target} is not complete: {', '.join(left)}. It is taken as it is.", err=True
        )
    return subject


def load(target: Path) -> Subject:
    """A result folder, by its journal, or a PDDL domain."""
    if not target.is_dir():
        from assay.pddl.reader import read_ppddl

        return Subject(read_ppddl(_text(target), target.name))
    from assay.causal.ask import Doubt
    from assay.causal.scope import Scope
    from assay.knowledge.dossier import Part, Status
    from assay.knowledge.knowledge import Knowledge
    from assay.report.reach import claims_within_reach, known_certificate, recall
    from assay.store.folder import CAPABILITIES, CERTIFICATE, CHANCE_MODEL, JOURNAL, MODEL
    from assay.store.journal import read

    if (target / CAPABILITIES).exists():
        raise InputError(f"{target} is about an agent that presses keys: give its {target / MODEL}")
    record = read(target / JOURNAL)
    if record.setting.aims is not None:
        raise InputError(f"{target} is about an agent with chance: give its {target / CHANCE_MODEL}")
    knowledge = Knowledge(record.setting)
    for entry in record.entries:
        knowledge.learn(entry.query, entry.response, entry.states)
    recall(knowledge, known_certificate(target / CERTIFICATE), record.hash)
    model = knowledge.model()
    doubts = {
        status: tuple(
            Doubt(c.action, c.atom, c.part is Part.EFFECT, c.modes)
            for c in claims
            if c.status is status and c.action in model.action
        )
        for status, claims in (
            (Status.OPEN, knowledge.claims()),
            (Status.INDISTINGUISHABLE, claims_within_reach(knowledge)),
        )
    }
    return Subject(
        model,
        record.setting.profile.objects,
        tuple(tuple(sorted(s)) for s in record.setting.offered),
        doubts[Status.OPEN],
        tuple(name for name, d in knowledge.dossiers.items() if not (d.ran or d.never_runs)),
        doubts[Status.INDISTINGUISHABLE],
        tuple(name for name, d in knowledge.dossiers.items() if d.idle and not d.impossible),
        scope=Scope(record.setting.profile.free_arguments, record.setting.equality),
    )


def _read_start(text: str, universe: Universe) -> list[Atom]:
    """Atoms, or a file of them, or a problem, whose objects are added."""
    from assay.causal.reading import read_state
    from assay.pddl.reader import read_problem

    content = _content(text)
    if "(define" not in content:
        return read_state(content)
    problem = read_problem(content, universe.vocabulary, text)
    for thing in problem.objects:
        universe.add(thing)
    return sorted(problem.initial)


def _content(text: str) -> str:
    """What is typed, or what is in the file that is named."""
    return text if "(" in text or not text.strip() else _text(Path(text))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a text file") from error


def _numbers(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(word) for word in text.split()]
    except ValueError:
        raise InputError(f"outcomes {text!r}: write one number per step, for example '1 2 1'") from None


def _show(data: dict[str, Any], lines: Sequence[str], json: bool) -> None:
    if json:
        print_json(data)
    else:
        typer.echo("\n".join(lines))
