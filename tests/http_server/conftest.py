"""Fixtures: servers with one plugin, in this process and as separate processes."""

import textwrap

import pytest
from loopback import Server, starting
from pond_served import PLUGIN
from serving import serving

from stithy_core.plugins import Entry
from stithy_core.spi import Contribution, Route, hookimpl
from stithy_testing import make_app


class Plugin:
    """A plugin with routes only."""

    STITHY_API = 0

    def __init__(self, routes):
        self._routes = routes

    @hookimpl
    def stithy_routes(self):
        return self._routes


@pytest.fixture
def serve(tmp_path):
    """Create an app with routes: whole routes, or handlers by the first segment of their paths."""

    def app(*routes, settings="", environ=None, **handlers):
        made = [Route(method="GET", path=f"/{name}/{{owner}}/{{repo}}", handler=handlers[name]) for name in handlers]
        entry = Entry(Contribution("stithy-test", "1.0", "test"), load=lambda: Plugin([*routes, *made]))
        return make_app(tmp_path, settings, environ=environ, entries=[entry])

    return app


@pytest.fixture
async def forge(unproxied):
    """A forge on the loopback interface."""
    async with starting() as start:
        yield await start(Server())


@pytest.fixture
def pond(tmp_path, forge):
    """Start servers that read and write that forge, as processes."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "ponds.py").write_text(textwrap.dedent(PLUGIN))
    place = f'[forges.pond]\nkind = "pond"\nurl = "{forge.url}"\ntoken = {{ env = "POND" }}\n'

    def start(settings="", **variables):
        (tmp_path / "stithy.toml").write_text(place + settings)
        redis = ("--plugin", "stithy-redis") if "STITHY_REDIS_URL" in variables else ()
        return serving(tmp_path, "--plugins-dir", "plugins", "--plugin", "ponds", *redis, **variables)

    return start
