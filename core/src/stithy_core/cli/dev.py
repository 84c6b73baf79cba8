"""`stithy dev`: a server that starts again when the files of a plugin change, with a trace of each call."""

import os
import shlex
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import anyio
import click
from attrs import evolve, frozen

from stithy_core.cli.command_support import AppOptions, format_app_options, with_app_options
from stithy_core.cli.serve import with_serve_options
from stithy_core.cli.server_process import serve_http, serve_stdio, show
from stithy_core.config import AnswerParts
from stithy_core.errors import ConfigError
from stithy_core.plugins import find_at, is_named, list_places, scan_plugins

INSPECTOR = "npx @modelcontextprotocol/inspector"
POLL_SECONDS = 0.3
IGNORED = ("__pycache__", "node_modules")

Snapshot = Mapping[Path, tuple[int, int]]
"""The time of change in nanoseconds and the size of each file."""


@frozen(kw_only=True)
class WatchedPlugin:
    """The plugin at hand.

    Args:
        paths: Its files and folders.
        options: The options with which `stithy serve` loads it; empty if it is installed.
    """

    paths: tuple[Path, ...]
    options: tuple[str, ...] = ()


@click.command()
@click.argument("target", metavar="[MODULE|FILE|DIR]", default=".")
@with_serve_options
@with_app_options
def dev(
    options: AppOptions,
    target: str,
    address: tuple[str, int] | None,
    open_: tuple[str, ...],
    answers: AnswerParts | None,
) -> None:
    """Serve as `stithy serve` does, start again when the files of a plugin change, and trace each call.

    The plugin is an installed one (its module, distribution, a file or a folder of it), a file that is a plugin, or a
    folder of such files; by default that of the working directory. Over standard input and output the client keeps its
    session. Standard error shows each call, each request to a forge, and failures with their remedies.
    """
    if open_ and address is None:
        raise click.UsageError("--open requires --http")
    plugin = find_plugin(target)
    words = [*plugin.options, *format_app_options(evolve(options, answers=answers))]
    if address:
        words += ["--http", f"{address[0]}:{address[1]}", *(word for area in open_ for word in ("--open", area))]
    # -P: as for the program `stithy`, the working directory is not searched for modules.
    command = [sys.executable, "-P", "-c", "from stithy_core.cli import main; main()", "serve", *words]
    # An edit within the second of the last start, of the same size, would not be seen in cached bytecode.
    environ = {"STITHY_LOG": "debug"} | os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    show(f"watching {', '.join(map(str, plugin.paths))}")
    show(f"to inspect it: {format_inspector_line(target, address)}")
    run = serve_http if address else serve_stdio
    anyio.run(run, command, environ, partial(watch_files, plugin.paths))


def format_inspector_line(target: str, address: tuple[str, int] | None) -> str:
    """Return the command line that opens the MCP Inspector."""
    if address is None:
        return f"{INSPECTOR} stithy dev {shlex.quote(target)}"
    return f"{INSPECTOR} --transport http --server-url http://{address[0]}:{address[1]}/mcp"


def find_plugin(target: str) -> WatchedPlugin:
    """Return the plugin that a module, a distribution, a file or a folder names.

    Raises:
        ConfigError: There is none, or its distribution is not installed.
    """
    installed = scan_plugins()
    path = Path(target)
    named = [entry for entry in installed if is_named(entry.origin, [target]) or entry.module == target]
    if not named and not path.exists():
        names = dict.fromkeys(entry.origin.distribution for entry in installed)
        raise ConfigError(
            f"no plugin, file or folder '{target}'", suggestion=f"Installed plugins: {', '.join(names) or 'none'}."
        )
    if found := named or find_at(path, installed):
        return WatchedPlugin(paths=tuple(dict.fromkeys(place for entry in found for place in list_places(entry))))
    path = path.resolve()
    return WatchedPlugin(paths=(path,), options=("--plugins-dir", str(path)))


async def watch_files(paths: Iterable[Path], restart: Callable[[], Awaitable[None]]) -> None:
    """Call `restart` after each change of a file, once the files have stayed the same for a moment."""
    served = take_snapshot(paths)
    while True:
        await anyio.sleep(POLL_SECONDS)
        before, now = served, take_snapshot(paths)
        if now == before:
            continue
        while now != before:
            await anyio.sleep(POLL_SECONDS)
            before, now = now, take_snapshot(paths)
        changed = sorted(path.name for path, _ in set(now.items()) ^ set(served.items()))
        show(f"{', '.join(dict.fromkeys(changed))} changed; starting the server again")
        served = now
        await restart()


def take_snapshot(paths: Iterable[Path]) -> Snapshot:
    """Return the state of all files."""
    return {path: state for place in paths for path in _iterate_files(place) if (state := _read_state(path))}


def _iterate_files(place: Path) -> Iterator[Path]:
    """Iterate over a file itself, or over the files of a folder without hidden and generated ones."""
    if place.is_file():
        yield place
        return
    for folder, folders, files in os.walk(place):
        folders[:] = [name for name in folders if name not in IGNORED and not name.startswith(".")]
        yield from (Path(folder, name) for name in files if not name.startswith("."))


def _read_state(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:  # it was removed meanwhile
        return None
    return state.st_mtime_ns, state.st_size
