"""`stithy preferences`."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from stithy_core.app import App
from stithy_core.builtin.preferences.preference_file import PreferenceFile
from stithy_core.cli.common import json_option, with_app, write_json
from stithy_core.errors import InvalidArguments
from stithy_core.sanitize import sendable
from stithy_core.spi.call_wrappers import parse_argument
from stithy_core.tools import Tool

KEPT = "no tool that is installed takes it; it is kept"
NOTHING = "no tool that is installed marks an argument as preferable"


@click.group()
def preferences() -> None:
    """Set defaults for arguments that calls leave out: over standard input and output, and for `stithy call`.

    What a call gives explicitly counts more, the default of the tool counts less.
    """


@preferences.command(name="list")
@json_option
@with_app
def list_(app: App, *, as_json: bool) -> None:
    """List what can be preferred and what is."""
    file = PreferenceFile()
    rows = _rows(app, file.values())
    if as_json:
        write_json({"file": str(file.path), "preferences": rows})
        return
    for row in rows:
        _show(row)
    if not rows:
        click.echo(f"Nothing can be preferred: {NOTHING}.")
    click.echo(f"Preferences are kept in {file.path}.")


@preferences.command(name="get")
@click.argument("name")
@json_option
@with_app
def get(app: App, name: str, *, as_json: bool) -> None:
    """Show one preference; the exit code is 1 where none is stored."""
    rows = {row["name"]: row for row in _rows(app, PreferenceFile().values())}
    row = rows.get(name)
    if row is None:
        raise _unknown(name, rows)
    if as_json:
        write_json(row)
    elif "value" in row:
        click.echo(_written(row["value"]))
    else:
        _show(row)
    sys.exit(0 if "value" in row else 1)


@preferences.command(name="set")
@click.argument("name")
@click.argument("value")
@with_app
def set_(app: App, name: str, value: str) -> None:
    """Store a preference. VALUE is as in `stithy call`: JSON, or text where the tools want text."""
    known = takers(app.tools)
    if name not in known:
        raise _unknown(name, known)
    read, unfit = _read(known[name], name, value)
    PreferenceFile().set(name, read)
    click.echo(f"{name} is {_written(read)} from the next call on")
    for tool, why in unfit.items():
        click.echo(f"  not for {tool}: {why}")


@preferences.command(name="clear")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Forget all of them.")
@with_app
def clear(app: App, names: tuple[str, ...], *, everything: bool) -> None:
    """Forget preferences, so that the defaults of the tools count again."""
    if bool(names) == everything:
        raise click.UsageError("give the names of preferences, or --all")
    file = PreferenceFile()
    stored = file.values()
    known = {*takers(app.tools), *stored}
    if strange := [name for name in names if name not in known]:
        raise _unknown(strange[0], known)
    going = [name for name in stored if everything or name in names]
    file.clear(going)
    click.echo(f"forgotten: {', '.join(going)}" if going else "nothing was stored")


def takers(tools: Iterable[Tool]) -> dict[str, list[Tool]]:
    """Return every name that a preference may have, in alphabetical order, with the tools that have the argument."""
    found: dict[str, list[Tool]] = {}
    for tool in tools:
        for name in tool.preferable:
            found.setdefault(name, []).append(tool)
    return dict(sorted(found.items()))


def _rows(app: App, stored: Mapping[str, Any]) -> list[dict[str, Any]]:
    known = takers(app.tools)
    names = sorted({*known, *stored})
    return [_row(name, known.get(name, ()), stored) for name in names]


def _row(name: str, tools: Sequence[Tool], stored: Mapping[str, Any]) -> dict[str, Any]:
    rows = []
    for tool in tools:
        schema = tool.input["properties"][name]
        row = {"tool": tool.spec.name, "plugin": tool.origin.distribution}
        row |= {word: schema[word] for word in ("default", "enum") if word in schema}
        if name in stored and (why := tool.argument_fault(name, stored[name])):
            row["not_for"] = why
        rows.append(row)
    value = {"value": stored[name]} if name in stored else {}
    note = {} if tools else {"note": KEPT}
    return {"name": name} | value | {"tools": rows} | note


def _show(row: Mapping[str, Any]) -> None:
    said = _written(row["value"]) if "value" in row else click.style("not set", dim=True)
    click.echo(f"{click.style(row['name'], bold=True)}  {said}")
    for taker in row["tools"]:
        default = f", {_written(taker['default'])} by default" if "default" in taker else ""
        unfit = f"; not for it: {taker['not_for']}" if "not_for" in taker else ""
        click.echo(f"  {taker['tool']} ({taker['plugin']}{default}){unfit}")
    if "note" in row:
        click.echo(f"  {row['note']}")


def _read(tools: Sequence[Tool], name: str, text: str) -> tuple[Any, dict[str, str]]:
    """Read a value as the first tool does that can take it, and say why others cannot.

    Raises:
        InvalidArguments: No tool can take it.
    """
    values = [parse_argument(text, tool.input["properties"][name]) for tool in tools]
    found = [{tool.spec.name: why for tool in tools if (why := tool.argument_fault(name, value))} for value in values]
    best = min(range(len(found)), key=lambda index: len(found[index]))
    if len(found[best]) == len(tools):
        raise InvalidArguments(next(iter(found[0].values())), suggestion="Nothing was stored.")
    return values[best], found[best]


def _written(value: Any) -> str:
    return sendable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _unknown(name: str, known: Mapping[str, Any] | set[str]) -> InvalidArguments:
    there = ", ".join(sorted(known)) or f"nothing: {NOTHING}"
    return InvalidArguments(f"{name!r} cannot be preferred", suggestion=f"There is {there}.")
