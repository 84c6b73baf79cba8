"""Where stithy.toml is looked for."""

from pathlib import Path

import platformdirs
import pytest

from stithy_core.config import load
from stithy_core.errors import ConfigError


def with_toolset(path, name):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[serve]\ntoolsets = ['{name}']\n")
    return path


@pytest.fixture
def user_file():
    return with_toolset(Path(platformdirs.user_config_dir("stithy")) / "stithy.toml", "user")


def test_named_file_wins(tmp_path, user_file):
    with_toolset(tmp_path / "stithy.toml", "here")
    named = with_toolset(tmp_path / "other" / "mine.toml", "named")
    config = load({"STITHY_CONFIG": str(named)}, tmp_path)
    assert (config.path, config.serve.toolsets) == (named, ("named",))


def test_named_file_is_relative_to_the_working_directory(tmp_path):
    with_toolset(tmp_path / "sub" / "mine.toml", "named")
    assert load({"STITHY_CONFIG": "sub/mine.toml"}, tmp_path).path == tmp_path / "sub" / "mine.toml"


def test_working_directory_comes_before_the_user(tmp_path, user_file):
    with_toolset(tmp_path / "stithy.toml", "here")
    assert load({}, tmp_path).serve.toolsets == ("here",)


def test_user_folder_comes_last(tmp_path, user_file):
    config = load({"STITHY_CONFIG": ""}, tmp_path)
    assert (config.path, config.serve.toolsets) == (user_file, ("user",))


def test_folder_of_that_name_is_no_file(tmp_path):
    (tmp_path / "stithy.toml").mkdir()
    assert load({}, tmp_path).path is None


def test_nothing_at_all_gives_the_defaults(tmp_path):
    config = load({}, tmp_path)
    assert (config.path, config.forges, config.tables) == (None, {}, {})


def test_named_file_must_be_there(tmp_path, user_file):
    with pytest.raises(ConfigError, match=r"absent\.toml: cannot be read: No such file") as caught:
        load({"STITHY_CONFIG": "sub/absent.toml"}, tmp_path)
    assert caught.value.details["file"] == str(tmp_path / "sub" / "absent.toml")


@pytest.mark.parametrize("name", ["a\0b", "~nobody-of-that-name/x.toml"])
def test_name_that_is_no_path_is_refused(tmp_path, name):
    with pytest.raises(ConfigError, match=r"^STITHY_CONFIG "):
        load({"STITHY_CONFIG": name}, tmp_path)


def test_file_elsewhere_is_called_by_its_whole_path(tmp_path, user_file):
    user_file.write_text("x = 1")
    with pytest.raises(ConfigError) as caught:
        load({}, tmp_path)
    assert caught.value.message.startswith(f"{user_file}:1: x ")
