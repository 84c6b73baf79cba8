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

if TYPE_CHECKING:
    from stithy_core.app import App

F = TypeVar("F", bound=Callable[..., Any])

STRICT = 3

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


def with_app(command: F) -> F:
    """Hand a command the app, made from the settings, with the plugin options it was called with."""

    @click.option("--no-plugin", "blocked", multiple=True, metavar="NAME", help="Leave a plugin out; may be repeated.")
    @click.option("--strict-plugins", is_flag=True, help="End with code 3 when a plugin failed.")
    @functools.wraps(command)
    def run(*args: Any, blocked: tuple[str, ...], strict_plugins: bool, **options: Any) -> Any:
        app = make_app(blocked)
        if strict_plugins and app.all_failed:
            for failed in app.all_failed:
                click.secho(str(failed), fg="red", err=True)
            sys.exit(STRICT)
        return command(app, *args, **options)

    return run  # type: ignore[return-value]


def make_app(blocked: tuple[str, ...] = ()) -> "App":
    """Read the settings and put the server together.

    Raises:
        ConfigError: The settings are wrong.
    """
    from attrs import evolve

    from stithy_core.app import App
    from stithy_core.config import load

    set_up_logging(os.environ.get("STITHY_LOG", "warning"))
    here = Path.cwd()
    config = load(os.environ, here)
    config = evolve(config, plugins=evolve(config.plugins, disabled=(*config.plugins.disabled, *blocked)))
    app = App(config, environ=os.environ, directory=here)
    if (misread := app.unanswered()) is not None:
        raise misread
    return app


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
