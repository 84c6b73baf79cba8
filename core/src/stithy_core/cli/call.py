"""`stithy call`."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import anyio
import click

from stithy_core.app import App
from stithy_core.cli.common import with_app, write_json
from stithy_core.cli.streams import kept
from stithy_core.errors import Refused, ToolNotFound
from stithy_core.spi.call_wrappers import parse_argument
from stithy_core.tools import build_error_answer
from stithy_core.tools.answer import Answer


@click.command()
@click.argument("name", metavar="TOOL")
@click.argument("given", metavar="[KEY=VALUE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Write the structured answer instead of the text.")
@with_app
def call(app: App, name: str, given: tuple[str, ...], *, as_json: bool) -> None:
    """Call a tool as an agent would.

    \b
    stithy call pr_comment_list repository=owner/repo pull_request_number=1
    stithy call pr_comment_list --json '{"repository": "owner/repo", "pull_request_number": 1}'

    Arguments are KEY=VALUE, one JSON object, or - for a JSON object on standard input. A VALUE that is JSON is taken
    as such, unless the tool wants text there. The exit code is 1 when the tool answers with an error.
    """  # noqa: D301 -- the backspace is click's mark for lines to leave as they are
    try:
        arguments = _arguments(given, app.executor.registry.get(name).input["properties"])
        with kept():  # what a handler prints is no part of the answer
            answer = anyio.run(_call, app, name, arguments)
    except (Refused, ToolNotFound) as error:
        answer = build_error_answer(error)
    if as_json:
        write_json(answer.structured)
    else:
        click.echo(answer.text, err=answer.is_error)
    sys.exit(1 if answer.is_error else 0)


async def _call(app: App, name: str, arguments: dict[str, Any]) -> Answer:
    async with app.running():
        return await app.executor.call(name, arguments)


def _arguments(given: Iterable[str], schemas: Mapping[str, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for word in given:
        if word == "-" or word.startswith("{"):
            arguments |= _object(sys.stdin.read() if word == "-" else word)
            continue
        key, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"{word!r} is neither KEY=VALUE nor a JSON object")
        arguments[key] = parse_argument(value, schemas.get(key, {}))
    return arguments


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.UsageError(f"the arguments are no JSON: {error}") from error
    if not isinstance(value, dict):
        raise click.UsageError("the arguments must be one JSON object")
    return value
