"""Plugins that are written where they are needed, and servers that have only these."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from stithy_core.app.assembly import App
from stithy_core.plugins import Entry
from stithy_core.spi import Context, Contribution, ToolSpec
from stithy_testing import make_app


@frozen
class Nothing:
    """No arguments."""


@frozen
class Said:
    """A result that is nothing but its text."""

    text: str = "done"
    numbers: tuple[int, ...] = field(default=())

    def render(self) -> Iterator[str]:
        yield self.text


async def say(ctx: Context, args: Any) -> Said:
    return Said()


@pytest.fixture
def said() -> type[Said]:
    """The class of the results of tools."""
    return Said


@pytest.fixture
def tool() -> Callable[..., ToolSpec]:
    """Write a tool that takes nothing, unless another input is given."""

    def spec(name: str, handler: Callable[..., Any] = say, **options: Any) -> ToolSpec:
        usual: dict[str, Any] = {"name": name, "title": "T", "description": "D", "input": Nothing, "handler": handler}
        return ToolSpec(**usual | options)

    return spec


@pytest.fixture
def broken() -> Entry:
    """A plugin that cannot be imported."""

    def load() -> Any:
        raise ImportError("it wants the moon")

    return Entry(Contribution("stithy-broken", "0.3", "broken"), load=load)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., App]:
    """Return a function that creates an app with some plugins."""

    def app(*entries: Entry, settings: str = "") -> App:
        return make_app(tmp_path, settings, entries=entries)

    return app
