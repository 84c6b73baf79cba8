"""Forgejo 14, from exchanges that a real one had with another client (cassettes/README.md): what is said on it.

Where that client did not ask for something, the answer is put together from what it was told elsewhere; the comments
say what.
"""

from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from forgejo_recorded import API, OWNER, add_review, find_answer, play_recordings
from lab import Lab
from worlds import open_forge

from stithy_core.spi import IssueRef as Issue
from stithy_core.spi import Issues, NotFound, PullRequestRef, Rejected, RepositoryRef, Threads, Unknown, Unsupported

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef(OWNER, "lab")
PULL = PullRequestRef(REPOSITORY, 1)


@asynccontextmanager
async def playing(tmp_path, *numbers, without=(), prepare=lambda _: None):
    """Yield the forge on some recordings and on that of its version; any other request fails the test."""
    with play_recordings("08", *numbers, without=without, prepare=prepare) as url:
        async with open_forge(Lab(url, "lab", tmp_path, owner=OWNER)) as forge:
            yield forge


async def test_a_thread_is_answered_in_the_review_of_its_first_comment(tmp_path):
    async with playing(tmp_path, "95", "67", prepare=add_review("67")) as forge:
        reply = await forge.threads.reply(PULL, "967", "answer f")
    assert (reply.comment.id, reply.comment.review, reply.thread) == ("969", "144", "967")
    assert "nobody" in reply.way


@pytest.mark.parametrize("body", ["", " \n\t"])
async def test_an_empty_answer_which_it_would_take_is_not_sent(tmp_path, body):
    async with playing(tmp_path, "95", "67", without=("POST",), prepare=add_review("67")) as forge:
        with pytest.raises(Rejected, match="nothing was sent"):
            await forge.threads.reply(PULL, "967", body)


async def test_threads_are_resolved_on_the_web_page_only(tmp_path):
    async with playing(tmp_path, "64", prepare=add_review("64")) as forge:
        assert not await forge.supports(Threads.resolve)
        with pytest.raises(Unsupported, match=r"threads\.resolve") as caught:
            await forge.threads.resolve(PULL, "959")
    assert "web page" in caught.value.suggestion


async def test_whether_a_thread_is_resolved_is_read_all_the_same(tmp_path):
    async with playing(tmp_path, "95", "64", prepare=add_review("64")) as forge:
        (thread,) = await forge.threads.list(PULL)
    assert (thread.id, thread.path, thread.line, thread.side) == ("959", "a.py", 10, "RIGHT")
    assert (thread.resolved, thread.resolved_by) == (False, None)


async def test_an_answer_to_no_thread_is_not_sent(tmp_path):
    """What it says of a comment that is not there is told in 42, of another one."""

    def prepare(tape):
        add_review("67")(tape)
        tape.add_json("GET", f"{API}/issues/comments/12", {"message": "The target couldn't be found."}, 404)

    async with playing(tmp_path, "95", "67", without=("POST",), prepare=prepare) as forge:
        with pytest.raises(NotFound, match="has no thread 12"):
            await forge.threads.reply(PULL, "12", "answer f")


async def test_reviews_have_states(tmp_path):
    async with playing(tmp_path, "62") as forge:
        reviews = await forge.reviews.list(PullRequestRef(REPOSITORY, 67))
    assert [review.state for review in reviews] == ["dismissed", "commented", "approved"]
    assert all(review.submitted_at for review in reviews)


async def test_a_draft_review_is_pending(tmp_path):
    async with playing(tmp_path, "59") as forge:
        (mine,) = await forge.reviews.list(PullRequestRef(REPOSITORY, 64))
        nobodys = await forge.reviews.list(PullRequestRef(REPOSITORY, 64))
    assert (mine.state, mine.submitted_at) == ("pending", None)
    assert list(nobodys) == []


async def test_an_empty_timeline_and_conversation(tmp_path):
    async with playing(tmp_path, "69") as forge:
        assert list(await forge.issues.timeline(Issue(REPOSITORY, 69))) == []
        assert list(await forge.comments.list(Issue(REPOSITORY, 69))) == []


