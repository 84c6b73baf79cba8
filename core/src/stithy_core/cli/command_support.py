"""What the commands share: options, standard streams, creating the app, and output of JSON."""

import functools
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import fields_dict, frozen

if TYPE_CHECKING:
    from stithy_core.app import App
    from stithy_core.config import AnswerParts, Config
    from stithy_core.plugins import Entry

Streams = tuple[int, int]
"""Descriptors of standard input and standard output."""


def take_streams() -> Streams:
    """Redirect standard input to an empty file and standard output to standard error, on the level of descriptors.

    They belong to answers. Replacing `sys.stdout` is not enough while third-party code runs: a C library or another
    program writes to the descriptor itself.

    Returns:
        The descriptors of the real streams.

    Raises:
        OSError: One of them is closed.
    """
    _flush()
    streams = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return streams


@contextmanager
def redirect_streams() -> Iterator[None]:
    """Redirect the streams within the block, as `take_streams` does; if one of them is closed, do nothing."""
    try:
        streams = take_streams()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        _flush()
        for descriptor, real in enumerate(streams):
            os.dup2(real, descriptor)
            os.close(real)


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


F = TypeVar("F", bound=Callable[..., Any])

STRICT = 3

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


@frozen
class AppOptions:
    """Options of the command line that change the settings of the app.

    Args:
        only: The plugins to load, and no others; empty loads all.
        blocked: The plugins to exclude.
        folders: Folders of plugins that are single files.
        strict: Whether a plugin that failed is fatal.
        read_only: Whether every write is refused, whatever the settings are.
        lockdown: Whether texts by people who may not push are withheld, whatever the settings are.
        toolsets: The sets of tools to serve instead of those of the settings; None keeps those.
        answers: The parts of answers to send, of the commands that serve; None keeps those of the settings.
    """

    only: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    strict: bool = False
    read_only: bool = False
    lockdown: bool = False
    toolsets: tuple[str, ...] | None = None
    answers: "AnswerParts | None" = None


