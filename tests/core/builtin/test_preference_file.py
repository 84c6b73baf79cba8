"""The file of the user's preferences: whole or untouched, its owner's alone, never overwritten when it is broken."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from stithy_core.builtin.preference_file import PreferenceFile
from stithy_core.errors import ConfigError

BROKEN = {
    "no-json": "{",
    "no-object": "[1]",
    "nothing": "",
    "nan": '{"wait": NaN}',
    "deep": "[" * 100_000,
    "long-number": '{"wait": ' + "9" * 5_000 + "}",
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings" / "preferences.json"


@pytest.fixture
def file(path):
    return PreferenceFile(path)


@pytest.fixture
def write(path):
    """Write the file as an editor would."""

    def write_content(content):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write_content


def test_without_a_file_nothing_is_preferred_and_none_is_made(file, path):
    assert file.values() == {}
    assert not path.parent.exists()


@pytest.mark.parametrize("value", [True, False, "by_file", 7, 0.5, ["a", "ü"], "", "\udcff"])
def test_a_stored_preference_is_read_by_the_next_process(file, path, value):
    file.store("wait", value)
    assert PreferenceFile(path).values() == {"wait": value}


def test_clearing_removes_one_preference(file, path):
    file.store("wait", value=True)
    file.store("sort", "by_file")
    file.clear(["wait", "never_stored"])
    assert PreferenceFile(path).values() == {"sort": "by_file"}


def test_a_number_in_the_place_of_a_truth_is_stored(file, path):
    file.store("wait", value=True)
    file.store("wait", 1)
    assert PreferenceFile(path).values()["wait"] is not True


def test_clearing_nothing_makes_no_file(file, path):
    file.clear(["wait"])
    assert not path.exists()


def test_only_its_owner_may_read_it(file, path):
    previous = os.umask(0)
    try:
        file.store("wait", value=True)
    finally:
        os.umask(previous)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_everybody_could_read_is_closed_by_the_next_change(file, path, write):
    write("{}")
    path.chmod(0o644)
    file.store("wait", value=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_change_of_another_process_is_seen_at_the_next_look(file, path):
    assert file.values() == {}
    PreferenceFile(path).store("wait", value=True)
    assert file.values() == {"wait": True}
    path.unlink()
    assert file.values() == {}


def test_a_change_within_one_tick_of_the_clock_is_seen(file, path, write):
    write('{"a": 1}')
    os.utime(path, ns=(0, 0))
    file.values()
    PreferenceFile(path).store("a", 2)
    os.utime(path, ns=(0, 0))
    assert file.values() == {"a": 2}


def test_it_is_read_once_a_change(file, write, monkeypatch):
    write('{"wait": true}')
    first = file.values()
    monkeypatch.setattr(Path, "open", None)
    assert file.values() is first


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_named_and_left_as_it_is(file, path, write, kind):
    write(BROKEN[kind])
    for attempt in (file.values, lambda: file.store("wait", value=True), lambda: file.clear(["wait"])):
        with pytest.raises(ConfigError) as caught:
            attempt()
        assert str(path) in caught.value.message
        assert "not changed" in caught.value.suggestion
    assert path.read_text() == BROKEN[kind]


def test_the_line_of_the_mistake_is_named(file, path, write):
    write('{\n  "wait": true,\n}\n')
    with pytest.raises(ConfigError, match=rf"{path}:[23]: invalid JSON"):
        file.values()


def test_a_text_in_another_encoding_is_broken(file, path, write):
    write('{"sort": "ü"}'.encode("latin-1"))
    with pytest.raises(ConfigError, match="UTF-8"):
        file.values()


def test_a_byte_order_mark_is_no_mistake(file, write):
    write(b'\xef\xbb\xbf{"wait": true}')
    assert file.values() == {"wait": True}


def test_a_file_that_was_repaired_counts_again(file, write):
    write("{")
    with pytest.raises(ConfigError):
        file.values()
    write('{"wait": true}')
    assert file.values() == {"wait": True}


def test_a_folder_in_its_place_is_named(file, path):
    path.mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"preferences\.json: cannot be read"):
        file.values()


def test_a_place_that_takes_no_file_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        PreferenceFile(tmp_path / "taken" / "preferences.json").store("wait", value=True)


def test_a_link_to_the_file_stays_a_link(tmp_path, path, write):
    write("{}")
    link = tmp_path / "link.json"
    link.symlink_to(path)
    PreferenceFile(link).store("wait", value=True)
    assert link.is_symlink()
    assert PreferenceFile(path).values() == {"wait": True}


def test_a_write_that_fails_leaves_the_old_file_and_no_other(file, path, monkeypatch):
    file.store("wait", value=True)
    before = {one.name for one in path.parent.iterdir()}
    monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(ConfigError, match="cannot be written: No space left"):
        file.store("wait", value=False)
    assert {one.name for one in path.parent.iterdir()} == before
    assert PreferenceFile(path).values() == {"wait": True}


STORE = """
import sys, pathlib
from stithy_core.builtin.preference_file import PreferenceFile
for number in range(10):
    PreferenceFile(pathlib.Path(sys.argv[1])).store(f"{sys.argv[2]}-{number}", number)
"""


def test_processes_that_write_at_once_lose_nothing(path):
    started = [subprocess.Popen([sys.executable, "-c", STORE, path, str(who)]) for who in range(4)]
    assert [process.wait() for process in started] == [0] * 4
    assert len(PreferenceFile(path).values()) == 40


def test_a_concurrent_read_finds_a_whole_file(file, path):
    file.store("number", -1)
    ended = threading.Event()

    def write():
        for number in range(100):
            PreferenceFile(path).store("number", number)
        ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not ended.is_set():
        assert list(file.values()) == ["number"]
    writer.join()
    assert file.values() == {"number": 99}


def test_the_usual_place_is_the_users_configuration_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert PreferenceFile().path == tmp_path / "stithy" / "preferences.json"
