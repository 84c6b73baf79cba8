"""Fixtures for settings: a folder with a stithy.toml, without a user's own file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stithy_core import config
from stithy_core.errors import ConfigError


@pytest.fixture(autouse=True)
def _no_file_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Any]:
    """Load a text as the stithy.toml of the working directory."""

    def load_text(text: str, **environ: str) -> Any:
        (tmp_path / "stithy.toml").write_text(text, encoding="utf-8")
        return config.load_config(environ, tmp_path)

    return load_text


@pytest.fixture
def refusal(read: Callable[..., Any]) -> Callable[..., ConfigError]:
    """Return the error of a text that is refused."""

    def load_refused(text: str, **environ: str) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            read(text, **environ)
        return caught.value

    return load_refused
