"""An MCP client in the same process, the app it talks to, and a forge of that."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from stithy_core.app import App
from stithy_core.builtin.preference_file import PreferenceFile
from stithy_core.config import load_config
from stithy_core.plugins import Entry
from stithy_core.spi import Forge

CURSOR_KEY = "known to every test"


def make_app(
    folder: Path,
    settings: str = "",
    *,
    environ: Mapping[str, str] | None = None,
    entries: Iterable[Entry] | None = None,
    preferences: Mapping[str, Any] | None = None,
) -> App:
    """Put a server together from the text of a stithy.toml.

    Args:
        folder: Where the settings are written; it is the working directory, too. The record of writes
            is in its folder `state`, so that a second app of the same folder is as a server that was restarted.
        settings: The text of stithy.toml.
        environ: The environment; empty by default, but for a key, so that cursors are the same in every run and no
            key is kept for the user.
        entries: The plugins; those that are installed by default.
        preferences: What the user has stored by `stithy preferences`; nothing by default.
    """
    path = folder / "stithy.toml"
    path.write_text(settings, encoding="utf-8")
    given = {"STITHY_CONFIG": str(path), "STITHY_CURSOR_KEY": CURSOR_KEY} | dict(environ or {})
    stored = PreferenceFile(folder / "preferences.json")
    for name, value in (preferences or {}).items():
        stored.store(name, value)
    return App(
        load_config(given, folder),
        environ=given,
        directory=folder,
        entries=entries,
        preferences=stored,
        state=lambda: folder / "state",
    )


@asynccontextmanager
async def connect(app: App, *, mode: str = "auto", **options: Any) -> AsyncIterator[Any]:
    """Connect the official client to an app, without any process between them.

    Args:
        app: What `make_app` gave.
        mode: `auto` for the protocol of 2026-07-28, `legacy` for the handshake before it.
        options: Whatever else `mcp.Client` takes.
    """
    from mcp import Client

    from stithy_core.server import build_server

    async with Client(build_server(app.contents()), mode=mode, **options) as client:
        yield client


@asynccontextmanager
async def reach(app: App, alias: str) -> AsyncIterator[Forge]:
    """Give a forge itself, with a way to its server; tools get it with the guards of its settings.

    Args:
        app: What `make_app` gave.
        alias: What the settings call the forge.
    """
    async with app.running():
        yield app.forges.forge(alias)
