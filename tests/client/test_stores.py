"""Stores: what they keep, for how long, and that a lost answer does no harm."""

import sqlite3
import stat

import pytest

from stithy_core.errors import ConfigError
from stithy_core.http import open_store
from stithy_core.http.memory_store import OVERHEAD, MemoryStore
from stithy_core.http.sqlite_store import SqliteStore

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "answers.db"


@pytest.fixture
async def sqlite(path):
    """Open the same file again and again."""
    opened = []

    def open_again(**options):
        opened.append(SqliteStore(str(path), **options))
        return opened[-1]

    yield open_again
    for store in opened:
        await store.aclose()


async def test_memory_gives_what_was_kept_last():
    store = open_store("memory:")
    await store.save("a", b"1")
    await store.save("a", b"2")
    assert (await store.get("a"), await store.get("b")) == (b"2", None)


async def test_memory_is_bounded_and_keeps_what_is_used():
    store = MemoryStore(most=3 * (OVERHEAD + 10))
    for key in "abc":
        await store.save(key, bytes(10))
    await store.get("a")
    await store.save("d", bytes(10))
    assert [key for key in "abcd" if await store.get(key)] == ["a", "c", "d"]


async def test_memory_takes_nothing_that_is_larger_than_it():
    store = MemoryStore(most=100)
    await store.save("a", bytes(101))
    await store.save("a", bytes(101))
    assert await store.get("a") is None
    assert store._size == 0


async def test_a_file_outlives_the_process(sqlite):
    first = sqlite()
    await first.save("a", b"1")
    await first.save("a", b"\x00\xff")
    await first.aclose()
    assert await sqlite().get("a") == b"\x00\xff"


async def test_a_file_is_opened_again_after_it_was_closed(sqlite):
    store = sqlite()
    await store.save("a", b"1")
    await store.aclose()
    assert await store.get("a") == b"1"


async def test_only_the_owner_may_read_the_file(sqlite, path):
    await sqlite().save("a", b"1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_a_file_is_bounded_and_keeps_what_is_used(sqlite, clock, monkeypatch):
    store = sqlite(most=100_000, clock=clock)
    for number in range(300):
        clock.now += 61
        await store.save(str(number), bytes(1_000))
        assert await store.get("0") == bytes(1_000)
    kept = [number for number in range(300) if await store.get(str(number))]
    assert len(kept) <= 100
    assert {0, 299} <= set(kept)


async def test_a_full_file_is_bounded_by_the_next_process_too(sqlite, path, clock):
    for _ in range(3):
        store = sqlite(most=50_000, clock=clock)
        for _number in range(40):
            clock.now += 1
            await store.save(str(clock.now), bytes(1_000))
        await store.aclose()
    database = sqlite3.connect(path)
    assert database.execute("SELECT sum(length(value)) FROM answers").fetchone()[0] <= 50_000
    database.close()


@pytest.mark.parametrize("damage", [b"no database at all, but text" * 100, b""])
async def test_a_damaged_file_is_replaced(sqlite, path, damage):
    first = sqlite()
    await first.save("a", b"1")
    await first.aclose()
    path.write_bytes(damage)
    store = sqlite()
    assert await store.get("a") is None
    await store.save("b", b"2")
    assert await store.get("b") == b"2"


async def test_a_file_that_is_damaged_inside_is_replaced(sqlite, path):
    first = sqlite()
    for number in range(50):
        await first.save(str(number), bytes(5_000))
    await first.aclose()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    store = sqlite()
    for number in range(3):
        await store.get(str(number))
    await store.save("b", b"2")
    assert await store.get("b") == b"2"


async def test_a_file_of_another_version_is_replaced(sqlite, path):
    path.parent.mkdir()
    database = sqlite3.connect(path)
    database.executescript("CREATE TABLE answers (other TEXT); PRAGMA user_version = 99")
    database.close()
    store = sqlite()
    await store.save("a", b"1")
    assert await store.get("a") == b"1"


async def test_a_locked_file_keeps_nothing_for_the_moment(sqlite, path, monkeypatch):
    monkeypatch.setattr("stithy_core.http.sqlite_store.LOCK_TIMEOUT", 0.0)
    store = sqlite()
    await store.save("a", b"1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    await store.save("a", b"2")
    other.execute("COMMIT")
    assert await store.get("a") == b"1"
    await store.save("a", b"3")
    assert await store.get("a") == b"3"
    other.close()


async def test_a_place_where_no_file_can_be_keeps_nothing(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    store = SqliteStore(str(tmp_path / "file" / "answers.db"))
    await store.save("a", b"1")
    assert await store.get("a") is None
    assert len(caplog.records) == 1


async def test_two_processes_share_a_file(sqlite):
    first, second = sqlite(), sqlite()
    await first.save("a", b"1")
    assert await second.get("a") == b"1"


@pytest.mark.parametrize("form", ["sqlite:{}", "sqlite://{}"])
async def test_a_file_is_named_by_a_url(form, path):
    store = open_store(form.format(path))
    await store.save("a", b"1")
    await store.aclose()
    assert path.exists()


@pytest.mark.parametrize("url", ["", "memory:x", "sqlite:", "sqlite:///", "redis:host", "http://h", "/tmp/x"])
def test_another_url_is_an_error_that_names_the_forms(url):
    with pytest.raises(ConfigError) as caught:
        open_store(url)
    assert "sqlite:/path" in caught.value.suggestion


@pytest.mark.parametrize("url", ["redis://:pa55word@host/0", "mysql://u:pa55word@host", "rediss://u:pa55word@[/0"])
def test_the_password_of_a_url_is_in_no_error(url):
    with pytest.raises(ConfigError) as caught:
        open_store(url)
    assert "pa55word" not in str(caught.value.as_dict())


def test_a_store_in_redis_names_the_plugin_that_it_needs():
    with pytest.raises(ConfigError) as caught:
        open_store("redis://localhost")
    assert "stithy[redis]" in caught.value.suggestion


def test_a_store_of_a_plugin_is_opened_with_the_url_and_a_store_in_memory():
    opened = []
    store = open_store("vault://host/1", openers={"vault": lambda *given: opened.append(given) or given[1]})
    assert opened == [("vault://host/1", store)]
    assert isinstance(store, MemoryStore)
