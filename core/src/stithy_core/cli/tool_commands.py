"""`stithy tools`, `stithy call` and `stithy explain`."""

import json
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

import anyio
import click
from attrs import frozen

from stithy_core.app import App
from stithy_core.cli.command_support import json_option, redirect_streams, with_app, write_json
from stithy_core.cli.completion import complete_tool_name
from stithy_core.cli.terminal import ProgressBars, create_console, has_terminal, show_answer
from stithy_core.errors import Refused, StithyError, ToolNotFound
from stithy_core.plugins import resolve
from stithy_core.redaction import redact
from stithy_core.spi import Forge, ForgeKind, Operation, ToolAnswer, declared_support, operations
from stithy_core.spi.call_wrappers import parse_argument
from stithy_core.tools import Tool, build_error_answer


@click.command()
@click.argument("name", required=False, shell_complete=complete_tool_name)
@json_option
@with_app
def tools(app: App, name: str | None, *, as_json: bool) -> None:
    """List the tools, or show one in full: its arguments, its result, and the operations of a forge that it needs."""
    registry = app.executor.registry
    if name:
        description = _describe_tool(registry.get(name))
        write_json(description) if as_json else _show_tool(description)
    elif as_json:
        write_json([_summarize_tool(tool) for tool in registry.tools.values()])
    else:
        for tool in registry.tools.values():
            click.echo(click.style(tool.spec.name, bold=True) + f"  {tool.spec.title} ({tool.origin})")
        for refused, reason in registry.refused.items():
            click.echo(click.style(refused, dim=True) + f"  switched off: {reason}")


def _summarize_tool(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.spec.name,
        "title": tool.spec.title,
        "description": tool.spec.description,
        "plugin": tool.origin.distribution,
        "effects": tool.spec.effects.value,
        "duration": tool.spec.duration,
        "toolset": tool.spec.toolset,
        "needs": [operation.__qualname__ for operation in tool.spec.needs],
    }


def _describe_tool(tool: Tool) -> dict[str, Any]:
    return _summarize_tool(tool) | {"input": tool.published, "output": tool.output}


def _show_tool(description: dict[str, Any]) -> None:
    click.secho(description["name"], bold=True)
    click.echo(description["description"])
    row = f"plugin: {description['plugin']}   effects: {description['effects']}"
    click.echo(f"{row}   duration: {description['duration']}")
    click.echo(f"needs:  {', '.join(description['needs']) or 'nothing of a forge'}")
    required = description["input"].get("required", [])
    click.echo("takes:")
    for name, schema in description["input"]["properties"].items():
        kind = schema.get("type") or "one of several forms"
        need = "required" if name in required else "optional"
        click.echo(f"  {name} ({kind}, {need})  {schema.get('description', '')}".rstrip())
    click.echo("gives:")
    for name, schema in description["output"]["properties"].items():
        click.echo(f"  {name} ({schema.get('type', 'any')})")


@click.command()
@click.argument("name", metavar="TOOL", shell_complete=complete_tool_name)
@click.argument("words", metavar="[KEY=VALUE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Write the structured answer instead of the text.")
@with_app
def call(app: App, name: str, words: tuple[str, ...], *, as_json: bool) -> None:
    """Call a tool as an agent would.

    \b
    stithy call pr_comment_list repository=owner/repo pull_request_number=1
    stithy call pr_comment_list --json '{"repository": "owner/repo", "pull_request_number": 1}'

    Arguments are KEY=VALUE, one JSON object, or - for a JSON object on standard input. A VALUE is read as JSON if it is
    valid JSON, unless the tool expects text. A terminal shows tables, a pipe gets the text that an agent gets. The exit
    code is 1 when the tool answers with an error.
    """  # noqa: D301 -- the backspace is click's mark for lines to leave as they are
    try:
        arguments = _parse_arguments(words, app.executor.registry.get(name).input["properties"])
        with redirect_streams():  # output of a handler does not belong to the answer
            answer = anyio.run(_run_call, app, name, arguments)
    except (Refused, ToolNotFound) as error:
        answer = build_error_answer(error)
    if as_json:
        write_json(answer.structured)
    elif not answer.is_error and has_terminal(sys.stdout):
        show_answer(create_console(sys.stdout), answer.text, answer.structured)
    else:
        click.echo(answer.text, err=answer.is_error)
    sys.exit(1 if answer.is_error else 0)


async def _run_call(app: App, name: str, arguments: dict[str, Any]) -> ToolAnswer:
    async with app.running():
        with ProgressBars().show() as report:
            return await app.executor.call(name, arguments, report)


