"""The ledger in a file: what it holds, who may read it, and what happens if it cannot be used."""

import sqlite3
import stat
import subprocess
import sys
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta

import pytest

from stithy_core.errors import Unclear
from stithy_core.http import file_ledger
from stithy_core.http.file_ledger import FileLedger
from stithy_core.spi.idempotent_writer import IdempotentWriter

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
KEY = ("team/anvil#1", "a text that nobody else should read")


async def lose():
    raise Unclear("the answer was lost")


async def find_nothing(since):
    return None


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "stithy"


@pytest.fixture
def open_ledger(folder, clock):
    """Open the ledger of a process."""
    return lambda: FileLedger(lambda: folder, clock)


@pytest.fixture
def break_file(folder):
    """Leave a file that cannot be used, or one that cannot be made."""
    with ExitStack() as held:

        def leave(damage):
            folder.parent.mkdir(parents=True)
            if damage == "no folder":
                folder.write_text("")
                return
            folder.mkdir()
            path = folder / file_ledger.NAME
            if damage == "damaged":
                path.write_bytes(b"no database at all, but text" * 100)
            elif damage == "unwritable":
                path.mkdir()  # no permission stops an administrator
            else:
                database = held.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
                database.execute("BEGIN EXCLUSIVE")

        yield leave


async def lose_in(ledger, **options):
    """Lose a write, and return the error."""
    with pytest.raises(Unclear) as caught:
        await IdempotentWriter(ledger, place="https://git.example", **options).write(KEY, NOW, lose, find_nothing)
    return caught.value


async def who():
    return "identity-of-a-token"


async def test_the_file_holds_no_readable_part_of_a_write(folder, open_ledger):
    """(FIX-10)"""
    await lose_in(open_ledger(), identity=who)
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    assert not [word for word in (b"anvil", b"nobody", b"git.example", b"identity-of") if word in content]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
async def test_only_the_owner_may_read_the_file(folder, open_ledger):
    """(FIX-10)"""
    await lose_in(open_ledger())
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_lost_write_is_forgotten_after_a_day(open_ledger, clock):
    """(FIX-10)"""
    await open_ledger().claim("a", NOW, 0)
    clock.now += timedelta(days=1).total_seconds() + 1
    assert (await open_ledger().claim("a", NOW, 0)).since is None


async def test_the_file_holds_so_many_writes_and_no_more(open_ledger, clock, monkeypatch):
    """The oldest goes first, and of all what was made goes before what was lost (FIX-10)."""
    monkeypatch.setattr(file_ledger, "MOST", 3)
    ledger = open_ledger()
    for name in ("lost", "made", "later", "last"):
        clock.now += 1
        await ledger.claim(name, NOW, 0)
        await (ledger.release(name, made=True) if name == "made" else ledger.lose(name))
    fresh = open_ledger()
    assert [await fresh.find(name, NOW) for name in ("lost", "later", "last")] == [NOW] * 3
    clock.now += 1
    await fresh.claim("one more", NOW, 0)
    assert await open_ledger().find("lost", NOW) is None


async def test_a_write_of_a_process_that_was_killed_is_lost_at_once(folder, open_ledger):
    """(FIX-10)"""
    program = (
        "import anyio, os, pathlib, sys\n"
        "from datetime import datetime, UTC\n"
        "from stithy_core.http.file_ledger import FileLedger\n"
        "ledger = FileLedger(lambda: pathlib.Path(sys.argv[1]))\n"
        "async def claim():\n"
        "    await ledger.claim('a', datetime(2026, 1, 31, 12, tzinfo=UTC), 0)\n"
        "    os.kill(os.getpid(), 9)\n"
        "anyio.run(claim)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(folder)], check=False)
    claim = await open_ledger().claim("a", NOW + timedelta(seconds=1), 0)
    assert killed.returncode != 0
    if sys.platform != "win32":
        assert (claim.since, claim.busy) == (NOW, False)


async def test_a_write_of_a_process_that_runs_is_busy_until_its_lease_ends(open_ledger, clock):
    """(FIX-11)"""
    await open_ledger().claim("a", NOW, 0)
    assert (await open_ledger().claim("a", NOW, 0)).busy
    clock.now += file_ledger.LEASE + 1
    claim = await open_ledger().claim("a", NOW + timedelta(seconds=91), 0)
    assert (claim.since, claim.busy) == (NOW, False)


@pytest.mark.parametrize("damage", ["no folder", "damaged", "locked", "unwritable"])
async def test_a_file_that_cannot_be_used_stops_no_write(break_file, open_ledger, damage, monkeypatch):
    """(FIX-10)"""
    monkeypatch.setattr(file_ledger, "LOCK_TIMEOUT", 0.0)
    break_file(damage)

    async def send():
        return "text"

    assert await IdempotentWriter(open_ledger()).write(KEY, NOW, send, find_nothing) == "text"


@pytest.mark.parametrize("damage", ["no folder", "locked", "unwritable"])
async def test_the_error_says_that_other_processes_do_not_know_of_the_attempt(
    break_file, open_ledger, damage, monkeypatch, caplog
):
    """And the process itself does (FIX-10)."""
    monkeypatch.setattr(file_ledger, "LOCK_TIMEOUT", 0.0)
    break_file(damage)
    looked = []

    async def find(since):
        looked.append(since)

    outbox = IdempotentWriter(open_ledger())
    for _ in range(2):
        with pytest.raises(Unclear) as caught:
            await outbox.write(KEY, NOW, lose, find)
        assert "as long as it runs" in caught.value.suggestion
        assert "with `stithy call`, read the conversation before" in caught.value.suggestion
    assert looked == [NOW] * 3
    assert len([row for row in caplog.records if "record of writes" in row.message]) == 1
