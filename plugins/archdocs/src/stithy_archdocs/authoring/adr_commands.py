"""The commands `stithy adr new`, `accept`, `supersede`, `graph` and `check`."""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

import click

from stithy_archdocs.authoring.record_changes import apply_changes, format_diff, lock_folder
from stithy_archdocs.authoring.record_plans import NewRecord, Plan, plan_acceptance, plan_record, plan_supersession
from stithy_archdocs.authoring.record_skeleton import TEMPLATES
from stithy_archdocs.checking.archdocs_commands import WRONG, draw_graph, print_problems, run_group
from stithy_archdocs.checking.problem_collection import collect_problems
from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_library import Library
from stithy_core.spi import Scope, UserError

_DRY_RUN = click.option("--dry-run", is_flag=True, help="Write nothing; print the changes as a diff.")


def run(scope: Scope, arguments: Sequence[str]) -> int:
    """Run `stithy adr …`; 0 if done, 1 if `check` found problems, 2 if the command failed."""
    return run_group(adr, "stithy adr", scope, arguments)


@click.group()
def adr() -> None:
    """Write decision records in the style of their folder, draw them, and check them."""


@adr.command()
@click.argument("title")
@click.option(
    "--supersedes", multiple=True, default=(), metavar="RECORD", help="Number, name or path; may be repeated."
)
@click.option(
    "--status",
    type=click.Choice(["proposed", "accepted"]),
    help="Default: proposed, or accepted with --supersedes, since that takes effect at once.",
)
@click.option("--template", type=click.Choice([*TEMPLATES]), help="Default: the form of the newest records.")
@click.option("--folder", default="", metavar="PATH", help="Default: the folder with most records.")
@_DRY_RUN
@click.pass_obj
def new(scope: Scope, /, *, dry_run: bool, **fields: Any) -> int:
    """Write a new record with the next free number."""
    wanted = NewRecord(today=dt.datetime.now().astimezone().date(), **fields)
    return _carry_out(scope.shared(Library), lambda library: plan_record(library, wanted), dry_run=dry_run)


@adr.command()
@click.argument("record")
@_DRY_RUN
@click.pass_obj
def accept(scope: Scope, record: str, *, dry_run: bool) -> int:
    """Set the status of a record to accepted, and mark those that it supersedes."""
    return _carry_out(scope.shared(Library), lambda library: plan_acceptance(library, record), dry_run=dry_run)


@adr.command()
@click.argument("record")
@click.option("--by", "successor", required=True, metavar="RECORD", help="The record that holds in its place.")
@_DRY_RUN
@click.pass_obj
def supersede(scope: Scope, record: str, successor: str, *, dry_run: bool) -> int:
    """Mark a record as superseded by another one, and link both."""
    return _carry_out(
        scope.shared(Library), lambda library: plan_supersession(library, record, successor), dry_run=dry_run
    )


@adr.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON; the same records yield the same bytes.")
@click.option("--strict", is_flag=True, help="Fail also on warnings, such as a supersession that only one side states.")
@click.pass_obj
def check(scope: Scope, *, as_json: bool, strict: bool) -> int:
    """Report wrong links, numbers, statuses and supersessions of the records."""
    snapshot = scope.shared(Library).refresh()
    records = {one.path for one in snapshot.list_kind(DocumentKind.ADR)}
    others = snapshot.documents.keys() - records
    left_out = {one.path for one in snapshot.left_out}
    found = [
        one
        for one in collect_problems(scope, snapshot)
        if one.path in records or (one.path in left_out and one.path not in others)
    ]
    return print_problems(len(records), found, as_json=as_json, strict=strict)


adr.add_command(draw_graph)


def _carry_out(library: Library, make_plan: Callable[[Library], Plan], *, dry_run: bool) -> int:
    """Plan changes, and write them unless it is a dry run; planned again under the lock, where numbers are certain."""
    try:
        plan = make_plan(library)
        if dry_run:
            click.echo(format_diff(plan.changes), nl=False)
        elif plan.changes:
            folder = library.root / plan.folder
            folder.mkdir(parents=True, exist_ok=True)
            with lock_folder(folder):
                plan = make_plan(library)
                apply_changes(library.root, plan.changes)
    except UserError as error:
        click.echo(f"Error: {error}{f'. {error.suggestion}' if error.suggestion else ''}", err=True)
        return WRONG
    except OSError as error:
        click.echo(f"Error: cannot write {error.filename}: {error.strerror or error}", err=True)
        return WRONG
    for message in plan.messages:
        click.echo(message, err=dry_run)
    return 0
