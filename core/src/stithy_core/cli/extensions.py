"""The commands that plugins bring."""

import sys
from functools import cache

import click

from stithy_core.cli.common import make_app
from stithy_core.plugins import resolve
from stithy_core.spi import Command, Scope


@cache
def commands() -> dict[str, click.Command]:
    """Return the plugins' commands by name; names of the core's commands are reserved."""
    app = make_app()
    return {command.name: _wrapped(command, app.scope(origin)) for command, origin in app.commands}


def _wrapped(command: Command, scope: Scope) -> click.Command:
    """Make a command that hands over the rest of the line; what runs is imported then."""

    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def run(words: tuple[str, ...]) -> None:
        sys.exit(resolve(command.run)(scope, words))

    settings = {"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": []}
    return click.command(command.name, help=command.help, context_settings=settings)(run)
