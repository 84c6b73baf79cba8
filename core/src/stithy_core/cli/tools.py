"""`stithy tools`."""

from typing import Any

import click

from stithy_core.app import App
from stithy_core.cli.common import json_option, with_app, write_json
from stithy_core.tools import Tool


@click.command()
@click.argument("name", required=False)
@json_option
@with_app
def tools(app: App, name: str | None, *, as_json: bool) -> None:
    """List the tools, or show one whole: what it takes, what it gives, what it needs of a forge."""
    registry = app.executor.registry
    if name:
        described = _described(registry.get(name))
        write_json(described) if as_json else _show(described)
    elif as_json:
        write_json([_summary(tool) for tool in registry.tools.values()])
    else:
        for tool in registry.tools.values():
            click.echo(click.style(tool.spec.name, bold=True) + f"  {tool.spec.title} ({tool.origin})")
        for switched_off, why in registry.refused.items():
            click.echo(click.style(switched_off, dim=True) + f"  switched off: {why}")


def _summary(tool: Tool) -> dict[str, Any]:
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


def _described(tool: Tool) -> dict[str, Any]:
    return _summary(tool) | {"input": tool.published, "output": tool.output}


def _show(described: dict[str, Any]) -> None:
    click.secho(described["name"], bold=True)
    click.echo(described["description"])
    click.echo(f"plugin: {described['plugin']}   effects: {described['effects']}   duration: {described['duration']}")
    click.echo(f"needs:  {', '.join(described['needs']) or 'nothing of a forge'}")
    required = described["input"].get("required", [])
    click.echo("takes:")
    for name, schema in described["input"]["properties"].items():
        kind = schema.get("type") or "one of several forms"
        need = "required" if name in required else "optional"
        click.echo(f"  {name} ({kind}, {need})  {schema.get('description', '')}")
    click.echo("gives:")
    for name, schema in described["output"]["properties"].items():
        click.echo(f"  {name} ({schema.get('type', 'any')})")
