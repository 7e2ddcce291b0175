"""The commands that compare two models: causal-check and diff. Exit code 1 if they differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from assay.cli.conventions import DIFFERENT, OK, JsonOption, errors, print_json

FirstArgument = Annotated[
    Path, typer.Argument(metavar="DIR1|MODEL1.pddl", help="A result folder or a domain.", show_default=False)
]
SecondArgument = Annotated[
    Path, typer.Argument(metavar="DIR2|MODEL2.pddl", help="Another.", show_default=False)
]
EqualityOption = Annotated[
    bool, typer.Option("--equality", help="Also try one thing for several parameters.")
]


def add_commands(app: typer.Typer) -> None:
    app.command("causal-check")(causal_check)
    app.command()(diff)


def causal_check(
    first: FirstArgument, second: SecondArgument, equality: EqualityOption = False, json: JsonOption = False
) -> None:
    """Whether two models imply the same causal relations; if not, a smallest one that differs."""
    with errors(json):
        from assay.causal.soundness import compare
        from assay.cli.inquiry import load_warned

        one, two = load_warned(first), load_warned(second)
        verdict = compare(one.model, two.model, equality)
        if json:
            print_json(verdict.to_dict())
        else:
            typer.echo("\n".join(verdict.lines(one.english, two.english)))
        raise typer.Exit(OK if verdict.same else DIFFERENT)


def diff(
    first: FirstArgument, second: SecondArgument, equality: EqualityOption = False, json: JsonOption = False
) -> None:
    """Tell where two models behave differently, with the answers of each that the other cannot explain.

    Exit code 0 if nothing differs, 1 if anything does, so that it can guard a release.
    """
    with errors(json):
        from assay.causal.difference import compare
        from assay.cli.inquiry import load_warned
        from assay.discovery.folder import is_study

        if is_study(first) or is_study(second):
            _diff_capabilities(first, second, json)
        one, two = load_warned(first), load_warned(second)
        found = compare(one.result(), two.result(), equality)
        if json:
            print_json(found.to_dict())
        else:
            typer.echo("\n".join(found.lines(one.english, two.english)))
        raise typer.Exit(DIFFERENT if found.differs else OK)


def _diff_capabilities(first: Path, second: Path, json: bool) -> NoReturn:
    """The same for two agents that press keys: what one can do that the other cannot."""
    from assay.discovery.difference import compare

    gap = compare(first, second)
    if json:
        import msgspec

        print_json({"differs": gap.differs} | msgspec.to_builtins(gap))
    else:
        typer.echo(gap.text(), nl=False)
    raise typer.Exit(DIFFERENT if gap.differs else OK)
