"""What the tests of the documentation share: the code blocks of a page, and running what they show."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).parents[2]
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


@pytest.fixture(scope="session")
def blocks():
    """Return a function that lists a page's code blocks, all or those of one language."""

    def read(page, language=None):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        found = [Block(match["name"] or "", match["language"], match["text"]) for match in BLOCK.finditer(text)]
        return [block for block in found if language in (None, block.language)]

    return read


@pytest.fixture(scope="session")
def page():
    """Return a function that reads a page."""
    return lambda name: (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.fixture
def run(tmp_path):
    """Run a command line in a folder of the test's own, with nothing of the user's settings; give code and output."""
    kept = {
        name: value for name, value in os.environ.items() if not re.match(r"STITHY_|G(H|ITHUB|ITEA)_|FORGEJO_", name)
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"

    def ran(line, **environ):
        environ = kept | {"PATH": path, "XDG_CONFIG_HOME": str(tmp_path / "home")} | environ
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=600, check=False
        )
        return done.returncode, done.stdout + done.stderr

    return ran


@pytest.fixture(scope="session")
def fits():
    """Hold an output against what a page shows: `…` stands for any text, and alone on a line for any lines."""

    def fit(shown, output):
        lines = [".*" if line == "…" else re.sub(r"…", "[^\n]*", re.escape(line)) for line in shown.strip().split("\n")]
        return re.fullmatch("\n".join(lines), output.strip(), re.DOTALL)

    return fit


@pytest.fixture
def plugins(blocks, install_plugin, tmp_path):
    """Install plugins as plugins.md shows them, whole packages too."""
    sources = defaultdict(dict)
    for block in blocks("plugins.md", "python"):
        sources[re.split(r"[/.]", block.name)[0]][block.name] = block.text

    def install(*names):
        for name in names:
            module = name.replace("-", "_")
            files = sources[module]
            install_plugin(name, files.get(f"{module}.py", ""))
            for path in files.keys() - {f"{module}.py"}:
                # A package hides the module that install_plugin wrote.
                (tmp_path / "site-packages" / module).mkdir(exist_ok=True)
                (tmp_path / "site-packages" / path).write_text(files[path])

    return install
