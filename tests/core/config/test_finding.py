"""Where stithy.toml is looked for."""

import os
from pathlib import Path

import platformdirs
import pytest
from attrs import frozen

from stithy_core.config import load_config, read_table
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
    config = load_config({"STITHY_CONFIG": str(named)}, tmp_path)
    assert (config.path, config.serve.toolsets) == (named, ("named",))


def test_named_file_is_relative_to_the_working_directory(tmp_path):
    with_toolset(tmp_path / "sub" / "mine.toml", "named")
    assert load_config({"STITHY_CONFIG": "sub/mine.toml"}, tmp_path).path == tmp_path / "sub" / "mine.toml"


def test_working_directory_comes_before_the_user(tmp_path, user_file):
    with_toolset(tmp_path / "stithy.toml", "here")
    assert load_config({}, tmp_path).serve.toolsets == ("here",)


def test_user_folder_comes_last(tmp_path, user_file):
    config = load_config({"STITHY_CONFIG": ""}, tmp_path)
    assert (config.path, config.serve.toolsets) == (user_file, ("user",))


def test_folder_of_that_name_is_no_file(tmp_path):
    (tmp_path / "stithy.toml").mkdir()
    assert load_config({}, tmp_path).path is None


def test_missing_settings_are_the_defaults(tmp_path):
    config = load_config({}, tmp_path)
    assert (config.path, config.forges, config.tables) == (None, {}, {})


def test_named_file_must_be_there(tmp_path, user_file):
    with pytest.raises(ConfigError, match=r"absent\.toml: cannot be read: No such file") as caught:
        load_config({"STITHY_CONFIG": "sub/absent.toml"}, tmp_path)
    assert caught.value.details["file"] == str(tmp_path / "sub" / "absent.toml")


@pytest.mark.parametrize("name", ["a\0b", "~nobody-of-that-name/x.toml"])
def test_name_that_is_no_path_is_refused(tmp_path, name):
    with pytest.raises(ConfigError, match=r"^STITHY_CONFIG "):
        load_config({"STITHY_CONFIG": name}, tmp_path)


def test_file_elsewhere_is_called_by_its_whole_path(tmp_path, user_file):
    user_file.write_text("x = 1")
    with pytest.raises(ConfigError) as caught:
        load_config({}, tmp_path)
    assert caught.value.message.startswith(f"{user_file}:1: x ")


@pytest.fixture
def repository(tmp_path):
    """A repository with a stithy.toml, in a folder that has another one, and a folder below."""
    with_toolset(tmp_path / "stithy.toml", "foreign")
    root = tmp_path / "project"
    with_toolset(root / "stithy.toml", "project")
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "src" / "deep").mkdir(parents=True)
    return root


def test_file_of_the_repository_counts_in_a_folder_below(repository):
    """Hosts start the server where their user is (FIX-36)."""
    config = load_config({}, repository / "src" / "deep")
    assert (config.path, config.serve.toolsets) == (repository / "stithy.toml", ("project",))


def test_nearest_file_counts(repository):
    """A part of a repository may have settings of its own (FIX-36)."""
    with_toolset(repository / "src" / "stithy.toml", "nearest")
    assert load_config({}, repository / "src" / "deep").serve.toolsets == ("nearest",)


def test_no_file_above_the_repository_is_read(repository):
    """A file of a foreign folder outside of the repository could name commands (FIX-36)."""
    (repository / "stithy.toml").unlink()
    config = load_config({}, repository / "src" / "deep")
    assert config.path is None
    assert config.project.folders == (repository / "src" / "deep", repository / "src", repository)


def test_no_file_above_the_working_directory_is_read_without_a_repository(tmp_path, repository):
    """An empty folder `.git` does not count as a repository, as for git (FIX-36)."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "plain").mkdir()
    assert load_config({}, tmp_path / "plain").path is None


def test_worktrees_and_submodules_have_a_file_in_the_place_of_git(repository):
    """They are repositories of their own (FIX-36)."""
    inner = repository / "vendored"
    (inner / "src").mkdir(parents=True)
    (inner / ".git").write_text("gitdir: ../.git/modules/vendored\n")
    assert load_config({}, inner / "src").path is None
    with_toolset(inner / "stithy.toml", "vendored")
    assert load_config({}, inner / "src").serve.toolsets == ("vendored",)


def test_project_that_claude_code_names_is_looked_in_last(tmp_path, repository, user_file):
    """CLAUDE_PROJECT_DIR counts after the working directory and before the user's file (FIX-36)."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environ = {"CLAUDE_PROJECT_DIR": str(repository / "src")}
    assert load_config(environ, elsewhere).serve.toolsets == ("project",)
    with_toolset(elsewhere / "stithy.toml", "here")
    assert load_config(environ, elsewhere).serve.toolsets == ("here",)


@pytest.mark.parametrize("named", ["", "relative", "/no/such/folder", "/a\0b"])
def test_project_that_is_no_folder_is_passed_over(tmp_path, user_file, named):
    """A variable of a host must not stop the server (FIX-36)."""
    assert load_config({"CLAUDE_PROJECT_DIR": named}, tmp_path).serve.toolsets == ("user",)


@pytest.mark.parametrize("foreign", ["stithy.toml", ".git", "."])
def test_file_of_another_user_above_is_refused_and_listed(repository, monkeypatch, foreign):
    """Anybody may put a `.git` and a stithy.toml into a folder that all may write to (FIX-36)."""
    own = os.stat

    def stat(path, **options):
        found = own(path, **options)
        return os.stat_result((*found[:4], 4_242, *found[5:])) if Path(path) == repository / foreign else found

    monkeypatch.setattr(os, "stat", stat)
    config = load_config({}, repository / "src")
    assert (config.path, config.project.refused) == (None, (repository / "stithy.toml",))


def test_default_path_of_a_plugin_starts_at_the_project(repository):
    """The documents of a project are found from a folder below, too (FIX-36)."""

    @frozen
    class Documents:
        root: Path = Path()

    assert read_table(load_config({}, repository / "src"), "documents", Documents).root == repository
