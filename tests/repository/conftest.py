"""The wheels of all distributions, built once."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from distributions import PROJECTS, ROOT


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the wheels of all distributions."""
    folder = tmp_path_factory.mktemp("wheels")
    words = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, *PROJECTS]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, words)]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    return folder


@pytest.fixture(scope="session")
def uv(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Return a function that runs uv with the wheels at hand, apart from this environment, and returns its output."""
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GH_", "STITHY_"))}
    environ = kept | {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "UV_FIND_LINKS": str(wheels)}
    environ |= {"PIP_FIND_LINKS": str(wheels), "PIPX_HOME": str(home / "pipx")}
    environ |= {"UV_PYTHON": sys.executable, "UV_CACHE_DIR": str(home / "uv"), "UV_TOOL_BIN_DIR": str(home / "bin")}

    def run(*words: object, **options: object) -> str:
        command = [Path(sys.executable).with_name("uv"), "--quiet", *map(str, words)]
        done = subprocess.run(command, env=environ, cwd=home, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    return run