def _parse_names(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:  # noqa: ARG001 -- click's signature
    """Return names that are separated by commas; None without the option.

    Raises:
        BadParameter: The value has no name. An empty tuple would serve everything.
    """
    if value is None:
        return None
    names = tuple(name for name in map(str.strip, value.split(",")) if name)
    if not names:
        raise click.BadParameter("expected at least one name")
    return names


FOLDER = click.Path(path_type=Path)
_DECLARATIONS = (
    partial(
        click.option, "--plugin", "only", multiple=True, metavar="NAME", help="Load this plugin only; may be repeated."
    ),
    partial(
        click.option, "--no-plugin", "blocked", multiple=True, metavar="NAME", help="Exclude a plugin; may be repeated."
    ),
    partial(
        click.option,
        *("--plugins-dir", "folders"),
        multiple=True,
        metavar="DIR",
        type=FOLDER,
        help="Load the plugins of a single file in this folder, or this file, too; may be repeated.",
    ),
    partial(click.option, "--strict-plugins", "strict", is_flag=True, help="End with code 3 when a plugin failed."),
    partial(click.option, "--read-only", is_flag=True, help="Refuse every write."),
    partial(click.option, "--lockdown", is_flag=True, help="Withhold texts by people who may not push."),
    partial(
        click.option,
        "--toolsets",
        metavar="NAME,…",
        callback=_parse_names,
        help="Serve the tools of these sets, and those of none.",
    ),
)
VALUED = ("--plugin", "--no-plugin", "--plugins-dir", "--toolsets")
FLAGS = ("--strict-plugins", "--read-only", "--lockdown")


def declare_app_options(**attributes: Any) -> Callable[[F], F]:
    """Return a decorator that declares the options of `AppOptions`.

    Args:
        attributes: Further attributes of each option.
    """

    def declare(command: F) -> F:
        for option in reversed(_DECLARATIONS):
            command = option(**attributes)(command)
        return command

    return declare


def move_app_options(words: Sequence[str]) -> list[str]:
    """Return a command line with the options of `AppOptions` before all other words; the word `--` ends them.

    So `stithy` itself parses them wherever they are, and a plugin's command does not see them.
    """
    moved: list[str] = []
    kept: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            kept += [word, *left]
        elif word in FLAGS or word.startswith(tuple(f"{name}=" for name in VALUED)):
            moved.append(word)
        elif word in VALUED and (value := next(left, None)) is not None:
            moved += [word, value]
        else:
            kept.append(word)
    return moved + kept


def read_app_options(ctx: click.Context) -> AppOptions:
    """Return the options that `stithy` was called with."""
    values = ctx.find_root().params
    return AppOptions(**{name: values[name] for name in fields_dict(AppOptions) if values.get(name)})


def format_app_options(options: AppOptions) -> list[str]:
    """Return the words of a command line that have these options."""
    lists = {"--plugin": options.only, "--no-plugin": options.blocked, "--plugins-dir": options.folders}
    words = [word for name, values in lists.items() for value in values for word in (name, str(value))]
    switches = zip(FLAGS, (options.strict, options.read_only, options.lockdown), strict=True)
    words += [name for name, is_on in switches if is_on]
    words += [] if options.answers is None else ["--answers", options.answers]
    return words if options.toolsets is None else [*words, "--toolsets", ",".join(options.toolsets)]


def with_app_options(command: F) -> F:
    """Pass the options for plugins to a command. Its help shows them; `stithy` itself parses them."""

    @declare_app_options(expose_value=False)
    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        return command(read_app_options(click.get_current_context()), *args, **options)

    return run  # type: ignore[return-value]


def with_app(command: F) -> F:
    """Pass the app to a command, created from the settings and the options of the command line."""

    @with_app_options
    @functools.wraps(command)
    def run(app_options: AppOptions, *args: Any, **options: Any) -> Any:
        return command(create_app(app_options), *args, **options)

    return run  # type: ignore[return-value]


def create_app(options: AppOptions = AppOptions()) -> "App":
    """Read the settings and create the app; with `strict` and a failed plugin, exit with code 3.

    Raises:
        ConfigError: The settings are wrong, or an option names an unknown plugin or toolset.
    """
    from stithy_core.app import App
    from stithy_core.builtin.preference_file import PreferenceFile
    from stithy_core.config import load_config

    set_up_logging(os.environ.get("STITHY_LOG", "warning"))
    here = Path.cwd()
    config = _apply_options(load_config(os.environ, here), options)
    with redirect_streams():
        app = App(
            config,
            environ=os.environ,
            directory=here,
            entries=find_entries(options),
            only=options.only,
            preferences=PreferenceFile(),
        )
    for failed in app.all_failed:
        logging.getLogger("stithy.plugins").info("%s", failed)
    if options.strict and app.all_failed:
        for failed in app.all_failed:
            click.secho(str(failed), fg="red", err=True)
        sys.exit(STRICT)
    _check_toolsets(app, options.toolsets or ())
    if (error := app.check_names()) is not None:
        raise error
    return app


def _apply_options(config: "Config", options: AppOptions) -> "Config":
    """Return the settings with options of the command line applied.

    Raises:
        ConfigError: An option contradicts the settings.
    """
    from attrs import evolve

    answers = options.answers or config.serve.answers
    if answers == "text" and config.serve.output_schemas:
        from stithy_core.errors import ConfigError

        raise ConfigError(
            "--answers text contradicts output_schemas = true in [serve]: a schema promises an object",
            suggestion="Leave out one of the two.",
        )
    return evolve(
        config,
        plugins=evolve(config.plugins, disabled=(*config.plugins.disabled, *options.blocked)),
        serve=evolve(
            config.serve,
            read_only=config.serve.read_only or options.read_only,
            lockdown=config.serve.lockdown or options.lockdown,
            toolsets=config.serve.toolsets if options.toolsets is None else options.toolsets,
            answers=answers,
        ),
    )


def _check_toolsets(app: "App", names: tuple[str, ...]) -> None:
    """Check that tools belong to each set, unless a plugin is missing, which may have them.

    Raises:
        ConfigError: No tool belongs to a set.
    """
    unknown = next((name for name in names if name not in app.toolsets), None)
    if unknown is not None and not (app.plugins.failed or app.plugins.blocked):
        from stithy_core.errors import ConfigError

        available = ", ".join(app.toolsets) or "none"
        raise ConfigError(f"--toolsets {unknown}: no such toolset", suggestion=f"Available: {available}.")


def find_entries(options: AppOptions) -> "list[Entry]":
    """Return the plugins that are installed or in the folders.

    Raises:
        ConfigError: A plugin to load is not among them, or a folder cannot be read.
    """
    from stithy_core.plugins import is_named, scan_folder, scan_plugins

    entries = scan_plugins()
    entries += [entry for folder in options.folders for entry in scan_folder(folder)]
    for name in options.only:
        if not any(is_named(entry.origin, [name]) for entry in entries):
            from stithy_core.errors import ConfigError

            available = ", ".join(entry.origin.distribution for entry in entries) or "none"
            raise ConfigError(f"--plugin {name}: no such plugin", suggestion=f"Available: {available}.")
    return entries


COMMANDS = "stithy.commands"
"""The group of entry points for commands of the core that another distribution implements."""


def find_external_command(
    entry_point: str, name: str, purpose: str, distribution: str, extra: str = ""
) -> click.Command:
    """Return a command that another distribution implements; if that is not installed, one that says so.

    Args:
        entry_point: Its name in the group `stithy.commands`.
        name: What users write.
        purpose: Its help without that distribution.
        distribution: The distribution that implements it.
        extra: The extra in brackets that installs all that it needs.
    """
    from importlib.metadata import entry_points

    for entry in entry_points(group=COMMANDS, name=entry_point):
        command: click.Command = entry.load()
        return command

    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def fail(words: tuple[str, ...]) -> None:  # noqa: ARG001 -- any arguments
        from stithy_core.errors import ConfigError

        raise ConfigError(
            f"`stithy {entry_point.replace('-', ' ')}` needs the package {distribution}",
            suggestion=f'Run: pip install "{distribution}{extra}"',
        )

    settings = {"ignore_unknown_options": True, "help_option_names": []}
    return click.command(name, help=f"{purpose} (needs {distribution}).", context_settings=settings)(fail)


def set_up_logging(level: str) -> None:
    """Log to standard error, without secrets; standard output belongs to answers."""
    from stithy_core.redaction import redact

    class RedactingFormatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return redact(super().format(record))

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("stithy")
    root.handlers = [handler]
    root.propagate = False
    root.setLevel(level.upper() if level.upper() in logging.getLevelNamesMapping() else logging.WARNING)


def write_json(value: Any) -> None:
    """Write a value as JSON to standard output."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
