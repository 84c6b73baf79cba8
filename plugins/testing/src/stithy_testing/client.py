"""An app from the text of its settings, an MCP client of it in the same process, and one of its forges."""

import os
import sys
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from stithy_core.app import App
from stithy_core.builtin.preference_file import PreferenceFile
from stithy_core.config import load_config
from stithy_core.plugins import Entry, scan_plugins
from stithy_core.spi import Forge

CURSOR_KEY = "known to every test"
"""With one key, cursors are the same in every run."""
SETTLED = 2_000_000_000
"""Nanoseconds after which the time of a folder's last change proves that its listing is the same."""


def make_app(
    folder: Path,
    settings: str = "",
    *,
    environ: Mapping[str, str] | None = None,
    entries: Iterable[Entry] | None = None,
    preferences: Mapping[str, Any] | None = None,
) -> App:
    """Create an app from the text of a stithy.toml.

    Args:
        folder: The folder for the settings, and the working directory. Its folder `state` has the record of writes,
            so a second app in the same folder behaves like a restarted server.
        settings: The text of stithy.toml.
        environ: The environment; empty by default, except for the key of cursors.
        entries: The plugins; the installed ones by default.
        preferences: The stored values of `stithy preferences`; none by default.
    """
    path = folder / "stithy.toml"
    path.write_text(settings, encoding="utf-8")
    variables = {"STITHY_CONFIG": str(path), "STITHY_CURSOR_KEY": CURSOR_KEY} | dict(environ or {})
    preference_file = PreferenceFile(folder / "preferences.json")
    for name, value in (preferences or {}).items():
        preference_file.store(name, value)
    return App(
        load_config(variables, folder),
        environ=variables,
        directory=folder,
        entries=_scan_installed(_list_distributions()) if entries is None else entries,
        preferences=preference_file,
        state=lambda: folder / "state",
    )


def _list_distributions() -> tuple[tuple[str, ...], ...]:
    """Return the names of the installed distributions, by folder of `sys.path`."""
    return tuple((folder, *_list_metadata(folder)) for folder in sys.path)


def _list_metadata(folder: str) -> Sequence[str]:
    folder = folder or str(Path.cwd())
    try:
        changed = Path(folder).stat().st_mtime_ns
        # Two changes within a tick of the clock have one time, so that of a fresh change says nothing.
        is_settled = time.time_ns() - changed > SETTLED
        return _list_settled(folder, changed) if is_settled else _scan_metadata(folder)
    except OSError:  # a zip file, or a folder that does not exist
        return ()


@lru_cache(maxsize=64)
def _list_settled(folder: str, changed: int) -> Sequence[str]:  # noqa: ARG001 -- it is a part of the key
    return _scan_metadata(folder)


def _scan_metadata(folder: str) -> Sequence[str]:
    with os.scandir(folder) as found:
        return sorted(one.name for one in found if one.name.endswith((".dist-info", ".egg-info")))


@lru_cache(maxsize=8)
def _scan_installed(distributions: tuple[tuple[str, ...], ...]) -> Sequence[Entry]:  # noqa: ARG001 -- it is the key
    """Return the installed plugins. A scan reads the metadata of all distributions: it would be most of a set-up."""
    return scan_plugins()


@asynccontextmanager
async def connect(app: App, *, mode: str = "auto", **options: Any) -> AsyncIterator[Any]:
    """Connect the official client to an app in the same process, and yield the client.

    Args:
        app: The app, from `make_app`.
        mode: `auto` for the protocol of 2026-07-28, `legacy` for the handshake before it.
        options: Further arguments of `mcp.Client`.
    """
    from mcp import Client

    from stithy_core.server import build_server

    async with Client(build_server(app.contents()), mode=mode, **options) as client:
        yield client


@asynccontextmanager
async def open_forge(app: App, alias: str) -> AsyncIterator[Forge]:
    """Run an app and yield one of its forges, without the guards of forge access that tools have.

    Args:
        app: The app, from `make_app`.
        alias: The name of the forge in the settings.
    """
    async with app.running():
        yield app.forges.forge(alias)
