"""Answers in threads that must not be given twice."""

from datetime import timedelta

import pytest

from stithy_core.spi import Threads
from stithy_core.spi.call_state import DryRunStop, WriteGuard
from stithy_testing.conformance.facts import sound
from stithy_testing.conformance.replies import at, texts
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs

DAY = timedelta(days=1)


class Repeating:
    """`Threads.reply` with `unless_since`."""

    @needs(Threads.reply, Threads.list)
    async def test_reply_is_not_repeated(self, stage: Stage) -> None:
        """With `unless_since`, the answer that the user gave since then is given again, and nothing is written."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at
        again = sound(await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since))
        assert (first.repeated, again.repeated) == (False, True)
        assert (again.comment.id, again.comment.body) == (first.comment.id, "Because.")
        assert thread.named(again.thread)
        assert (await texts(stage))[0] == ["Why print?", "Because."]

    @needs(Threads.reply, Threads.list)
    async def test_reply_in_other_words(self, stage: Stage) -> None:
        """With it, another text is written, and so is the one that opened the thread: that was no answer."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = min(thread.comments[0].created_at, first.comment.created_at)
        for text in ("Because!", "Why print?"):
            assert not (await stage.forge.threads.reply(stage.pr, thread.id, text, unless_since=since)).repeated
        assert (await texts(stage))[0] == ["Why print?", "Because.", "Because!", "Why print?"]

    @needs(Threads.reply, Threads.list)
    async def test_reply_in_another_thread(self, stage: Stage) -> None:
        """With it, what was said in another thread is written in this one."""
        here, there = await at(stage, "hello.py"), await at(stage, "hello.txt")
        first = await stage.forge.threads.reply(stage.pr, here.id, "Because.")
        since = first.comment.created_at
        second = await stage.forge.threads.reply(stage.pr, there.id, "Because.", unless_since=since)
        assert (second.repeated, second.comment.id == first.comment.id) == (False, False)
        assert [said[-1] for said in await texts(stage)] == ["Because.", "Because."]

    @needs(Threads.reply, Threads.list)
    async def test_reply_after_its_time(self, stage: Stage) -> None:
        """An answer that is older than `unless_since` does not count: the same is written once more."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at + DAY
        again = await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since)
        assert (again.repeated, again.comment.id == first.comment.id) == (False, False)
        assert (await texts(stage))[0] == ["Why print?", "Because.", "Because."]

    @needs(Threads.reply, Threads.list)
    async def test_reply_in_a_dry_run(self, stage: Stage) -> None:
        """A dry run finds the answer of before as well, and stops at the door where there is none."""
        thread = await at(stage, "hello.py")
        first = await stage.forge.threads.reply(stage.pr, thread.id, "Because.")
        since = first.comment.created_at
        with WriteGuard("a dry run", writes=True, dry=True):
            again = await stage.forge.threads.reply(stage.pr, thread.id, "Because.", unless_since=since)
            with pytest.raises(DryRunStop):
                await stage.forge.threads.reply(stage.pr, thread.id, "Not now.", unless_since=since)
        assert (again.repeated, again.comment.id) == (True, first.comment.id)
        assert (await texts(stage))[0] == ["Why print?", "Because."]
