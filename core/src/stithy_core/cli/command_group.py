"""`stithy` itself: its own commands, and those of plugins."""

import json
import os
import sys
from collections.abc import Awaitable, Sequence
from functools import cache
from importlib import import_module
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

import click

from stithy_core.cli.command_support import (
    AppOptions,
    create_app,
    declare_app_options,
    find_external_command,
    move_app_options,
    read_app_options,
)
from stithy_core.errors import ConfigError, StithyError
from stithy_core.version import __version__

if TYPE_CHECKING:
    from stithy_core.app import App
    from stithy_core.spi import Command, Contribution

EPILOG = """\b
Exit codes:
  0  it worked
  1  a tool answered with an error, or doctor found one
  2  the command line or the settings are wrong
  3  a plugin failed, under --strict-plugins
"""


OWN = {
    "call": "tool_commands",
    "completion": "completion",
    "dev": "dev",
    "doctor": "status_commands",
    "explain": "tool_commands",
    "init": "",
    "plugins": "status_commands",
    "preferences": "preferences",
    "serve": "serve",
    "tools": "tool_commands",
}
"""The core's commands, each with its module in this package; `init` is in stithy-init."""


class Stithy(click.Group):
    """Imports a command when it is called; loads plugins only for names that are not its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options for plugins before and after the command, also after one of a plugin."""
        return super().parse_args(ctx, move_app_options(args))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the core's commands, then the plugins'; with wrong settings, show the error and only the core's."""
        try:
            others = list_plugin_commands(read_app_options(ctx))
        except ConfigError as error:
            _show_error(error)
            return list(OWN)
        return [*OWN, *(name for name in others if name not in OWN)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name == "init":
            return find_external_command("init", "init", "Add the server to the settings of agent hosts", "stithy-init")
        if cmd_name in OWN:
            command: click.Command = getattr(import_module(f"stithy_core.cli.{OWN[cmd_name]}"), cmd_name)
            return command
        return list_plugin_commands(read_app_options(ctx)).get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; say of an unknown one that it may be of a plugin."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchOption:
            raise
        except click.UsageError as error:
            hint = "`stithy --help` lists the commands; those of plugins that are not installed are missing."
            raise click.UsageError(f"{error.message} {hint}", ctx) from None

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run, and show known errors without a traceback."""
        try:
            return super().main(args, *rest, color=_choose_color(), **options)
        except StithyError as error:
            _show_error(error)
            sys.exit(2 if isinstance(error, ConfigError) else 1)


def _choose_color() -> bool | None:
    """Return what click expects: False for no colours anywhere, None for colours on a terminal (https://no-color.org)."""
    return False if os.environ.get("NO_COLOR") else None


def _show_error(error: StithyError) -> None:
    click.secho(f"Error: {error.message}", fg="red", err=True, color=_choose_color())
    if error.suggestion:
        click.echo(error.suggestion, err=True)


@cache
def list_plugin_commands(options: AppOptions) -> dict[str, click.Command]:
    """Return the plugins' commands by name; names of the core's commands are reserved."""
    app = create_app(options)
    return {command.name: _wrap_command(command, app, origin) for command, origin in app.commands}


def _wrap_command(command: "Command", app: "App", origin: "Contribution") -> click.Command:
    """Create a command that passes on the rest of the line; the plugin's function is imported when it runs."""

    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def run(words: tuple[str, ...]) -> None:
        sys.exit(_run_command(command, app, origin, words))

    return click.command(command.name, cls=_PluginCommand, help=command.help, add_help_option=False)(run)


class _PluginCommand(click.Command):
    """Passes all words on; click itself would drop the first `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["words"] = tuple(args)
        return []


def _run_command(command: "Command", app: "App", origin: "Contribution", words: tuple[str, ...]) -> int | None:
    """Run a plugin's command, and return its exit code.

    Raises:
        StithyError: The command raised it.
        PluginFault: It failed in another way; the log has the traceback at the level debug.
    """
    import anyio

    from stithy_core.errors import InvalidSpec
    from stithy_core.event_loop import loop_options
    from stithy_core.plugins import describe_error, resolve
    from stithy_core.spi.faults import PluginFault, ends_caller

    def create_fault(cause: str, remedy: str) -> PluginFault:
        text, offer = f"the command {command.name!r} failed inside {origin}", f"command {command.name}"
        return PluginFault(text, suggestion=remedy, origin=origin, offer=offer, cause=cause)

    scope = app.scope(origin)
    report = "Report it to the plugin's author; with STITHY_LOG=debug, the log has the traceback."
    try:
        code: object = resolve(command.run)(scope, words)
        if isawaitable(code):
            code = anyio.run(_run_with_services, app, code, backend_options=loop_options())
    except InvalidSpec as error:
        raise create_fault(error.message, error.suggestion) from error
    except (StithyError, SystemExit, click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except BaseException as error:
        if ends_caller(error):
            raise
        scope.log.debug("the command %s failed", command.name, exc_info=error)
        raise create_fault(describe_error(error), report) from error
    if code is not None and (isinstance(code, bool) or not isinstance(code, int)):  # True would be the failure 1
        remedy = "Report it to the plugin's author: the function returns the exit code."
        raise create_fault(f"it returned a {type(code).__name__}, not an exit code", remedy)
    return code


async def _run_with_services(app: "App", command: "Awaitable[object]") -> object:
    """Await a command while the app runs; its error is raised outside of the app's task group, which would wrap it."""
    from stithy_core.cli.terminal import ProgressBars

    error: BaseException | None = None
    app.progress = ProgressBars().show
    async with app.running():
        try:
            return await command
        except (Exception, SystemExit) as raised:  # noqa: BLE001 -- it is raised below
            error = raised
    raise error


@click.group(
    cls=Stithy,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--version", is_flag=True, help="Show the version and end.")
@click.option("--json", "as_json", is_flag=True, help="With --version: as JSON.")
# Before `--help`, which lists the commands of the plugins.
@declare_app_options(is_eager=True)
@click.pass_context
def stithy(ctx: click.Context, /, *, version: bool, as_json: bool, **_: object) -> None:
    """One MCP server for the forges a team uses; everything it can do comes from a plugin."""
    if version:
        click.echo(json.dumps({"stithy": __version__}) if as_json else f"stithy {__version__}")
        ctx.exit()  # whatever command follows
    elif ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
