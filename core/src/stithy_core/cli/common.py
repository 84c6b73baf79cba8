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
from attrs import fields_dict, frozen

from stithy_core.cli.streams import kept

if TYPE_CHECKING:
    from stithy_core.app import App
    from stithy_core.config import Config
    from stithy_core.plugins import Entry

F = TypeVar("F", bound=Callable[..., Any])

STRICT = 3

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


@frozen
class Choice:
    """Which plugins are loaded, and what may be done with them, as the command line says.

    Args:
        only: Those to load, and no other; empty loads all.
        blocked: Those to leave out.
        folders: Where plugins of a single file lie.
        strict: Whether one that failed is fatal.
        read_only: Whether every write is refused, whatever the settings say.
        lockdown: Whether texts by people who may not push are withheld, whatever the settings say.
        toolsets: The sets of tools to serve in the place of those of the settings; None leaves it to them.
    """

    only: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    strict: bool = False
    read_only: bool = False
    lockdown: bool = False
    toolsets: tuple[str, ...] | None = None


def with_choice(command: F) -> F:
    """Add the options for plugins to a command, and pass their values to it."""

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
    @click.option("--read-only", is_flag=True, help="Refuse every write.")
    @click.option("--lockdown", is_flag=True, help="Withhold texts by people who may not push.")
    @click.option(
        "--toolsets", metavar="NAME,…", callback=_names, help="Serve the tools of these sets, and those of none."
    )
    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        chosen = {name: options.pop(name) for name in fields_dict(Choice)}
        return command(Choice(**chosen), *args, **options)

    return run  # type: ignore[return-value]


def _names(ctx: click.Context, parameter: click.Parameter, given: str | None) -> tuple[str, ...] | None:  # noqa: ARG001 -- click's signature
    """Read names with commas between them; an option that names nothing is none that serves everything."""
    if given is None:
        return None
    names = tuple(name for name in map(str.strip, given.split(",")) if name)
    if not names:
        raise click.BadParameter("give at least one name")
    return names


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
    from stithy_core.app import App
    from stithy_core.builtin.preferences.preference_file import PreferenceFile
    from stithy_core.config import load_config

    set_up_logging(os.environ.get("STITHY_LOG", "warning"))
    here = Path.cwd()
    config = _chosen(load_config(os.environ, here), choice)
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
    _check_toolsets(app, choice.toolsets or ())
    if (error := app.check_names()) is not None:
        raise error
    return app


def _chosen(config: "Config", choice: Choice) -> "Config":
    """Return the settings with the command line's options applied."""
    from attrs import evolve

    return evolve(
        config,
        plugins=evolve(config.plugins, disabled=(*config.plugins.disabled, *choice.blocked)),
        serve=evolve(
            config.serve,
            read_only=config.serve.read_only or choice.read_only,
            lockdown=config.serve.lockdown or choice.lockdown,
            toolsets=config.serve.toolsets if choice.toolsets is None else choice.toolsets,
        ),
    )


def _check_toolsets(app: "App", names: tuple[str, ...]) -> None:
    """Refuse a set that no tool belongs to; while a plugin is missing it may be its own."""
    missing = next((name for name in names if name not in app.toolsets), None)
    if missing is not None and not (app.plugins.failed or app.plugins.blocked):
        from stithy_core.errors import ConfigError

        there = ", ".join(app.toolsets) or "none"
        raise ConfigError(f"--toolsets {missing}: no tool belongs to it", suggestion=f"There are {there}.")


def _entries(choice: Choice) -> "list[Entry]":
    """Find what is installed and what lies in the folders; whoever is named must be among them."""
    from stithy_core.plugins import is_named, scan_folder, scan_plugins

    entries = scan_plugins()
    if choice.folders:
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