def _parse_arguments(words: Iterable[str], schemas: Mapping[str, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for word in words:
        if word == "-" or word.startswith("{"):
            arguments |= _parse_object(sys.stdin.read() if word == "-" else word)
            continue
        key, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"{word!r} is neither KEY=VALUE nor a JSON object")
        arguments[key] = parse_argument(value, schemas.get(key, {}))
    return arguments


def _parse_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.UsageError(f"invalid JSON in the arguments: {error}") from error
    if not isinstance(value, dict):
        raise click.UsageError("the arguments must be one JSON object")
    return value


ALWAYS = "always"
NEVER = "never"
BROKEN = "cannot be loaded"
ANSWER_COLOURS = {"yes": "green", "no": "red", "unknown": "yellow"}


@frozen
class OperationSupport:
    """One operation, and what each kind of forge declares about it: always, since …, probed or never."""

    operation: str
    declared: Mapping[str, str]


@frozen
class ServerAnswer:
    """Whether the server of a configured forge supports an operation: `answer` is yes, no or unknown."""

    forge: str
    operation: str
    answer: str
    reason: str = ""
    remedy: str = ""


@click.command()
@click.argument("tool", required=False, shell_complete=complete_tool_name)
@click.option("--ask", "asking", is_flag=True, help="Ask the configured forges, too.")
@json_option
@with_app
def explain(app: App, tool: str | None, *, asking: bool, as_json: bool) -> None:
    """Show on which forges a tool works, and why not on others. Without a TOOL: tables of all, as Markdown."""
    if tool is None:
        if asking:
            raise click.UsageError("--ask requires a TOOL: asking for all of them would need too many requests.")
        return _show_tables(app, as_json=as_json)
    registered = app.executor.registry.get(tool)
    name, needs = registered.spec.name, describe_needs(app, registered.spec.needs)
    answers = anyio.run(_gather_answers, app, registered) if asking else []
    if not as_json:
        return _show_support(app, name, needs, answers)
    from attrs import asdict

    return write_json(_format_needs(name, needs) | {"asked": [asdict(answer) for answer in answers]})


async def _gather_answers(app: App, tool: Tool) -> list[ServerAnswer]:
    answers = [answer async for answer in ask_forges(app, tool)]
    await app.connections.aclose()
    return answers


def _show_tables(app: App, *, as_json: bool) -> None:
    if not as_json:
        return click.echo("\n".join([*format_tool_table(app), "", *format_operation_table(app)]))
    registered = app.executor.registry.tools.values()
    return write_json([_format_needs(tool.spec.name, describe_needs(app, tool.spec.needs)) for tool in registered])


def _format_needs(name: str, needs: Sequence[OperationSupport]) -> dict[str, Any]:
    return {"name": name, "needs": [{"operation": need.operation, "declared": dict(need.declared)} for need in needs]}


def _show_support(app: App, name: str, needs: Sequence[OperationSupport], answers: Sequence[ServerAnswer]) -> None:
    click.secho(name, bold=True)
    if not needs:
        return click.echo("needs nothing of a forge")
    click.echo(f"needs {', '.join(need.operation for need in needs)}")
    for kind, offer in sorted(app.forges.kinds.items()):
        click.echo(f"  {offer.title}: {summarize_needs(needs, kind)}")
    for answer in answers:
        verdict = click.style(answer.answer, fg=ANSWER_COLOURS[answer.answer])
        reason = f": {answer.reason}" if answer.reason else ""
        click.echo(f"  forge {answer.forge}: {answer.operation}: {verdict}{reason}")
        if answer.remedy:
            click.echo(f"    {answer.remedy}")
    return None


def describe_needs(app: App, needs: Sequence[Operation]) -> Sequence[OperationSupport]:
    """Return what each kind of forge declares about operations; no server is asked."""
    forges = {name: _load_forge(kind) for name, kind in sorted(app.forges.kinds.items())}
    return [
        OperationSupport(
            operation.__qualname__,
            {name: declared_support(forge, operation) if forge else BROKEN for name, forge in forges.items()},
        )
        for operation in needs
    ]


def _load_forge(kind: ForgeKind) -> type[Forge] | None:
    """Return the class of a kind; None if it cannot be loaded."""
    try:
        forge: type[Forge] = resolve(kind.forge)
    except StithyError:
        return None
    return forge


def summarize_needs(needs: Sequence[OperationSupport], kind: str) -> str:
    """Return in a few words whether a kind supports all operations that are needed."""
    lacking = [need.operation for need in needs if need.declared[kind] == NEVER]
    if lacking:
        return f"no: {', '.join(lacking)}"
    limits = [f"{need.operation} {need.declared[kind]}" for need in needs if need.declared[kind] != ALWAYS]
    return ", ".join(limits) or "yes"


def format_tool_table(app: App) -> Sequence[str]:
    """Return a Markdown table of tools by kinds of forge; tools that need no forge are left out."""
    needing = [tool for tool in app.executor.registry.tools.values() if tool.spec.needs]
    rows = [(f"`{tool.spec.name}`", describe_needs(app, tool.spec.needs)) for tool in needing]
    return _format_table(app, "Tool", rows)


def format_operation_table(app: App) -> Sequence[str]:
    """Return a Markdown table of operations by kinds of forge."""
    rows = [(f"`{need.operation}`", [need]) for need in describe_needs(app, operations())]
    return _format_table(app, "Operation", rows)


def _format_table(app: App, heading: str, rows: Sequence[tuple[str, Sequence[OperationSupport]]]) -> list[str]:
    """Format rows, each a name and its needs, as the lines of a table with one column for each kind of forge."""
    kinds = sorted(app.forges.kinds)
    titles = [app.forges.kinds[kind].title for kind in kinds]
    cells_by_row = [[name, *(_format_cell(needs, kind) for kind in kinds)] for name, needs in rows]
    return [f"| {' | '.join(cells)} |" for cells in ([heading, *titles], ["---"] * (len(kinds) + 1), *cells_by_row)]


def _format_cell(needs: Sequence[OperationSupport], kind: str) -> str:
    """Format a cell; a row of one operation does not repeat its name."""
    summary = summarize_needs(needs, kind)
    return summary.removeprefix(f"{needs[0].operation} ").partition(":")[0] if len(needs) == 1 else summary


async def ask_forges(app: App, tool: Tool) -> AsyncIterator[ServerAnswer]:
    """Iterate over the answers of each configured forge's server about the operations that a tool needs."""
    for alias in app.forges.configured:
        for operation in tool.spec.needs:
            yield await _ask_forge(app, alias, operation)


async def _ask_forge(app: App, alias: str, operation: Operation) -> ServerAnswer:
    name = operation.__qualname__
    try:
        support = await app.forges.forge(alias).supports(operation)
    except StithyError as error:
        return ServerAnswer(alias, name, "unknown", redact(error.message), redact(error.suggestion))
    return ServerAnswer(alias, name, "yes" if support else "no", support.reason, support.remedy)
