"""The commands `stithy archdocs check`, `graph` and `validate`."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from stithy_archdocs.checking.decision_graph import MOST, build_graph, draw_mermaid
from stithy_archdocs.checking.decision_page import draw_svg, format_page
from stithy_archdocs.checking.problem_collection import collect_problems
from stithy_archdocs.document_models import DocumentProblem
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.documents.path_characters import UNSAFE_NAME
from stithy_archdocs.rules import baselines
from stithy_archdocs.rules.languages import find_language_of_path
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.project_rules import ProjectChecker
from stithy_archdocs.rules.rule_matching import is_applicable, may_be_applicable
from stithy_archdocs.rules.rulebook import RuleSet
from stithy_archdocs.validation.code_sources import CodeSource, read_files
from stithy_archdocs.validation.pattern_lookup import load_rule_sets
from stithy_archdocs.validation.project_validation import check_project
from stithy_archdocs.validation.report_formats import FORMATS as REPORTS
from stithy_archdocs.validation.report_formats import LOCATIONS, CheckedSet, format_fixes, list_gaps
from stithy_archdocs.validation.source_checker import check_sources
from stithy_core.spi import InvalidArguments, Scope, UserError
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
    if not documents:
        click.echo(f"No documents were found; {LOCATIONS}", err=True)
    return FAILED if errors or (strict and (found or not documents)) else 0


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
MOST_FILES = 100_000
"""Maximum number of files of a check; that of an answer to an agent is smaller."""


@archdocs.command()
@click.argument("pattern", required=False)
@click.argument("files", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Check the rules of all documents; PATTERN is a file then.")
@click.option("--format", "form", type=click.Choice([*REPORTS]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fix", is_flag=True, help="Print what the rules would write instead as a diff; nothing is written.")
@click.option("--strict", is_flag=True, help="Fail also if something cannot be checked.")
@click.option(
    "--write-baseline", "accept", is_flag=True, help="Accept all current violations and write them to the baseline."
)
@click.pass_obj
def validate(scope: Scope, /, **options: Any) -> int:
    """Check files, paths or globs of the project, against the rules of a pattern or of a file of rules."""
    library = scope.shared(Library)
    path = library.root / library.settings.baseline
    try:
        known = baselines.read_baseline(path)
        names, files = _split_arguments(options)
        sets = load_rule_sets(scope, library.refresh(), names)
        checked = _check_sets(library.root, sets, files, known)
        if not options["accept"]:
            return _print_checked(library.root, checked, options)
        keys = [key for one in checked for key in one.outcome.keys]
        baselines.write_baseline(path, [*known.elements(), *keys])
    except (UserError, baselines.InvalidBaseline) as error:
        click.echo(f"Error: {error}", err=True)
        return WRONG
    click.echo(f"{len(keys)} violations added to {path.name}")
    gaps = list_gaps(checked)
    _print_lines(gaps)
    return FAILED if options["strict"] and gaps else 0


def _split_arguments(options: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the names of patterns, none for all, and the files, none for all of the project."""
    given = [one for one in (options["pattern"], *options["files"]) if one]
    if options["everything"]:
        return [], given
    if not given:
        raise InvalidArguments("no pattern named", suggestion="Name one, or pass --all.")
    return given[:1], given[1:]


def _check_sets(
    root: Path, sets: Sequence[RuleSet], files: Sequence[str], known: Counter[baselines.BaselineKey]
) -> list[CheckedSet]:
    """Check the files against each set of rules; without files, those of the project that a rule may be for."""
    project = ProjectFiles(root=root)
    checker = ProjectChecker(project)
    named = read_files(root, files, most=MOST_FILES) if files else None
    selected = {one.path for one in named} if named is not None else None
    checked = []
    for rules in sets:
        sources = named if named is not None else _read_fitting(root, rules, project)
        outcome = check_sources(rules, sources, known=known, seconds=SECONDS)
        check_project(rules, checker, outcome, selected=selected, known=known)
        checked.append(CheckedSet(rules, outcome))
    return checked


def _read_fitting(root: Path, rules: RuleSet, project: ProjectFiles) -> list[CodeSource]:
    """Return the files that a rule about single files is for, or that an unreadable rule may be for."""
    hidden = project.find_hidden([glob for rule in rules.rules for glob in rule.files])
    fitting = [path for path in sorted({*project.paths, *hidden}) if _is_for_file(rules, path)]
    nameless = [
        CodeSource(path=path, fault=reason)
        for path, reason in project.unread.items()
        if reason == UNSAFE_NAME and _is_for_file(rules, path)
    ]
    return [*read_files(root, fitting, most=MOST_FILES), *nameless]


def _is_for_file(rules: RuleSet, path: str) -> bool:
    language = find_language_of_path(path)
    return language is not None and (
        any(is_applicable(rule, language, path) for rule in rules.rules)
        or any(may_be_applicable(one, language, path) for one in rules.unread)
    )


def _print_checked(root: Path, checked: Sequence[CheckedSet], options: Mapping[str, Any]) -> int:
    form = "json" if options["as_json"] else options["form"]
    gaps = list_gaps(checked)
    if options["fix"]:
        click.echo(format_fixes(root, checked), nl=False)
    elif text := REPORTS[form](checked):
        click.echo(text)
    if form in ("text", "github"):
        _print_lines(gaps)
    return FAILED if any(one.violations for one in checked) or (options["strict"] and gaps) else 0


def _print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line, err=True)
