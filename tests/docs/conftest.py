"""Fixtures for the documentation: the code blocks of a page, and running their commands."""

import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner

from stithy_core.cli.command_group import list_plugin_commands, stithy
from stithy_testing.pytest_plugin import unload_modules

ROOT = Path(__file__).parents[2]
GUIDE = "plugins"
BLOCK = re.compile(
    r"(?:`(?P<name>[\w./-]+)`[^`\n]*:\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)

SETTINGS = re.compile(r"STITHY_|GH_|GITHUB_|GITEA_|FORGEJO_")


@frozen
class Block:
    """One code block of a page, and the file name that stands before it."""

    name: str
    language: str
    text: str


def read_page(name: str) -> str:
    """Return the text of a page; of a folder with a table of its chapters, the chapters in that order."""
    place = ROOT / "docs" / name
    if place.is_file():
        return place.read_text(encoding="utf-8")
    start = (place / "README.md").read_text(encoding="utf-8")
    chapters = dict.fromkeys(re.findall(r"^\| \[.+?\]\(([\w-]+\.md)\) \|", start, re.MULTILINE))
    return "\n".join([start, *((place / chapter).read_text(encoding="utf-8") for chapter in chapters)])


@pytest.fixture(scope="session")
def blocks() -> Callable[..., list[Block]]:
    """Return a function that lists a page's code blocks, all or those of one language."""

    def read(page: str, language: str | None = None) -> list[Block]:
        text = read_page(page)
        found = [Block(match["name"] or "", match["language"], match["text"]) for match in BLOCK.finditer(text)]
        return [block for block in found if language in (None, block.language)]

    return read


@pytest.fixture(scope="session")
def page() -> Callable[[str], str]:
    """Return a function that reads a page."""
    return read_page


@pytest.fixture
def source(blocks: Callable[..., list[Block]]) -> Callable[[str], str]:
    """Return a function that finds the text of a file of the guide to plugins."""
    return lambda name: next(block.text for block in blocks(GUIDE) if block.name == name)


def run_here(words: list[str], folder: Path, environ: dict[str, str]) -> tuple[int, str]:
    """Run `stithy` in this process, in a folder and with an environment; return its code and output."""
    list_plugin_commands.cache_clear()
    with unload_modules(folder), pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in os.environ.keys() - environ.keys():
            patch.delenv(name)
        for name, value in environ.items():
            patch.setenv(name, value)
        for place in reversed(environ.get("PYTHONPATH", "").split(os.pathsep)):
            if place and place not in sys.path:
                patch.syspath_prepend(place)
        result = CliRunner().invoke(stithy, words, prog_name="stithy")
    list_plugin_commands.cache_clear()
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout + result.stderr


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Return a function that runs a command line without the user's settings, and returns code and output.

    A line of `stithy` alone runs in this process, any other one in a shell; so does `stithy ci`, since a process looks
    for parsers once.
    """
    kept = {
        name: value for name, value in os.environ.items() if not re.match(r"STITHY_|G(H|ITHUB|ITEA)_|FORGEJO_", name)
    }
    kept |= {"PYTEST_ADDOPTS": "-p no:schemathesis"}  # a second of each pytest, and no author has it
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"

    def ran(line: str, **environ: str) -> tuple[int, str]:
        environ = kept | {"PATH": path, "XDG_CONFIG_HOME": str(tmp_path / "home")} | environ
        if re.match("stithy (?!ci )", line) and not set(line) & set("|&;<>$`(){}*?~#\n\\"):
            return run_here(shlex.split(line)[1:], tmp_path, environ)
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=600, check=False
        )
        return done.returncode, done.stdout + done.stderr

    return ran


@pytest.fixture(scope="session")
def fits() -> Callable[[str, str], re.Match[str] | None]:
    """Return a function that compares an output with a page: `…` is any text, and any lines where it is alone."""

    def fit(shown: str, output: str) -> re.Match[str] | None:
        lines = [".*" if line == "…" else re.sub(r"…", "[^\n]*", re.escape(line)) for line in shown.strip().split("\n")]
        return re.fullmatch("\n".join(lines), output.strip(), re.DOTALL)

    return fit


@pytest.fixture
def plugins(
    blocks: Callable[..., list[Block]], install_plugin: Callable[..., Any], tmp_path: Path
) -> Callable[..., None]:
    """Install plugins as the guide shows them, whole packages too."""
    sources: dict[str, dict[str, str]] = defaultdict(dict)
    for block in blocks(GUIDE, "python"):
        sources[re.split(r"[/.]", block.name)[0]][block.name] = block.text

    def install(*names: str) -> None:
        for name in names:
            module = name.replace("-", "_")
            files = sources[module]
            install_plugin(name, files.get(f"{module}.py", ""))
            for path in files.keys() - {f"{module}.py"}:
                # A package hides the module that install_plugin wrote.
                (tmp_path / "site-packages" / module).mkdir(exist_ok=True)
                (tmp_path / "site-packages" / path).write_text(files[path])

    return install
