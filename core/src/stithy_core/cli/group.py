"""`stithy` itself: its own commands, and those that plugins bring."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from stithy_core import __version__
from stithy_core.errors import ConfigError, StithyError

EPILOG = """\b
Exit codes:
  0  it worked
  1  a tool answered with an error, or doctor found one
  2  the command line or the settings are wrong
  3  a plugin failed, under --strict-plugins
"""


class Stithy(click.Group):
    """Imports a command when it is called; asks the plugins only for names that are not its own."""

    OWN = ("call", "doctor", "explain", "plugins", "preferences", "serve", "tools")

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """Name the core's commands, then the plugins'; help is there though the settings are wrong."""
        from stithy_core.cli.extensions import commands

        try:
            theirs = commands()
        except ConfigError as error:
            _say(error)
            return list(self.OWN)
        return [*self.OWN, *(name for name in theirs if name not in self.OWN)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click's signature
        """Import one command."""
        if cmd_name in self.OWN:
            from importlib import import_module

            command: click.Command = getattr(import_module(f"stithy_core.cli.{cmd_name}"), cmd_name)
            return command
        from stithy_core.cli.extensions import commands

        return commands().get(cmd_name)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run, and say known errors without a traceback."""
        try:
            return super().main(args, *rest, **options)
        except StithyError as error:
            _say(error)
            sys.exit(2 if isinstance(error, ConfigError) else 1)


def _say(error: StithyError) -> None:
    click.secho(f"Error: {error.message}", fg="red", err=True)
    if error.suggestion:
        click.echo(error.suggestion, err=True)


@click.group(
    cls=Stithy,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--version", is_flag=True, help="Show the version and end.")
@click.option("--json", "as_json", is_flag=True, help="With --version: as JSON.")
@click.pass_context
def stithy(ctx: click.Context, *, version: bool, as_json: bool) -> None:
    """One MCP server for the forges a team uses; everything it can do comes from a plugin."""
    if version:
        click.echo(json.dumps({"stithy": __version__}) if as_json else f"stithy {__version__}")
    elif ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