async def test_a_timeline_is_in_words_of_the_model(tmp_path):
    async with playing(tmp_path, "40") as forge:
        events = await forge.issues.timeline(Issue(REPOSITORY, 2))
    assert {(event.kind, event.raw) for event in events} >= {("renamed", "change_title"), ("commented", "comment")}
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert next(event.text for event in events if event.id == "858") == "t2"


async def test_an_event_is_no_comment(tmp_path):
    """Forgejo answers 204, to reading and to editing."""
    async with playing(tmp_path, "40", without=("PATCH",)) as forge:
        for attempt in (
            forge.comments.get(Issue(REPOSITORY, 2), "858"),
            forge.comments.edit(Issue(REPOSITORY, 2), "858", "x"),
        ):
            with pytest.raises(NotFound, match=r"no comment 858: it is an event \(change_title\)"):
                await attempt


async def test_an_inline_comment_is_none_of_the_conversation(tmp_path):
    """Forgejo would edit it all the same."""

    def prepare(tape):
        add_review("41")(tape)
        tape.add_json("GET", f"{API}/issues/1/timeline", find_answer("20", "GET", "/issues/1/timeline?limit=1"))

    async with playing(tmp_path, "95", "20", "41", without=("PATCH",), prepare=prepare) as forge:
        with pytest.raises(NotFound, match="it stands in the diff, in thread 893; nothing was changed"):
            await forge.comments.edit(PULL, "893", "inline edited")


async def test_since_goes_by_the_time_of_the_last_edit(tmp_path):
    async with playing(tmp_path, "44") as forge:
        since = datetime(2026, 11, 21, 8, 43, 24, tzinfo=UTC)
        comments = await forge.comments.list(Issue(REPOSITORY, 58), since=since)
    assert [comment.body for comment in comments] == ["one, edited", "two"]


async def test_a_draft_is_never_said_to_conflict(tmp_path):
    async with playing(tmp_path, "47") as forge:
        pull = await forge.pull_requests.get(PullRequestRef(REPOSITORY, 59))
        ready = await forge.pull_requests.get(PullRequestRef(REPOSITORY, 59))
    assert (pull.draft, isinstance(pull.mergeable, Unknown), pull.forge_state) == (True, True, "mergeable=false")
    assert "work in progress" in pull.mergeable.reason
    assert ready.draft is False


async def test_a_merged_pull_request_outlives_its_branch(tmp_path):
    async with playing(tmp_path, "73") as forge:
        before = await forge.pull_requests.get(PullRequestRef(REPOSITORY, 72))
        after = await forge.pull_requests.get(PullRequestRef(REPOSITORY, 72))
    assert (before.merged, before.head.branch) == (False, "gone-branch")
    assert (after.merged, after.head.branch, after.head.commit) == (True, "refs/pull/72/head", before.head.commit)
    assert after.merge_commit
    assert after.merged_at >= after.created_at
    assert after.merged_by.login
    assert "for open pull requests only" in after.mergeable.reason  # the server still says true or false


async def test_a_number_that_is_not_there_is_named(tmp_path):
    """Forgejo says 404, as swagger has it; the repository itself is read in no recording."""

    def prepare(tape):
        tape.add_json("GET", API, {"full_name": str(REPOSITORY)})

    async with playing(tmp_path, "22", prepare=prepare) as forge:
        for attempt in (
            forge.comments.list(Issue(REPOSITORY, 99999)),
            forge.comments.create(Issue(REPOSITORY, 99999), "x"),
            forge.issues.timeline(Issue(REPOSITORY, 99999)),
        ):
            with pytest.raises(NotFound, match="has no issue 99999"):
                await attempt


async def test_constant_support_is_known_without_a_request(tmp_path):
    async with playing(tmp_path, "69") as forge:
        assert await forge.supports(Issues.timeline)
        assert await forge.supports(Threads.reply)
