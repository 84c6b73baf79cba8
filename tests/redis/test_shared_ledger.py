"""The ledger of several servers: a write that one of them lost is looked for by another before it sends."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import anyio
import pytest

from stithy_core.errors import Conflict, Rejected, Unclear
from stithy_core.http.file_ledger import FileLedger
from stithy_core.spi.call_state import WriteGuard
from stithy_core.spi.idempotent_writer import IdempotentWriter

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
PLACE = "https://git.example"
KEY = ("team/anvil#1", "a text that nobody else should read")


class Forge:
    """Keeps what was written, and loses the answers that it is told to."""

    def __init__(self):
        self.texts, self.looked = [], []

    def send(self, outcome="made"):
        async def send():
            if outcome in {"made", "lost but made"}:
                self.texts.append("text")
            if outcome.startswith("lost"):
                raise Unclear("the answer was lost")
            if outcome == "refused":
                raise Rejected("too long")
            return "text"

        return send

    async def find(self, since):
        self.looked.append(since)
        return "text" if self.texts else None

    async def not_yet(self, since):
        """Return None, as before the write has arrived."""


@pytest.fixture
def forge():
    return Forge()


@pytest.fixture
def outboxes(share):
    """The outboxes of two servers for one forge, of which the second does not wait."""
    ledgers = [share().ledger for _ in range(2)]
    return [
        IdempotentWriter(ledger, place=PLACE, patience=patience)
        for ledger, patience in zip(ledgers, (10, 0), strict=True)
    ]


async def test_a_lost_write_is_found_by_another_server(outboxes, forge):
    with pytest.raises(Unclear):
        await outboxes[0].write(KEY, NOW, forge.send("lost but made"), forge.not_yet)
    later = NOW + timedelta(seconds=5)
    assert await outboxes[1].write(KEY, later, forge.send(), forge.find) == "text"
    assert (len(forge.texts), forge.looked) == (1, [NOW])


async def test_an_unsent_write_is_sent_by_another_server_after_a_search(outboxes, forge):
    with pytest.raises(Unclear):
        await outboxes[0].write(KEY, NOW, forge.send("lost"), forge.find)
    assert await outboxes[1].write(KEY, NOW, forge.send(), forge.find) == "text"
    assert (len(forge.texts), len(forge.looked)) == (1, 2)


async def test_a_refused_write_is_forgotten_at_once(outboxes, forge, connect_redis):
    with suppress(Rejected):
        await outboxes[0].write(KEY, NOW, forge.send("refused"), forge.find)
    assert await connect_redis().keys() == []


async def test_a_completed_write_is_forgotten_after_two_minutes(outboxes, forge, connect_redis):
    await outboxes[0].write(KEY, NOW, forge.send(), forge.find)
    redis = connect_redis()
    (key,) = await redis.keys()
    assert 0 < await redis.ttl(key) <= 120


async def test_two_servers_that_are_asked_one_after_the_other_post_twice(outboxes, forge):
    for outbox in outboxes:
        await outbox.write(KEY, NOW, forge.send(), forge.find)
    assert (len(forge.texts), forge.looked) == (2, [])


async def test_while_one_sends_the_other_sends_nothing_and_says_so(outboxes, forge):
    async def sends_the_same_elsewhere():
        with pytest.raises(Conflict, match="another server") as caught:
            await outboxes[1].write(KEY, NOW + timedelta(seconds=1), forge.send(), forge.find)
        assert caught.value.retry_after
        return await forge.send()()

    assert await outboxes[0].write(KEY, NOW, sends_the_same_elsewhere, forge.find) == "text"
    assert await outboxes[1].write(KEY, NOW + timedelta(seconds=9), forge.send(), forge.find) == "text"
    assert (len(forge.texts), forge.looked) == (1, [NOW])


async def test_a_write_that_was_given_up_is_looked_for_by_the_other(outboxes, forge):
    async def gives_up():
        scope.cancel()
        await anyio.sleep_forever()

    with anyio.CancelScope() as scope:
        await outboxes[0].write(KEY, NOW, gives_up, forge.find)
    await outboxes[1].write(KEY, NOW, forge.send(), forge.find)
    assert forge.looked == [NOW]


async def test_a_dead_servers_write_can_be_claimed_after_a_while(outboxes, share):
    first, second = (share().ledger for _ in range(2))
    await first.claim("a", NOW, 0)
    assert (await second.claim("a", NOW + timedelta(seconds=89), 0)).busy
    taken = await second.claim("a", NOW + timedelta(seconds=91), 0)
    assert (taken.since, taken.busy) == (NOW, False)


async def test_other_writes_and_other_forges_do_not_wait(outboxes, share, forge):
    elsewhere = IdempotentWriter(share().ledger, place="https://other.example")

    async def sends_others():
        await outboxes[1].write(("other",), NOW, forge.send(), forge.find)
        await elsewhere.write(KEY, NOW, forge.send(), forge.find)
        return "sent"

    assert await outboxes[0].write(KEY, NOW, sends_others, forge.find) == "sent"


async def test_a_write_in_redis_is_unreadable_and_expires(outboxes, forge, connect_redis):
    with pytest.raises(Unclear):
        await outboxes[0].write(KEY, NOW, forge.send("lost"), forge.not_yet)
    redis = connect_redis()
    (key,) = await redis.keys()
    assert b"anvil" not in key + await redis.dump(key)
    assert b"nobody" not in key + await redis.dump(key)
    assert 0 < await redis.ttl(key) <= 24 * 3600


async def test_without_redis_each_server_knows_its_own(forge, open_url):
    store = open_url("redis://127.0.0.1:1")
    outbox = IdempotentWriter(store.ledger)
    with pytest.raises(Unclear):
        await outbox.write(KEY, NOW, forge.send("lost but made"), forge.not_yet)
    assert await outbox.write(KEY, NOW, forge.send(), forge.find) == "text"
    assert len(forge.texts) == 1
    await store.aclose()


@pytest.fixture(params=["file", "redis"])
def open_ledger(request, tmp_path, share):
    """Open the ledger of another process."""
    if request.param == "file":
        return lambda: FileLedger(lambda: tmp_path / "state")
    return lambda: share().ledger


async def test_a_write_that_another_process_sends_is_waited_for_and_found(open_ledger, forge):
    """(FIX-11)"""
    outboxes, sent = [IdempotentWriter(open_ledger(), place=PLACE, patience=60) for _ in range(2)], anyio.Event()
    results = []

    async def first():
        results.append(await outboxes[0].write(KEY, NOW, slowly, forge.find))

    async def slowly():
        sent.set()
        await anyio.sleep(0.3)
        return await forge.send()()

    async with anyio.create_task_group() as group:
        group.start_soon(first)
        await sent.wait()
        results.append(await outboxes[1].write(KEY, NOW, forge.send(), forge.find))
    assert (results, forge.texts) == (["text", "text"], ["text"])


async def test_a_call_that_began_before_another_process_wrote_finds_it(open_ledger, forge):
    """(FIX-11)"""
    with WriteGuard("pr_comment_create", writes=True, dry=False):
        await IdempotentWriter(open_ledger(), place=PLACE).write(KEY, NOW, forge.send(), forge.find)
    late = WriteGuard("pr_comment_create", writes=True, dry=False)
    late.wrote -= 5
    with late:
        await IdempotentWriter(open_ledger(), place=PLACE).write(KEY, NOW, forge.send(), forge.find)
    assert forge.texts == ["text"]


async def test_a_lost_write_is_looked_for_by_the_next_process(open_ledger, forge):
    """(FIX-10)"""
    with pytest.raises(Unclear) as caught:
        await IdempotentWriter(open_ledger(), place=PLACE).write(KEY, NOW, forge.send("lost but made"), forge.not_yet)
    assert caught.value.suggestion.startswith("Repeat the same call within a day: it looks for the first attempt")
    assert await IdempotentWriter(open_ledger(), place=PLACE).write(KEY, NOW, forge.send(), forge.find) == "text"
    assert (forge.texts, forge.looked) == (["text"], [NOW])
