"""`stithy preferences`."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from stithy_core.app import App
from stithy_core.builtin.preference_file import PreferenceFile
from stithy_core.cli.command_support import json_option, with_app, write_json
from stithy_core.errors import InvalidArguments
from stithy_core.sanitize import sendable
from stithy_core.spi.call_wrappers import parse_argument
from stithy_core.tools import Tool

UNUSED = "no installed tool has this argument; it is kept"
NOTHING = "no installed tool marks an argument as preferable"


@click.group()
def preferences() -> None:
    """Set defaults for arguments that calls leave out: over standard input and output, and for `stithy call`.

    They win over the defaults of the tools. Arguments of a call win over them.
    """


@preferences.command(name="list")
@json_option
@with_app
def list_(app: App, *, as_json: bool) -> None:
    """List the possible and the stored preferences."""
    file = PreferenceFile()
    rows = _list_rows(app, file.values())
    if as_json:
        write_json({"file": str(file.path), "preferences": rows})
        return
    for row in rows:
        _show_row(row)
    if not rows:
        click.echo(f"Nothing can be preferred: {NOTHING}.")
    click.echo(f"Preferences are kept in {file.path}.")


@preferences.command(name="get")
@click.argument("name")
@json_option
@with_app
def get(app: App, name: str, *, as_json: bool) -> None:
    """Show one preference; the exit code is 1 if it is not stored."""
    rows = {row["name"]: row for row in _list_rows(app, PreferenceFile().values())}
    row = rows.get(name)
    if row is None:
        raise _create_error(name, rows)
    if as_json:
        write_json(row)
    elif "value" in row:
        click.echo(_format_value(row["value"]))
    else:
        _show_row(row)
    sys.exit(0 if "value" in row else 1)


@preferences.command(name="set")
@click.argument("name")
@click.argument("value")
@with_app
def store(app: App, name: str, value: str) -> None:
    """Store a preference. VALUE is as in `stithy call`: JSON, or text where the tools expect text."""
    tools = list_preferable(app.tools)
    if name not in tools:
        raise _create_error(name, tools)
    preference, faults = _parse_value(tools[name], name, value)
    PreferenceFile().store(name, preference)
    click.echo(f"{name} is {_format_value(preference)} from the next call on")
    for tool, fault in faults.items():
        click.echo(f"  not for {tool}: {fault}")


@preferences.command(name="clear")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Forget all of them.")
@with_app
def clear(app: App, names: tuple[str, ...], *, everything: bool) -> None:
    """Forget preferences, so that the defaults of the tools count again."""
    if bool(names) == everything:
        raise click.UsageError("expected names of preferences, or --all")
    file = PreferenceFile()
    stored = file.values()
    known = {*list_preferable(app.tools), *stored}
    if unknown := [name for name in names if name not in known]:
        raise _create_error(unknown[0], known)
    removed = [name for name in stored if everything or name in names]
    file.clear(removed)
    click.echo(f"forgotten: {', '.join(removed)}" if removed else "nothing was stored")


def list_preferable(tools: Iterable[Tool]) -> dict[str, list[Tool]]:
    """Return every name that a preference may have, in alphabetical order, with the tools that have the argument."""
    by_name: dict[str, list[Tool]] = {}
    for tool in tools:
        for name in tool.preferable:
            by_name.setdefault(name, []).append(tool)
    return dict(sorted(by_name.items()))


def _list_rows(app: App, stored: Mapping[str, Any]) -> list[dict[str, Any]]:
    preferable = list_preferable(app.tools)
    names = sorted({*preferable, *stored})
    return [_create_row(name, preferable.get(name, ()), stored) for name in names]


def _create_row(name: str, tools: Sequence[Tool], stored: Mapping[str, Any]) -> dict[str, Any]:
    rows = []
    for tool in tools:
        schema = tool.input["properties"][name]
        row = {"tool": tool.spec.name, "plugin": tool.origin.distribution}
        row |= {word: schema[word] for word in ("default", "enum") if word in schema}
        if name in stored and (fault := tool.argument_fault(name, stored[name])):
            row["not_for"] = fault
        rows.append(row)
    value = {"value": stored[name]} if name in stored else {}
    note = {} if tools else {"note": UNUSED}
    return {"name": name} | value | {"tools": rows} | note


def _show_row(row: Mapping[str, Any]) -> None:
    value = _format_value(row["value"]) if "value" in row else click.style("not set", dim=True)
    click.echo(f"{click.style(row['name'], bold=True)}  {value}")
    for tool in row["tools"]:
        default = f", {_format_value(tool['default'])} by default" if "default" in tool else ""
        fault = f"; not for it: {tool['not_for']}" if "not_for" in tool else ""
        click.echo(f"  {tool['tool']} ({tool['plugin']}{default}){fault}")
    if "note" in row:
        click.echo(f"  {row['note']}")


def _parse_value(tools: Sequence[Tool], name: str, text: str) -> tuple[Any, dict[str, str]]:
    """Parse a value as the tool does that suits most tools; return it with the faults for the others, by tool.

    Raises:
        InvalidArguments: No tool accepts it.
    """
    values = [parse_argument(text, tool.input["properties"][name]) for tool in tools]
    faults = [
        {tool.spec.name: fault for tool in tools if (fault := tool.argument_fault(name, value))} for value in values
    ]
    best = min(range(len(faults)), key=lambda index: len(faults[index]))
    if len(faults[best]) == len(tools):
        raise InvalidArguments(next(iter(faults[0].values())), suggestion="Nothing was stored.")
    return values[best], faults[best]


def _format_value(value: Any) -> str:
    return sendable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _create_error(name: str, known: Mapping[str, Any] | set[str]) -> InvalidArguments:
    available = ", ".join(sorted(known)) or f"none: {NOTHING}"
    return InvalidArguments(f"{name!r} cannot be preferred", suggestion=f"Available: {available}.")
