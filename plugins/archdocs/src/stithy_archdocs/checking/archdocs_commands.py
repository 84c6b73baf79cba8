"""The commands `stithy archdocs check`, `graph` and `validate`."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from stithy_archdocs.checking.decision_graph import MOST, build_graph, draw_mermaid
from stithy_archdocs.checking.decision_page import draw_svg, format_page
from stithy_archdocs.checking.problem_collection import collect_problems
from stithy_archdocs.document_models import DocumentProblem
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.rules import baselines
from stithy_archdocs.rules.rulebook import Rulebook
from stithy_archdocs.validation.code_sources import read_files
from stithy_archdocs.validation.pattern_lookup import find_pattern
from stithy_archdocs.validation.source_checker import CheckOutcome, check_sources
from stithy_core.spi import Scope, UserError
from stithy_core.spi.file_replacement import replace_file

FAILED, WRONG = 1, 2


def run(scope: Scope, arguments: Sequence[str]) -> int:
    """Run `stithy archdocs …`; 0 without problems, 1 with problems, 2 if the command failed."""
    return run_group(archdocs, "stithy archdocs", scope, arguments)


def run_group(group: click.Group, name: str, scope: Scope, arguments: Sequence[str]) -> int:
    """Run a group of commands, and return the exit code."""
    try:
        code = group.main(args=list(arguments), prog_name=name, standalone_mode=False, obj=scope)
    except click.ClickException as error:
        error.show()
        return WRONG
    return int(code or 0)


@click.group()
def archdocs() -> None:
    """Check documents, draw decision records, and check code against patterns."""


@archdocs.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON; the same documents yield the same bytes.")
@click.option("--strict", is_flag=True, help="Fail also on warnings.")
@click.pass_obj
def check(scope: Scope, *, as_json: bool, strict: bool) -> int:
    """Report the problems of all documents."""
    snapshot = scope.shared(Library).refresh()
    return print_problems(len(snapshot.documents), collect_problems(scope, snapshot), as_json=as_json, strict=strict)


def print_problems(documents: int, found: Sequence[DocumentProblem], *, as_json: bool, strict: bool) -> int:
    """Print problems of so many documents, and return the exit code."""
    errors = sum(one.severity == "error" for one in found)
    if as_json:
        click.echo(json.dumps(_to_json(documents, found), indent=2, sort_keys=True, ensure_ascii=False))
    else:
        for one in found:
            place = one.path if one.line is None else f"{one.path}:{one.line}"
            click.echo(f"{place}: {one.severity}: {one.message} [{one.rule}]")
        click.echo(f"{documents} documents, {errors} errors, {len(found) - errors} warnings")
    return FAILED if errors or (strict and found) else 0


FORMATS = {"mermaid": draw_mermaid, "svg": draw_svg, "html": format_page}


@archdocs.command(name="graph")
@click.option("--format", "form", type=click.Choice([*FORMATS]), help="Default: by the suffix of --output, or mermaid.")
@click.option(
    "--most", type=click.IntRange(1, 5_000), default=MOST, show_default=True, help="Maximum number of records."
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.pass_obj
def draw_graph(scope: Scope, *, form: str | None, most: int, output: Path | None) -> int:
    """Draw the decision records and their relations."""
    drawn = build_graph(scope.shared(Library).refresh(), most=most)
    suffix = output.suffix.lstrip(".").lower() if output else ""
    text = FORMATS[form or (suffix if suffix in FORMATS else "mermaid")](drawn)
    if drawn.left_out:
        click.echo(f"{drawn.left_out} records are not drawn; raise --most", err=True)
    if output is None:
        click.echo(text, nl=False)
        return 0
    try:
        replace_file(output, text.encode(errors="replace"), new_mode=0o644)
    except OSError as error:
        click.echo(f"Error: cannot write {output}: {error.strerror or error}", err=True)
        return WRONG
    return 0


def _to_json(documents: int, found: Sequence[DocumentProblem]) -> dict[str, object]:
    rows = [
        {"rule": one.rule, "severity": one.severity, "path": one.path, "line": one.line, "message": one.message}
        for one in found
    ]
    errors = sum(one.severity == "error" for one in found)
    return {"documents": documents, "errors": errors, "warnings": len(found) - errors, "problems": rows}


SECONDS = 600.0


@archdocs.command()
@click.argument("pattern")
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("--strict", is_flag=True, help="Fail also if something cannot be checked.")
@click.option(
    "--write-baseline", "accept", is_flag=True, help="Accept all current violations and write them to the baseline."
)
@click.pass_obj
def validate(scope: Scope, pattern: str, files: tuple[str, ...], *, as_json: bool, strict: bool, accept: bool) -> int:
    """Check files, paths or globs of the project, against the rules of a pattern."""
    library = scope.shared(Library)
    path = library.root / library.settings.baseline
    try:
        rules = scope.shared(Rulebook).get_rules(find_pattern(library.refresh(), pattern))
        known = baselines.read_baseline(path)
        found = check_sources(rules, read_files(library.root, files), known=known, seconds=SECONDS)
    except (UserError, baselines.InvalidBaseline) as error:
        click.echo(f"Error: {error}", err=True)
        return 2
    if accept:
        baselines.write_baseline(path, [*known.elements(), *found.keys])
        click.echo(f"{len(found.keys)} violations added to {path.name}")
        return 0
    _print_result(found, as_json=as_json)
    return 1 if found.violations or (strict and found.reasons) else 0


def _print_result(found: CheckOutcome, *, as_json: bool) -> None:
    if as_json:
        rows = [
            {"rule": one.rule, "severity": one.severity, "file": one.file, "line": one.line, "message": one.description}
            for one in found.violations
        ]
        left = [{"what": one.what, "reason": one.reason} for one in found.not_checked]
        click.echo(json.dumps({"violations": rows, "reasons": found.reasons, "not_checked": left}, indent=2))
        return
    for one in found.violations:
        click.echo(f"{one.file}:{one.line}: {one.severity}: {one.description} [{one.rule}]")
    for place in found.unparsed:
        click.echo(f"{place.file}:{place.line}: cannot be parsed", err=True)
    for reason in found.reasons:
        click.echo(f"Not everything was checked: {reason}", err=True)
    known = f", {len(found.baselined)} in the baseline" if found.baselined else ""
    click.echo(f"{found.files} files, {len(found.checked)} rules, {len(found.violations)} violations{known}")
