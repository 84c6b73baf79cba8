"""Conversations as a test wants them: whose, when, and what is folded away."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from stithy_core.spi import NotFound, User, UserKind

pytestmark = pytest.mark.anyio

BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 2, 1, tzinfo=UTC)


async def test_comments_follow_their_times(forge, pr):
    """Whenever they are made, the oldest is read first."""
    late = forge.world.add_comment(pr, "late", at=LATER)
    early = forge.world.add_comment(pr, "early", at=BEFORE)
    first, *_, last = await forge.comments.list(pr)
    assert (first, last) == (early, late)
    assert (early.created_at, early.updated_at) == (BEFORE, BEFORE)


async def test_reviews_follow_their_times(forge, pr):
    early = forge.world.add_review(pr, "commented", "Early.", at=BEFORE)
    draft = forge.world.add_review(pr, "pending", "Not yet.", submitted_at=None)
    first, *_, last = await forge.reviews.list(pr)
    assert (first, last, draft.submitted_at) == (early, draft, None)


async def test_answers_follow_their_times_and_never_their_question(forge, pr):
    thread = forge.world.add_thread(pr, "anvil/horn.py", 2, "Why?", at=LATER)
    for body, at in (("second", LATER), ("first", BEFORE)):
        forge.world.add_reply(pr, thread.id, body, at=at)
    found = forge.world.thread(pr, thread.id)
    assert [comment.body for comment in found.comments] == ["Why?", "first", "second"]


async def test_threads_of_one_line_follow_their_times(forge, pr):
    for body, at in (("second", LATER), ("first", BEFORE)):
        forge.world.add_thread(pr, "a.py", 1, body, at=at)
    first, second, *_ = await forge.threads.list(pr)
    assert [thread.comments[0].body for thread in (first, second)] == ["first", "second"]


async def test_what_is_said_may_have_what_is_not_usual(forge, pr):
    """Fields of a thread are told from those of the comment that opens it."""
    bot = forge.world.add_user("hammer-bot", UserKind.BOT)
    thread = forge.world.add_thread(pr, "a.py", 1, "Hm.", bot, outdated=True, start_line=0, association="NONE")
    assert (thread.outdated, thread.start_line, thread.comments[0].association) == (True, 0, "NONE")
    assert thread.comments[0].author.kind is UserKind.BOT
    assert forge.world.add_comment(pr, "Hm.", association="MEMBER").association == "MEMBER"
    assert forge.world.add_reply(pr, thread.id, "Hm.", association="OWNER").association == "OWNER"
    assert forge.world.add_review(pr, "commented", "Hm.", association="OWNER", stale=True).stale is True


async def test_a_ghost_talks(forge, pr):
    made = forge.world.add_comment(pr, "Boo.", User(login="ghost", kind=UserKind.GHOST))
    assert ((await forge.comments.list(pr))[-1], made.author.id) == (made, "")


async def test_nothing_is_folded_away_at_first(forge, pr):
    assert await forge.comments.minimized(pr) == {}
    assert {comment.minimized for comment in await forge.comments.list(pr)} == {""}


async def test_comments_and_reviews_are_folded_away(forge, pr):
    """Comments say it by themselves as well."""
    comment, review = (await forge.comments.list(pr))[0], (await forge.reviews.list(pr))[0]
    forge.world.minimize(pr, comment.id, "outdated")
    forge.world.minimize(pr, review.id, "resolved")
    assert await forge.comments.minimized(pr) == {comment.id: "outdated", review.id: "resolved"}
    assert (await forge.comments.get(pr, comment.id)).minimized == "outdated"


async def test_an_empty_reason_shows_it_again(forge, pr):
    comment, review = (await forge.comments.list(pr))[0], (await forge.reviews.list(pr))[0]
    for one in (comment, review):
        for reason in ("spam", ""):
            forge.world.minimize(pr, one.id, reason)
    assert await forge.comments.minimized(pr) == {}


async def test_what_stands_in_the_diff_says_by_itself_that_it_is_folded_away(forge, pr):
    thread = (await forge.threads.list(pr))[1]
    forge.world.minimize(pr, thread.comments[1].id, "off-topic")
    said = [comment.minimized for comment in (await forge.threads.list(pr))[1].comments]
    assert (said, await forge.comments.minimized(pr)) == (["", "off-topic"], {})


async def test_only_what_is_there_is_folded_away(forge, pr):
    with pytest.raises(NotFound, match="no comment 987"):
        forge.world.minimize(pr, "987", "spam")


async def test_the_page_of_the_sandbox_makes_what_it_says(forge, pr):
    page = Path(__file__).parents[2] / "plugins" / "sandbox" / "README.md"
    example = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[-1]
    exec(example, {"world": forge.world, "pr": pr, "UserKind": UserKind, "timedelta": timedelta})
    thread = next(thread for thread in await forge.threads.list(pr) if thread.path == "horn.py")
    assert [comment.body for comment in thread.comments] == ["Why 60?", "See the table."]
    assert list((await forge.comments.minimized(pr)).values()) == ["outdated"]
