"""`stithy plugins` and `stithy doctor`."""

import sys

import anyio
import click

from stithy_core.app import App
from stithy_core.cli.command_support import (
    AppOptions,
    create_app,
    find_entries,
    find_external_command,
    json_option,
    redirect_streams,
    with_app,
    with_app_options,
    write_json,
)
from stithy_core.spi import Finding

NEW = "new"
LEVEL_COLOURS = {"ok": "green", "note": "yellow", "error": "red"}
STATE_COLOURS = {"loaded": "green", "blocked": "yellow", "failed": "red"}


class PluginsGroup(click.Group):
    """`stithy plugins` with its commands; `new` belongs to stithy-testing, which has the template."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands, also `new` if it is not installed."""
        return sorted([*super().list_commands(ctx), NEW])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one command."""
        if cmd_name == NEW:
            return find_external_command(f"plugins-{NEW}", NEW, "Create a plugin", "stithy-testing", "[new]")
        return super().get_command(ctx, cmd_name)


@click.group(cls=PluginsGroup, invoke_without_command=True)
@click.option("--hooks", is_flag=True, help="Show who implements which hook, in the order in which they are asked.")
@json_option
@with_app_options
def plugins(options: AppOptions, *, hooks: bool, as_json: bool) -> None:
    """Show which plugins are loaded, blocked or failed, why, and what to do about it."""
    if click.get_current_context().invoked_subcommand is None:
        (_show_hooks if hooks else _show_plugins)(create_app(options), as_json=as_json)


def _show_plugins(app: App, *, as_json: bool) -> None:
    from attrs import asdict

    from stithy_core.app.plugin_faults import find_faults

    rows = app.report(find_faults(app)).plugins.items
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


@plugins.command()
@click.argument("names", nargs=-1, metavar="[DIST|MODULE|FILE]…")
@json_option
@with_app_options
def check(options: AppOptions, names: tuple[str, ...], *, as_json: bool) -> None:
    """Check what can be known of plugins without a server: all that are installed, or those that are named.

    DIST is an installed distribution or entry point, MODULE a module that can be imported, FILE a plugin of a single
    file. The settings are not read. The exit code is 1 if something cannot work.
    """
    from stithy_core.app.plugin_faults import check_plugins, select_entries
    from stithy_core.cli.command_support import set_up_logging

    set_up_logging("critical")
    with redirect_streams():
        findings = check_plugins(select_entries(names, find_entries(options)))
    if as_json:
        write_json([{key: value for key, value in row.as_dict().items() if value} for row in findings])
    else:
        for row in findings:
            click.echo(click.style(f"{row.level:6}", fg=LEVEL_COLOURS[row.level]) + str(row))
    sys.exit(1 if any(row.level == "error" for row in findings) else 0)


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
