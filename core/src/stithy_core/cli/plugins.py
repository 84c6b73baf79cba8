"""`stithy plugins`."""

import click

from stithy_core.app import App
from stithy_core.cli.common import json_option, with_app, write_json

COLOURS = {"loaded": "green", "blocked": "yellow", "failed": "red"}


@click.command()
@click.option("--hooks", is_flag=True, help="Show who implements which hook, in the order in which they are asked.")
@json_option
@with_app
def plugins(app: App, *, hooks: bool, as_json: bool) -> None:
    """Show which plugins are loaded, blocked or failed, why, and what to do about it."""
    if hooks:
        return _hooks(app, as_json=as_json)
    return _plugins(app, as_json=as_json)


def _plugins(app: App, *, as_json: bool) -> None:
    from attrs import asdict

    rows = app.report(app.unsuitable()).plugins.items
    if as_json:
        return write_json([{key: value for key, value in asdict(row).items() if value is not None} for row in rows])
    for row in rows:
        click.echo(click.style(f"{row.state:8}", fg=COLOURS[row.state]) + row.name)
        if row.offer:
            click.echo(f"        offer:  {row.offer}")
        if row.cause:
            click.echo(f"        at {row.stage}: {row.cause}")
            click.echo(f"        remedy: {row.remedy}")
        for note in row.notes or ():
            click.echo(f"        note:   {note}")
    return None


def _hooks(app: App, *, as_json: bool) -> None:
    from attrs import asdict

    from stithy_core.plugins import trace_hooks

    traces = trace_hooks(app.plugins)
    if as_json:
        return write_json([asdict(hook) for hook in traces])
    for hook in traces:
        click.secho(hook.hook, bold=True, nl=False)
        click.echo(f"  {f'of {hook.owner}' if hook.owner else 'waits for its owner'}")
        for number, row in enumerate(hook.implementations, 1):
            gave = "" if row.offers is None else f": gave {row.offers}"
            click.echo(f"  {number}. {row.name}{gave}")
    return None
