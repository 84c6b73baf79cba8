"""The wheels of all distributions, built once."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from distributions import PROJECTS, ROOT, UV

BUILD = """
import os, sys
from hatchling.build import build_wheel
for project in sys.argv[2:]:
    os.chdir(project)
    build_wheel(sys.argv[1])
"""
"""Builds in one process what `pip wheel` builds in two for each project; the test of the container runs that."""


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the wheels of all distributions."""
    folder = tmp_path_factory.mktemp("wheels")
    subprocess.run([sys.executable, "-c", BUILD, folder, *PROJECTS], check=True, capture_output=True, cwd=ROOT)
    return folder


@pytest.fixture(scope="session")
def outside(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the options of `subprocess` for a program apart from this environment, with the wheels at hand."""
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GH_", "STITHY_"))}
    environ = kept | {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "UV_FIND_LINKS": str(wheels)}
    # pip reads the value of a `--no-…` option as that of the option without `no`: this compiles only what is imported.
    environ |= {"PIP_FIND_LINKS": str(wheels), "PIP_NO_COMPILE": "0", "PIPX_HOME": str(home / "pipx")}
    environ |= {"UV_PYTHON": sys.executable, "UV_CACHE_DIR": str(home / "uv"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    return {"env": environ, "cwd": home}


@pytest.fixture(scope="session")
def uv(outside: dict[str, Any]) -> Callable[..., str]:
    """Return a function that runs uv apart from this environment, and returns its output."""

    def run(*words: object) -> str:
        done = subprocess.run([*UV, *map(str, words)], capture_output=True, text=True, check=False, **outside)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    return run
