"""The commands that ask a model: graph, whatif, why, why-not, depends, ask.

Each works on a result folder or on a PDDL domain; objects are the agent's, and names that a state or plan
mentions besides. Exit codes: 0 answered, 2 bad usage or bad input, 3 a bound was reached before an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.causal.variables import Refused
from assay.cli.conventions import OK, PARTIAL, JsonOption, errors, plain_folder, print_json
from assay.errors import InputError

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


RefusedOption = Annotated[
    Refused, typer.Option(help="Whether a step that cannot run ends the plan or is passed over.")
]


def add_commands(app: typer.Typer) -> None:
    app.command()(graph)
    app.command()(whatif)
    app.command()(why)
    app.command("why-not")(why_not)
    app.command()(depends)
    app.command()(ask)


def graph(
    target: TargetArgument,
    action: Annotated[str, typer.Option(help="The action to draw.")],
    out: Annotated[Path | None, typer.Option(help="Write the SVG here.", show_default="printed")] = None,
    json: JsonOption = False,
) -> None:
    """Draw the causal network of an action: what it needs, the decision, what it changes (SVG)."""
    with errors(json):
        from assay.causal.draw import draw
        from assay.cli.inquiry import load_warned

        subject = load_warned(target)
        name = subject.action(action)
        svg = draw(subject.model, name, subject.english)
        if out is not None:
            try:
                out.write_text(svg, encoding="utf-8")
            except OSError as error:
                raise InputError(f"cannot write {out}: {error.strerror}") from error
        if json:
            print_json({"action": name, "file": str(out) if out else None, "svg": svg})
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
    refused: RefusedOption = Refused.STOP,
    outcomes: OutcomesOption = None,
    json: JsonOption = False,
) -> None:
    """Set facts or decisions at a time, whatever caused them, and see what would have been different."""
    with errors(json):
        from assay.causal.whatif import resolve, what_if
        from assay.cli.inquiry import Inquiry, load_warned

        asked = Inquiry(load_warned(target), state)
        settings = [asked.intervention(text) for text in do]
        mention = [s.literal for s in settings if s.literal is not None]
        network = asked.network(plan, mention, refused=refused, outcomes=outcomes)
        found = what_if(network, resolve(network, settings))
        _show(found.to_dict(), found.lines(asked.subject.english), json)


def why(
    target: TargetArgument,
    plan: PlanOption,
    fact: Annotated[
        str,
        typer.Option(help='"(in p1 t1)", or facts with "and", "or", "not": "(in p1 t1) or not (wet p1)".'),
    ],
    state: StateOption = None,
    at: Annotated[int | None, typer.Option(help="The time asked about.", show_default="the end")] = None,
    limit: Annotated[int, typer.Option(help="So many causes at most.", min=1)] = 100,
    seconds: Annotated[float, typer.Option(help="Time to search.", min=0)] = 30.0,
    refused: RefusedOption = Refused.STOP,
    outcomes: OutcomesOption = None,
    json: JsonOption = False,
) -> None:
    """The actual causes of a fact after a plan: facts at times and decisions, smallest first."""
    with errors(json):
        from assay.causal.why import why as find
        from assay.cli.inquiry import Inquiry, load_warned

        asked = Inquiry(load_warned(target), state)
        happened = asked.formula(fact)
        network = asked.network(plan, [happened], refused=refused, outcomes=outcomes)
        found = find(network, happened, at, limit, seconds)
        _show(found.to_dict(), found.lines(asked.subject.english), json)
        raise typer.Exit(PARTIAL if found.gave_up else OK)


def why_not(
    target: TargetArgument,
    plan: PlanOption = "",
    fact: Annotated[
        str | None, typer.Option(help='What does not hold, "(in p1 t1)", also with "and", "or", "not".')
    ] = None,
    action: Annotated[
        str | None, typer.Option(help='The step that could not be taken, "(load p1 t1 l1)".')
    ] = None,
    state: StateOption = None,
    limit: Annotated[int, typer.Option(help="So many changes of the start at most.", min=1)] = 10,
    max_states: Annotated[int, typer.Option(help="States to look at for a changed plan.", min=1)] = 100_000,
    seconds: Annotated[float, typer.Option(help="Time to look for a changed plan.", min=0)] = 10.0,
    refused: RefusedOption = Refused.STOP,
    json: JsonOption = False,
) -> None:
    """The smallest changes of the start or of the plan that would have made it so.

    Ask about a fact or an action; with neither, about the step at which the plan stopped.
    """
    with errors(json):
        from assay.causal.why_not import why_not as find
        from assay.cli.inquiry import Inquiry, load_warned

        if fact is not None and action is not None:
            raise InputError("ask about a fact or about an action, not both")
        subject = load_warned(target)
        asked = Inquiry(subject, state)
        goal = asked.formula(fact) if fact is not None else None
        wanted = asked.plan(action) if action is not None else []
        if action is not None and len(wanted) != 1:
            raise InputError(f"{action!r}: one step is wanted here, not {len(wanted)}")
        steps = asked.plan(plan)
        found = find(
            subject.model,
            asked.start([goal] if goal is not None else [], [*steps, *wanted]),
            steps,
            goal=goal,
            step=wanted[0] if wanted else None,
            refused=refused,
            limit=limit,
            max_states=max_states,
            seconds=seconds,
            scope=subject.scope,
            strength=subject.strength,
        )
        _show(found.to_dict(), found.lines(subject.english), json)


def depends(
    target: TargetArgument,
    plan: PlanOption,
    fact: Annotated[str, typer.Option(help='A fact at a time, "(in p1 t1) at 1", or "step 2".')],
    on: Annotated[
        str | None,
        typer.Option(
            help='Another, "(at p1 l1) at 0", or "step 1".', show_default="all that it depends on directly"
        ),
    ] = None,
    state: StateOption = None,
    refused: RefusedOption = Refused.STOP,
    outcomes: OutcomesOption = None,
    json: JsonOption = False,
) -> None:
    """What a fact depends on along a plan, whatever the situation: what can make a difference to it."""
    with errors(json):
        from assay.causal.depends import depends as list_all
        from assay.causal.depends import difference
        from assay.causal.whatif import resolve
        from assay.cli.inquiry import Inquiry, load_warned

        subject = load_warned(target)
        asked = Inquiry(subject, state)
        settings = [asked.intervention(text) for text in (fact, on) if text is not None]
        mention = [s.literal for s in settings if s.literal is not None]
        network = asked.network(plan, mention, refused=refused, outcomes=outcomes, default=())
        first, *others = (next(iter(resolve(network, [s]))) for s in settings)
        found = (
            difference(network, first, others[0], subject.strength) if others else list_all(network, first)
        )
        _show(found.to_dict(), found.lines(subject.english), json)


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
    with errors(json):
        from assay.causal.ask import ask as find
        from assay.causal.ask import read_question
        from assay.causal.subject import load
        from assay.cli.inquiry import Inquiry

        subject = load(target)
        asked = Inquiry(subject, state)
        goal, spelled = read_question(question, asked.spelling)
        found = find(
            subject.model,
            asked.start([goal], (), spelled),
            goal,
            max_states=max_states,
            seconds=seconds,
            scope=subject.scope,
            unsettled=subject.unsettled,
            strength=subject.strength,
        )
        _show(found.to_dict(), found.lines(subject.english), json)
        raise typer.Exit(OK if found.possible is not None else PARTIAL)


def _show(data: dict[str, Any], lines: Sequence[str], json: bool) -> None:
    if json:
        print_json(data)
    else:
        typer.echo("\n".join(lines))
