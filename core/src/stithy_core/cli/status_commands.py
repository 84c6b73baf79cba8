"""`stithy plugins` and `stithy doctor`."""

import sys

import anyio
import click

from stithy_core.app import App
from stithy_core.cli.command_support import json_option, with_app, write_json
from stithy_core.spi import Finding

STATE_COLOURS = {"loaded": "green", "blocked": "yellow", "failed": "red"}


@click.command()
@click.option("--hooks", is_flag=True, help="Show who implements which hook, in the order in which they are asked.")
@json_option
@with_app
def plugins(app: App, *, hooks: bool, as_json: bool) -> None:
    """Show which plugins are loaded, blocked or failed, why, and what to do about it."""
    if hooks:
        return _show_hooks(app, as_json=as_json)
    return _show_plugins(app, as_json=as_json)


def _show_plugins(app: App, *, as_json: bool) -> None:
    from attrs import asdict

    rows = app.report(app.find_unsuitable_forges()).plugins.items
    if as_json:
        return write_json([{key: value for key, value in asdict(row).items() if value is not None} for row in rows])
    for row in rows:
        click.echo(click.style(f"{row.state:8}", fg=STATE_COLOURS[row.state]) + row.name)
        if row.offer:
            click.echo(f"        offer:  {row.offer}")
        if row.cause:
            click.echo(f"        at {row.stage}: {row.cause}")
            click.echo(f"        remedy: {row.remedy}")
        for note in row.notes or ():
            click.echo(f"        note:   {note}")
    return None


def _show_hooks(app: App, *, as_json: bool) -> None:
    from attrs import asdict

    from stithy_core.plugins import trace_hooks

    traces = trace_hooks(app.plugins)
    if as_json:
        return write_json([asdict(hook) for hook in traces])
    for hook in traces:
        click.secho(hook.hook, bold=True, nl=False)
        click.echo(f"  {f'of {hook.owner}' if hook.owner else 'waits for its owner'}")
        for number, row in enumerate(hook.implementations, 1):
            offers = "" if row.offers is None else f": gave {row.offers}"
            click.echo(f"  {number}. {row.name}{offers}")
    return None


MARKS = {"ok": ("ok", "green"), "warning": ("!!", "yellow"), "error": ("XX", "red")}


@click.command()
@json_option
@with_app
def doctor(app: App, *, as_json: bool) -> None:
    """Check plugins, settings and every configured forge: reachable, which version, whose token. No token is shown."""
    from stithy_core.event_loop import loop_options

    lines = anyio.run(_gather_findings, app, not as_json, backend_options=loop_options())
    if as_json:
        rows = [{"about": about, "level": row.level, "text": row.text, "remedy": row.remedy} for about, row in lines]
        write_json(rows)
    sys.exit(1 if any(row.level == "error" for _, row in lines) else 0)


async def _gather_findings(app: App, show: bool) -> list[tuple[str, Finding]]:  # noqa: FBT001 -- anyio.run passes by position
    from stithy_core.app.doctor import examine

    lines = []
    async for about, finding in examine(app):
        lines.append((about, finding))
        if show:
            _show_finding(about, finding)
    return lines


def _show_finding(about: str, finding: Finding) -> None:
    mark, colour = MARKS[finding.level]
    click.echo(f"{click.style(mark, fg=colour)}  {about}: {finding.text}")
    if finding.remedy:
        click.echo(f"    {finding.remedy}")
