"""The command line in a folder of its own, with nobody's settings, tokens or loggers."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stithy_core.cli.command_group import list_plugin_commands, stithy

VARIABLES = ("GITHUB_", "GH_", "GITEA_", "FORGEJO_", "STITHY_")

TOOL = """
    from typing import Annotated
    from attrs import frozen
    from stithy_core.spi import Effects, Meta, ToolSpec, NotFound, hookimpl

    STITHY_API = 1

    @frozen
    class Words:
        text: Annotated[str, Meta("What to say")]
        times: Annotated[int, Meta("How often", ge=1)] = 1

    @frozen
    class Said:
        said: str
        kind: str

        def render(self):
            yield self.said

    async def say(ctx, args) -> Said:
        if args.text == "nothing":
            raise NotFound("there is nothing to say", suggestion="Say something.")
        return Said(args.text * args.times, type(args.text).__name__)

    @hookimpl
    def stithy_tools():
        return [
            ToolSpec(name="parrot", title="Parrot", description="Says it again.", input=Words, handler=say),
            ToolSpec(
                name="paint", title="Paint", description="Paints it.", input=Words, handler=say, effects=Effects.ADD
            ),
        ]
"""


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing of the user who runs the tests, and nothing left for the next test."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in list(os.environ):
        if name.startswith(VARIABLES):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    list_plugin_commands.cache_clear()
    yield
    list_plugin_commands.cache_clear()


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run `stithy` with some words; the result has `exit_code`, `stdout` and `stderr`."""

    def stithy_with(*words: Any, **options: Any) -> Result:
        return CliRunner().invoke(stithy, words, prog_name="stithy", **options)

    return stithy_with


@pytest.fixture
def settings(tmp_path: Path) -> Callable[[str], int]:
    """Write the stithy.toml of the working directory."""
    return (tmp_path / "here" / "stithy.toml").write_text


@pytest.fixture
def parrot(install_plugin: Callable[..., Any]) -> Any:
    """A plugin with two tools: `parrot` reads and `paint` writes."""
    return install_plugin("stithy-parrot", TOOL)


@pytest.fixture
def half_broken(install_plugin: Callable[..., Any]) -> Any:
    """The same plugin with one tool that cannot be served."""
    return install_plugin("stithy-parrot", TOOL.replace('name="parrot"', 'name="no good name"'))


@pytest.fixture
def broken(install_plugin: Callable[..., Any]) -> Any:
    """A plugin that cannot be imported."""
    return install_plugin("stithy-broken", "import a_module_nobody_has")


@pytest.fixture
def stithy_process(tmp_path: Path) -> tuple[list[str], dict[str, str], Callable[[], set[str]]]:
    """The words and the environment that start `stithy` in a process of its own; it lists its modules as it ends."""
    listed = tmp_path / "modules"
    program = (
        "import atexit, pathlib, sys; from stithy_core.cli import main; "
        f"atexit.register(lambda: pathlib.Path({str(listed)!r}).write_text(' '.join(sys.modules))); main()"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    environ = kept | {"PYTHONPATH": str(tmp_path / "site-packages")}

    def modules() -> set[str]:
        return set(listed.read_text().split())

    return [sys.executable, "-c", program], environ, modules
