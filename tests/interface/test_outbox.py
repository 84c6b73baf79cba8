"""Writes that must not be repeated blindly: at most one copy, whatever becomes of the answers."""

from datetime import UTC, datetime, timedelta

import anyio
import anyio.lowlevel
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stithy_core.errors import Locked, RateLimited, Rejected, StithyError, Unavailable, Unclear
from stithy_core.spi.call_state import WriteGuard
from stithy_core.spi.idempotent_writer import KEPT, MOST, IdempotentWriter

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


class Server:
    """Keeps what is written, loses answers as it is told, and counts copies."""

    def __init__(self, sends=(), finds=()):
        self.sends, self.finds = iter(sends), iter(finds)
        self.texts, self.under_way = [], []
        self.sent = self.looked = 0
        self.scope = None

    async def send(self, text):
        """Do with one write what comes next; made by default."""
        self.sent += 1
        outcome = next(self.sends, "made")
        if isinstance(outcome, Exception):
            raise outcome
        where = {"made": self.texts, "lost but made": self.texts, "cancelled but made": self.texts}
        where.get(outcome, self.under_way if outcome.endswith("later") else []).append(text)
        if outcome.startswith("cancelled"):
            self.scope.cancel()
            await anyio.lowlevel.checkpoint()
        if outcome.startswith("lost"):
            raise Unclear("the answer was lost")
        return text

    async def find(self, text, since=None):
        self.looked += 1
        if next(self.finds, "answers") == "unavailable":
            raise Unavailable("down")
        return text if text in self.texts else None

    def settle(self):
        """Let everything arrive that is still under way."""
        self.texts += self.under_way
        self.under_way = []


async def ask(outbox, server, text="text", now=NOW):
    """Ask for a write once, and give what came of it."""
    with anyio.CancelScope() as server.scope:
        try:
            return await outbox.write(text, now, lambda: server.send(text), lambda since: server.find(text, since))
        except StithyError as error:
            return error
    return "cancelled"


async def insist(outbox, server, text, most=20):
    """Repeat the same call until it is clear what came of it; what is under way arrives between two calls."""
    for _ in range(most):
        came = await ask(outbox, server, text)
        assert server.texts.count(text) <= 1
        server.settle()
        assert server.texts.count(text) <= 1
        if came == text or isinstance(came, Rejected):
            return came
    return None


REFUSED = Rejected("too long")
OUTCOMES = [
    "made", "lost but made", "lost", "lost and made later",
    "cancelled but made", "cancelled", "cancelled and made later", REFUSED,
]  # fmt: skip


@given(
    st.lists(st.sampled_from(OUTCOMES), max_size=8),
    st.lists(st.sampled_from(["answers", "unavailable"]), max_size=8),
    st.lists(st.sampled_from(["one", "two", "three"]), unique=True, min_size=1),
)
@example(["lost and made later"], ["answers"], ["one"])
@example(["cancelled but made"], ["unavailable"], ["one", "two"])
@example(["lost", REFUSED, "made"], [], ["one"])
def test_no_text_is_ever_there_twice_however_often_it_is_asked_for(sends, finds, texts):
    async def run():
        outbox, server = IdempotentWriter(), Server(sends, finds)
        for text in texts:
            came = await insist(outbox, server, text)
            assert server.texts.count(text) == (came == text)

    anyio.run(run)


@given(
    st.lists(st.sampled_from(OUTCOMES[:4]), max_size=6),
    st.lists(st.sampled_from(["answers", "unavailable"]), max_size=6),
    st.lists(st.sampled_from(["one", "two"]), min_size=1, max_size=12),
)
def test_texts_that_take_turns_do_not_disturb_each_other(sends, finds, calls):
    async def run():
        outbox, server, done = IdempotentWriter(), Server(sends, finds), set()
        for text in calls:
            if text not in done and await ask(outbox, server, text) == text:
                done.add(text)
            server.settle()
            assert max(map(server.texts.count, calls)) <= 1

    anyio.run(run)


