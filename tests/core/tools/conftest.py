"""Tools that are made in the test, served by the real registry, scope and executor."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen
from builtin_wrappers import bind_builtins

from stithy_core.errors import ToolNotFound
from stithy_core.forges import Forges
from stithy_core.plugins import Library, PluginScope, Shared, load_plugins, resolve
from stithy_core.spi import Contribution, ToolAnswer, ToolSpec
from stithy_core.tools import Executor, Jobs, build_registry, create_tool
from stithy_core.tools.registry import Tool

ORIGIN = Contribution("stithy-pond", "1.0", "pond")


@frozen
class Nothing:
    pass


async def told_nobody(changes: object) -> None:
    pass


async def refuse_call(name: str, arguments: object) -> ToolAnswer:
    raise ToolNotFound(name)


def make_tool(handler: Callable[..., Any], input: type = Nothing, *, name: str = "tool", **options: Any) -> Tool:  # noqa: A002 -- the spec's own word
    scope = PluginScope(
        ORIGIN,
        plugins=load_plugins([]),
        settings=lambda cls: cls(),
        publish=told_nobody,
        shared=Shared(),
        tool=lambda _: None,
        call_tool=refuse_call,
        library=lambda: Library([]),
    )
    spec = ToolSpec(name=name, title="T", description="D", input=input, handler=handler, **options)
    return create_tool(spec, ORIGIN, scope, resolve, bind_builtins(scope))


def make_executor(*tools: Tool, folder: Path, refuse: Callable[[Any], str] = lambda _: "") -> Executor:
    connect: Any = None  # there are no forges
    places = Forges([], {}, resolve=resolve, connect=connect, directory=folder)
    wrappers = tools[0].wrappers if tools else ()  # one object each for the whole server
    shared = [evolve(tool, wrappers=wrappers) for tool in tools]
    return Executor(build_registry(shared, refuse), places, Jobs(), wrappers=wrappers)


@pytest.fixture(scope="session")
def tool() -> Callable[..., Tool]:
    """Make a tool of a handler: `tool(handler, Input, duration="slow")`."""
    return make_tool


@pytest.fixture(scope="session")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Executor]:
    """Serve tools: `executor(tool, …)`."""
    folder = tmp_path_factory.mktemp("working-directory")
    return lambda *tools, **options: make_executor(*tools, folder=folder, **options)


@pytest.fixture(scope="session")
def serving(executor: Callable[..., Executor]) -> Callable[..., Executor]:
    """Serve one handler as the tool named `tool`."""
    return lambda handler, *args, **options: executor(make_tool(handler, *args, **options))


@pytest.fixture
def logs(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The lines that the tools log."""
    caplog.set_level(logging.INFO, logger="stithy.tools")
    return caplog
