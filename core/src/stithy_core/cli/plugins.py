"""`stithy plugins`."""

import click

from stithy_core.app import App
from stithy_core.cli.common import json_option, with_app, write_json

COLOURS = {"loaded": "green", "blocked": "yellow", "failed": "red"}


@click.command()
@json_option
@with_app
def plugins(app: App, *, as_json: bool) -> None:
    """Show which plugins are loaded, blocked or failed, why, and what to do about it."""
    from attrs import asdict

    rows = app.report().plugins.items
    if as_json:
        write_json([{key: value for key, value in asdict(row).items() if value is not None} for row in rows])
        return
    for row in rows:
        click.echo(click.style(f"{row.state:8}", fg=COLOURS[row.state]) + f"{row.distribution} {row.version}")
        if row.offer:
            click.echo(f"        offer:  {row.offer}")
        if row.cause:
            click.echo(f"        at {row.stage}: {row.cause}")
            click.echo(f"        remedy: {row.remedy}")
        for note in row.notes or ():
            click.echo(f"        note:   {note}")
