"""`stithy doctor`."""

import sys

import anyio
import click

from stithy_core.app import App
from stithy_core.app.doctor import examine
from stithy_core.cli.common import json_option, with_app, write_json
from stithy_core.event_loop import loop_options
from stithy_core.spi import Finding

MARKS = {"ok": ("ok", "green"), "warning": ("!!", "yellow"), "error": ("XX", "red")}


@click.command()
@json_option
@with_app
def doctor(app: App, *, as_json: bool) -> None:
    """Check plugins, settings and every configured forge: reachable, which version, whose token. No token is shown."""
    lines = anyio.run(_gather, app, not as_json, backend_options=loop_options())
    if as_json:
        rows = [{"about": about, "level": row.level, "text": row.text, "remedy": row.remedy} for about, row in lines]
        write_json(rows)
    sys.exit(1 if any(row.level == "error" for _, row in lines) else 0)


async def _gather(app: App, show: bool) -> list[tuple[str, Finding]]:  # noqa: FBT001 -- anyio.run passes by position
    lines = []
    async for about, finding in examine(app):
        lines.append((about, finding))
        if show:
            _show(about, finding)
    return lines


def _show(about: str, finding: Finding) -> None:
    mark, colour = MARKS[finding.level]
    click.echo(f"{click.style(mark, fg=colour)}  {about}: {finding.text}")
    if finding.remedy:
        click.echo(f"    {finding.remedy}")
