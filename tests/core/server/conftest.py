"""Plugins that are written where they are needed, and servers that have only these."""

import pytest
from attrs import field, frozen

from stithy_core.plugins import Entry
from stithy_core.spi import Contribution, ToolSpec
from stithy_testing import make_app


@frozen
class Nothing:
    """No arguments."""


@frozen
class Said:
    """A result that is nothing but its text."""

    text: str = "done"
    numbers: tuple[int, ...] = field(default=())

    def render(self):
        yield self.text


async def say(ctx, args) -> Said:
    return Said()


@pytest.fixture
def said():
    """The class of the results of tools."""
    return Said


@pytest.fixture
def tool():
    """Write a tool that takes nothing, unless another input is given."""

    def spec(name, handler=say, **options):
        return ToolSpec(
            **{"name": name, "title": "T", "description": "D", "input": Nothing, "handler": handler} | options
        )

    return spec


@pytest.fixture
def broken():
    """A plugin that cannot be imported."""

    def load():
        raise ImportError("it wants the moon")

    return Entry(Contribution("stithy-broken", "0.3", "broken"), load=load)


@pytest.fixture
def make(tmp_path):
    """Put a server of some plugins together; keywords are what a single plugin `stithy-test` offers."""

    def app(*entries, settings=""):
        return make_app(tmp_path, settings, entries=entries)

    return app
