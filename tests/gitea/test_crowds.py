"""A pull request with more reviews and events than a page holds: nothing is lost, and little is read twice."""

import pytest
from worlds import open_forge, pull_request_of

from stithy_core.spi import map_concurrently

pytestmark = pytest.mark.anyio

WORLD = "crowd"
REVIEWS = 64
WIDE = 110
CODE = "".join(f"print({line})\n" for line in range(WIDE))
LAST = "The last word."
AT_MOST = 8


def make(lab):
    """Make a pull request: many reviews of one comment each, one of more comments than two pages hold, and talk."""
    lab.commit("main", "Greet", ("create", "greet.py", CODE), ("create", "wide.py", CODE), new="greet")
    lab.pull("Greet", "greet", "main")
    for line in range(1, REVIEWS + 1):
        review(lab, "greet.py", [line])
    review(lab, "wide.py", range(1, WIDE + 1))
    lab.comment(LAST)


def review(lab, path, lines):
    comments = [{"path": path, "body": f"at {line}", "new_position": line} for line in lines]
    lab.post("pulls/1/reviews", {"event": "COMMENT", "body": "", "comments": comments})


async def test_what_is_asked_for_at_once_is_whole_and_read_once(world):
    """Gitea from 1.26 on gives a page of what older ones gave whole, and inline comments fill pages of the timeline."""
    pr = pull_request_of(world)
    async with open_forge(world) as forge:
        asking = (forge.pull_requests.get, forge.threads.list, forge.reviews.list, forge.comments.list)
        _, threads, reviews, comments = await map_concurrently(asking, lambda ask: ask(pr))
        shared = forge.http.counts.shared
        events = await forge.issues.timeline(pr)
    assert ([len(threads), len(reviews)], [one.body for one in comments]) == ([REVIEWS + WIDE, REVIEWS + 1], [LAST])
    assert [event.text for event in events if event.kind == "commented"] == [LAST]
    assert {event.subject for event in events if event.kind == "reviewed"} == {review.id for review in reviews}
    assert shared >= len(asking) - 2  # the pull request and the reviews, which two of the four read


async def test_an_answer_takes_few_requests_where_the_threads_were_read_before(world):
    pr = pull_request_of(world)
    async with open_forge(world) as forge:
        first, second, *_ = await forge.threads.list(pr)
        await forge.threads.reply(pr, first.id, "Done.")
        before = forge.http.counts.sent
        reply = await forge.threads.reply(pr, second.id, "Done.", unless_since=first.comments[0].created_at)
        assert forge.http.counts.sent - before <= AT_MOST
        again = await forge.threads.reply(pr, second.id, "Done.", unless_since=reply.comment.created_at)
    assert (reply.repeated, again.repeated, again.comment.id) == (False, True, reply.comment.id)