@given(st.sampled_from(["made", "lost but made"]), st.integers(2, 5))
def test_twins_that_come_at_once_take_turns(outcome, twins):
    """An agent's host that repeats a call while the first is under way."""

    async def run():
        outbox, server = IdempotentWriter(), Server([outcome])
        arrives = anyio.Event()

        async def slow():
            await arrives.wait()
            return await server.send("text")

        async with anyio.create_task_group() as group:
            for _ in range(twins):
                group.start_soon(outbox.write, "text", NOW, slow, lambda since: server.find("text"))
            await anyio.wait_all_tasks_blocked()
            arrives.set()
        assert server.texts == ["text"]

    anyio.run(run)


@pytest.mark.parametrize("twins", [2, 3, 5, 20])
async def test_calls_that_overlap_in_time_send_one_write(twins):
    """However late each of them comes to send it (FIX-11)."""
    outbox, server = IdempotentWriter(), Server()

    async def call(delay):
        with WriteGuard("pr_comment_create", writes=True, dry=False):
            for _ in range(delay):
                await anyio.lowlevel.checkpoint()
            assert await ask(outbox, server) == "text"

    async with anyio.create_task_group() as group:
        for number in range(twins):
            group.start_soon(call, 30 * number)
    assert (server.sent, server.texts) == (1, ["text"])


async def test_one_call_may_make_the_same_write_twice():
    """(FIX-11)"""
    outbox, server = IdempotentWriter(), Server()
    with WriteGuard("pr_comment_create", writes=True, dry=False):
        for _ in range(2):
            await ask(outbox, server)
    assert server.texts == ["text", "text"]


async def test_a_twin_that_goes_on_after_a_refusal_is_remembered_too():
    outbox, server = IdempotentWriter(), Server([REFUSED, "lost and made later"])
    async with anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(ask, outbox, server)
    server.settle()
    assert await ask(outbox, server) == "text"
    assert server.texts == ["text"]


async def test_a_write_that_is_answered_is_sent_once_and_nobody_looks():
    server = Server()
    assert await ask(IdempotentWriter(), server) == "text"
    assert (server.sent, server.looked) == (1, 0)


async def test_two_writes_of_one_text_that_are_both_answered_are_two():
    """Whoever has the answer of the first and asks again means a second."""
    outbox, server = IdempotentWriter(), Server()
    for _ in range(2):
        await ask(outbox, server)
    assert server.texts == ["text", "text"]


async def test_a_write_whose_answer_was_lost_is_found_and_answered():
    server = Server(["lost but made"])
    assert await ask(IdempotentWriter(), server) == "text"
    assert (server.sent, server.looked) == (1, 1)


async def test_a_write_that_is_not_found_is_unclear_and_not_sent_again():
    server = Server(["lost"])
    unclear = await ask(IdempotentWriter(), server)
    assert isinstance(unclear, Unclear)
    assert "the answer was lost, and it was not there when the target was read back" in unclear.message
    assert "Repeat the same call" in unclear.suggestion
    assert server.sent == 1


async def test_when_the_target_cannot_be_read_back_it_is_unclear_too():
    server = Server(["lost but made"], ["unavailable"])
    unclear = await ask(IdempotentWriter(), server)
    assert isinstance(unclear, Unclear)
    assert "it could not be read back (down)" in unclear.message


async def test_an_unclear_write_keeps_the_details_of_its_failure():
    outbox = IdempotentWriter()

    async def send():
        raise Unclear("lost", details={"status": 502})

    async def find(since):
        return None

    with pytest.raises(Unclear) as caught:
        await outbox.write("text", NOW, send, find)
    assert caught.value.details == {"status": 502}


async def test_a_repeated_call_looks_before_it_sends():
    outbox, server = IdempotentWriter(), Server(["lost and made later"])
    await ask(outbox, server)
    server.settle()
    assert await ask(outbox, server) == "text"
    assert server.sent == 1


async def test_a_repeated_call_that_finds_nothing_sends_again():
    outbox, server = IdempotentWriter(), Server(["lost"])
    await ask(outbox, server)
    assert await ask(outbox, server) == "text"
    assert (server.sent, server.texts) == (2, ["text"])


