"""What the commands share: options, putting the server together, and writing JSON."""

import functools
import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import frozen

from stithy_core.cli.streams import kept

if TYPE_CHECKING:
    from stithy_core.app import App
    from stithy_core.plugins import Entry

F = TypeVar("F", bound=Callable[..., Any])

STRICT = 3

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


@frozen
class Choice:
    """Which plugins are loaded, as the command line says.

    Args:
        only: Those to load, and no other; empty loads all.
        blocked: Those to leave out.
        folders: Where plugins of a single file lie.
        strict: Whether one that failed is fatal.
    """

    only: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    strict: bool = False


def with_choice(command: F) -> F:
    """Give a command the plugin options, and hand it what was chosen."""

    @click.option("--plugin", "only", multiple=True, metavar="NAME", help="Load this plugin only; may be repeated.")
    @click.option("--no-plugin", "blocked", multiple=True, metavar="NAME", help="Leave a plugin out; may be repeated.")
    @click.option(
        "--plugins-dir",
        "folders",
        multiple=True,
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Load the plugins of a single file in this folder, too; may be repeated.",
    )
    @click.option("--strict-plugins", "strict", is_flag=True, help="End with code 3 when a plugin failed.")
    @functools.wraps(command)
    def run(
        *args: Any,
        only: tuple[str, ...],
        blocked: tuple[str, ...],
        folders: tuple[Path, ...],
        strict: bool,
        **options: Any,
    ) -> Any:
        return command(Choice(only, blocked, folders, strict), *args, **options)

    return run  # type: ignore[return-value]


def with_app(command: F) -> F:
    """Hand a command the app, made from the settings and the plugin options it was called with."""

    @functools.wraps(command)
    def run(choice: Choice, *args: Any, **options: Any) -> Any:
        return command(make_app(choice), *args, **options)

    return with_choice(run)  # type: ignore[return-value]


def make_app(choice: Choice = Choice()) -> "App":
    """Read the settings and put the server together; with a failed plugin a strict one ends here, with code 3.

    Raises:
        ConfigError: The settings are wrong, or a plugin was named that is not there.
    """
    from attrs import evolve

    from stithy_core.app import App
    from stithy_core.config import PreferenceFile, load

    set_up_logging(os.environ.get("STITHY_LOG", "warning"))
    here = Path.cwd()
    config = load(os.environ, here)
    config = evolve(config, plugins=evolve(config.plugins, disabled=(*config.plugins.disabled, *choice.blocked)))
    with kept():
        app = App(
            config,
            environ=os.environ,
            directory=here,
            entries=_entries(choice),
            only=choice.only,
            preferences=PreferenceFile(),
        )
    if choice.strict and app.all_failed:
        for failed in app.all_failed:
            click.secho(str(failed), fg="red", err=True)
        sys.exit(STRICT)
    if (misread := app.unanswered()) is not None:
        raise misread
    return app


def _entries(choice: Choice) -> "list[Entry]":
    """Find what is installed and what lies in the folders; whoever is named must be among them."""
    from stithy_core.plugins import is_named, scan

    entries = scan()
    if choice.folders:
        from stithy_core.plugins.files import scan_folder

        entries += [entry for folder in choice.folders for entry in scan_folder(folder)]
    for name in choice.only:
        if not any(is_named(entry.origin, [name]) for entry in entries):
            from stithy_core.errors import ConfigError

            there = ", ".join(entry.origin.distribution for entry in entries) or "none"
            raise ConfigError(f"--plugin {name}: no plugin is called so", suggestion=f"There are {there}.")
    return entries


def set_up_logging(level: str) -> None:
    """Log to standard error, without secrets; standard output belongs to answers."""
    from stithy_core.redaction import redact

    class Redacting(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return redact(super().format(record))

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("stithy")
    root.handlers = [handler]
    root.propagate = False
    root.setLevel(level.upper() if level.upper() in logging.getLevelNamesMapping() else logging.WARNING)


def write_json(value: Any) -> None:
    """Write a value as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
