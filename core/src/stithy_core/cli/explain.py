"""`stithy explain`."""

from typing import TYPE_CHECKING, Any

import anyio
import click

from stithy_core.app import App
from stithy_core.app.tool_support import (
    OperationSupport,
    ServerAnswer,
    ask_forges,
    describe_needs,
    format_operation_table,
    format_tool_table,
    summarize_needs,
)
from stithy_core.cli.common import json_option, with_app, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stithy_core.tools import Tool

COLOURS = {"yes": "green", "no": "red", "unknown": "yellow"}


@click.command()
@click.argument("tool", required=False)
@click.option("--ask", "asking", is_flag=True, help="Ask the configured forges, too.")
@json_option
@with_app
def explain(app: App, tool: str | None, *, asking: bool, as_json: bool) -> None:
    """Show on which forges a tool works, and why not on others. Without a TOOL: tables of all, as Markdown."""
    if tool is None:
        if asking:
            raise click.UsageError("--ask takes a TOOL: all of them would ask a forge for everything.")
        return _everything(app, as_json=as_json)
    found = app.executor.registry.get(tool)
    needs = describe_needs(app, found.spec.needs)
    answers = anyio.run(_answers, app, found) if asking else []
    return _write(found.spec.name, needs, answers) if as_json else _show(app, found.spec.name, needs, answers)


async def _answers(app: App, tool: "Tool") -> list[ServerAnswer]:
    answers = [answer async for answer in ask_forges(app, tool)]
    await app.connections.aclose()
    return answers


def _everything(app: App, *, as_json: bool) -> None:
    if not as_json:
        return click.echo("\n".join([*format_tool_table(app), "", *format_operation_table(app)]))
    tools = app.executor.registry.tools.values()
    return write_json([_described(tool.spec.name, describe_needs(app, tool.spec.needs)) for tool in tools])


def _described(name: str, needs: "Sequence[OperationSupport]") -> dict[str, Any]:
    return {"name": name, "needs": [{"operation": need.operation, "declared": dict(need.declared)} for need in needs]}


def _write(name: str, needs: "Sequence[OperationSupport]", answers: "Sequence[ServerAnswer]") -> None:
    from attrs import asdict

    write_json(_described(name, needs) | {"asked": [asdict(answer) for answer in answers]})


def _show(app: App, name: str, needs: "Sequence[OperationSupport]", answers: "Sequence[ServerAnswer]") -> None:
    click.secho(name, bold=True)
    if not needs:
        return click.echo("needs nothing of a forge")
    click.echo(f"needs {', '.join(need.operation for need in needs)}")
    for kind, offer in sorted(app.forges.kinds.items()):
        click.echo(f"  {offer.title}: {summarize_needs(needs, kind)}")
    for answer in answers:
        said = click.style(answer.answer, fg=COLOURS[answer.answer])
        why = f": {answer.reason}" if answer.reason else ""
        click.echo(f"  forge {answer.forge}: {answer.operation}: {said}{why}")
        if answer.remedy:
            click.echo(f"    {answer.remedy}")
    return None