async def test_a_repeated_call_that_cannot_look_sends_nothing():
    outbox, server = IdempotentWriter(), Server(["lost"], ["answers", "unavailable"])
    await ask(outbox, server)
    assert isinstance(await ask(outbox, server), Unavailable)
    assert server.sent == 1


async def test_it_is_looked_for_since_the_first_attempt():
    outbox, server, since = IdempotentWriter(), Server(["lost", "lost"]), []

    async def find(moment):
        since.append(moment)

    for minutes in range(3):
        with pytest.raises(Unclear) if minutes < 2 else anyio.CancelScope():
            await outbox.write("text", NOW + timedelta(minutes=minutes), lambda: server.send("text"), find)
    assert set(since) == {NOW}


@pytest.mark.parametrize("refusal", [Rejected("no"), Locked("no"), RateLimited("no", retry_after=1), Unavailable("no")])
async def test_a_definite_refusal_leaves_nothing_behind(refusal):
    outbox, server = IdempotentWriter(), Server([refusal])
    assert await ask(outbox, server) is refusal
    assert await ask(outbox, server) == "text"
    assert (server.sent, server.looked) == (2, 0)


async def test_a_refusal_after_a_loss_does_not_forget_the_loss():
    outbox, server = IdempotentWriter(), Server(["lost and made later", REFUSED])
    await ask(outbox, server)
    assert await ask(outbox, server) is REFUSED
    server.settle()
    assert await ask(outbox, server) == "text"
    assert server.texts == ["text"]


async def test_a_definite_refusal_is_not_looked_for():
    server = Server([REFUSED])
    await ask(IdempotentWriter(), server)
    assert server.looked == 0


async def test_a_cancelled_write_is_looked_for_before_it_is_sent_again():
    outbox, server = IdempotentWriter(), Server(["cancelled but made"])
    assert await ask(outbox, server) == "cancelled"
    assert await ask(outbox, server) == "text"
    assert (server.sent, server.looked) == (1, 1)


async def test_a_fault_of_the_plugin_is_looked_for_too():
    outbox, server = IdempotentWriter(), Server()

    async def faulty():
        await server.send("text")
        raise KeyError("id")

    with pytest.raises(KeyError):
        await outbox.write("text", NOW, faulty, server.find)
    assert await ask(outbox, server) == "text"
    assert server.texts == ["text"]


async def test_an_answer_of_which_nothing_can_be_made_counts_as_lost():
    outbox, server = IdempotentWriter(), Server()
    find, read = (lambda since: server.find("text", since)), (lambda answer: answer["id"])
    assert await outbox.write("text", NOW, lambda: server.send("text"), find, read=read) == "text"
    assert (server.sent, server.looked) == (1, 1)


async def test_how_long_to_wait_outlives_the_search():
    async def send():
        raise Unclear("it answered 503", retry_after=7)

    with pytest.raises(Unclear) as caught:
        await IdempotentWriter().write("text", NOW, send, Server().find)
    assert caught.value.retry_after == 7


async def test_a_lost_write_is_forgotten_after_a_day():
    outbox, server = IdempotentWriter(), Server(["lost"])
    await ask(outbox, server)
    await ask(outbox, server, now=NOW + KEPT + timedelta(seconds=1))
    assert server.looked == 1


async def test_the_number_of_lost_writes_is_bounded():
    outbox, server = IdempotentWriter(), Server(["lost"] * (MOST + 2))
    for number in range(MOST + 2):
        await ask(outbox, server, f"text {number}")
    looked = server.looked
    await ask(outbox, server, "text 0")
    assert server.looked == looked
    await ask(outbox, server, f"text {MOST}")
    assert server.looked == looked + 1


async def test_a_write_that_is_answered_waits_for_no_other():
    outbox, server, stuck = IdempotentWriter(), Server(), anyio.Event()

    async def slow():
        stuck.set()
        await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        group.start_soon(outbox.write, "slow", NOW, slow, server.find)
        await stuck.wait()
        assert await ask(outbox, server) == "text"
        group.cancel_scope.cancel()
