"""The key of the cursors: a variable's, else a file's that is made at its first use, else this process's."""

import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from stithy_core.config import load_config
from stithy_core.config.secret_sources import CursorKey
from stithy_core.errors import ConfigError

SECRET = "0123456789abcdef"


@pytest.fixture
def logged(caplog):
    """The text that was logged."""
    return lambda: caplog.text


def key(folder, given=""):
    return CursorKey(given, folder=lambda: folder)()


def test_the_variable_counts_and_no_file_is_made(tmp_path):
    assert key(tmp_path, load_config({"STITHY_CURSOR_KEY": SECRET}, tmp_path).cursor_key) == SECRET.encode()
    assert not list(tmp_path.iterdir())


def test_without_it_a_file_is_made_that_every_later_start_reads(tmp_path):
    folder = tmp_path / "not" / "there"
    assert len(made := key(folder)) == 32
    assert key(folder) == made
    assert [path.name for path in folder.iterdir()] == ["cursor-key"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_only_its_owner_may_read_the_file(tmp_path):
    key(tmp_path)
    assert stat.S_IMODE((tmp_path / "cursor-key").stat().st_mode) == 0o600


@pytest.mark.parametrize("links", [True, False])
def test_concurrent_starts_share_one_key(tmp_path, monkeypatch, links):
    """With links that is certain; a file system without them has the last one's."""
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: key(tmp_path), range(8)))
    assert len(made) == 1 or not links
    assert key(tmp_path) in made
    assert [path.name for path in tmp_path.iterdir()] == ["cursor-key"]


def refuse(*_):
    raise OSError(1, "no links here")


def test_without_a_key_file_the_key_is_the_processs_own_and_reported(tmp_path, logged):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    first, second = key(blocked), key(blocked)
    assert (len(first), first == second) == (32, False)
    assert f"{blocked / 'cursor-key'} holds no key (Not a directory); set STITHY_CURSOR_KEY" in logged()


def test_a_home_that_is_not_there_is_no_error(logged):
    def nowhere():
        raise RuntimeError("could not determine home directory")

    assert len(CursorKey(folder=nowhere)()) == 32
    assert "could not determine" in logged()


@pytest.mark.parametrize("text", ["", "no key", "ab" * 31, "é"])
def test_a_file_that_holds_no_key_is_left_alone_and_said(tmp_path, text, logged):
    (tmp_path / "cursor-key").write_text(text, encoding="utf-8")
    assert len(key(tmp_path)) == 32
    assert (tmp_path / "cursor-key").read_text(encoding="utf-8") == text
    assert "cursors end with this process" in logged()
    assert "STITHY_CURSOR_KEY" in logged()


def test_a_key_that_could_be_guessed_is_refused_and_not_shown(tmp_path):
    with pytest.raises(ConfigError, match="STITHY_CURSOR_KEY must have at least 16") as caught:
        load_config({"STITHY_CURSOR_KEY": "hunter2"}, tmp_path)
    assert "hunter2" not in str(caught.value.as_dict())


def test_the_key_is_in_no_repr(tmp_path):
    config = load_config({"STITHY_CURSOR_KEY": SECRET}, tmp_path)
    assert SECRET not in repr(config) + repr(CursorKey(SECRET))
