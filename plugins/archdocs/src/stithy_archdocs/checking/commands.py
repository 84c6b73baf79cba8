"""`stithy archdocs check` and `stithy archdocs graph`."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from stithy_archdocs.checking.graph import MOST, NoGraphviz, graph, mermaid, svg
from stithy_archdocs.checking.problems import problems
from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.records import Problem, Shelf
from stithy_archdocs.validation.commands import validate
from stithy_core.spi import Scope

FAILED, WRONG = 1, 2


def run(scope: Scope, arguments: Sequence[str]) -> int:
    """Run `stithy archdocs …`; 0 when nothing is wrong, 1 when something is, 2 when it could not be told."""
    try:
        code = archdocs.main(args=list(arguments), prog_name="stithy archdocs", standalone_mode=False, obj=scope)
    except click.ClickException as error:
        error.show()
        return WRONG
    return int(code or 0)


@click.group()
def archdocs() -> None:
    """Tell what is wrong with the documents, draw the decisions, and hold code against patterns."""


archdocs.add_command(validate)


@archdocs.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON: the same documents give the same bytes.")
@click.option("--strict", is_flag=True, help="Let warnings fail, too.")
@click.pass_obj
def check(scope: Scope, *, as_json: bool, strict: bool) -> int:
    """Tell what is wrong."""
    shelf = scope.shared(Library).look()
    found = problems(scope, shelf)
    if as_json:
        click.echo(json.dumps(_plain(shelf, found), indent=2, sort_keys=True, ensure_ascii=False))
    else:
        for one in found:
            place = one.path if one.line is None else f"{one.path}:{one.line}"
            click.echo(f"{place}: {one.severity}: {one.message} [{one.rule}]")
        click.echo(f"{len(shelf.documents)} documents, {_errors(found)} errors, {len(found) - _errors(found)} warnings")
    return FAILED if _errors(found) or (strict and found) else 0


@archdocs.command(name="graph")
@click.option("--svg", "as_svg", is_flag=True, help="Draw SVG, by Graphviz's `dot`; otherwise Mermaid.")
@click.option(
    "--most", type=click.IntRange(1, 5_000), default=MOST, show_default=True, help="How many records at most."
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.pass_obj
def draw(scope: Scope, *, as_svg: bool, most: int, output: Path | None) -> int:
    """Draw the decisions and their relations."""
    drawn = graph(scope.shared(Library).look(), most=most)
    try:
        text = svg(drawn) if as_svg else mermaid(drawn)
    except NoGraphviz as error:
        click.echo(f"Error: {error}", err=True)
        return WRONG
    if drawn.left_out:
        click.echo(f"{drawn.left_out} more records are not drawn; raise --most", err=True)
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")
    return 0


def _plain(shelf: Shelf, found: list[Problem]) -> dict[str, object]:
    rows = [
        {"rule": one.rule, "severity": one.severity, "path": one.path, "line": one.line, "message": one.message}
        for one in found
    ]
    errors = _errors(found)
    return {"documents": len(shelf.documents), "errors": errors, "warnings": len(found) - errors, "problems": rows}


def _errors(found: list[Problem]) -> int:
    return sum(one.severity == "error" for one in found)
