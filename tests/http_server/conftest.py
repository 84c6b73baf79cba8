"""Fixtures: servers with one plugin, in this process and as separate processes."""

import textwrap
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from loopback import Server, starting
from pond_served import PLUGIN
from serving import Served, serving

from stithy_core.app.assembly import App
from stithy_core.plugins import Entry
from stithy_core.spi import Contribution, Route, hookimpl
from stithy_testing import make_app


class Plugin:
    """A plugin with routes only."""

    STITHY_API = 1

    def __init__(self, routes: list[Route]) -> None:
        self._routes = routes

    @hookimpl
    def stithy_routes(self) -> list[Route]:
        return self._routes


@pytest.fixture
def serve(tmp_path: Path) -> Callable[..., App]:
    """Create an app with routes: whole routes, or handlers by the first segment of their paths."""

    def app(
        *routes: Route, settings: str = "", environ: Mapping[str, str] | None = None, **handlers: Callable[..., Any]
    ) -> App:
        made = [Route(method="GET", path=f"/{name}/{{owner}}/{{repo}}", handler=handlers[name]) for name in handlers]
        entry = Entry(Contribution("stithy-test", "1.0", "test"), load=lambda: Plugin([*routes, *made]))
        return make_app(tmp_path, settings, environ=environ, entries=[entry])

    return app


@pytest.fixture
async def forge(unproxied: None) -> AsyncIterator[Server]:
    """A forge on the loopback interface."""
    async with starting() as start:
        yield await start(Server())


@pytest.fixture
def pond(tmp_path: Path, forge: Server) -> Callable[..., AbstractAsyncContextManager[Served]]:
    """Start servers that read and write that forge, as processes."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "ponds.py").write_text(textwrap.dedent(PLUGIN))
    place = f'[forges.pond]\nkind = "pond"\nurl = "{forge.url}"\ntoken = {{ env = "POND" }}\n'

    def start(settings: str = "", **variables: Any) -> AbstractAsyncContextManager[Served]:
        (tmp_path / "stithy.toml").write_text(place + settings)
        redis = ("--plugin", "stithy-redis") if "STITHY_REDIS_URL" in variables else ()
        return serving(tmp_path, "--plugins-dir", "plugins", "--plugin", "ponds", *redis, **variables)

    return start
