"""Verdicts without an event: approvals that a forge reports without id, time, text and page."""

import pytest

from stithy_core.spi import User

pytestmark = pytest.mark.anyio

BOB, EVE = User(login="bob", id="901"), User(login="eve", id="902")


def open_votes(here):
    """Clear the pull request, and let two people approve it without an event."""
    pull = here.world.pull(here.pr)
    for written in (pull.threads, pull.reviews, pull.comments):
        written.clear()
    return [here.world.add_verdict(here.pr, "approved", author) for author in (BOB, EVE)]


def text(result):
    return result.content[0].text


async def test_each_is_a_review_without_an_id(smithy):
    async with smithy() as here:
        open_votes(here)
        arguments = {"pull_number": None, "pullNumber": 2, "method": "get_reviews"}
        result = await here.call("pull_request_read", **arguments)
        pages = [await here.call("pull_request_read", **arguments, limit=1)]
        pages.append(await here.call("pull_request_read", **arguments, limit=1, cursor=_cursor(pages[0])))
    rows = result.structured_content["reviews"]
    assert [(row["author"], row["state"]) for row in rows] == [("bob", "approved"), ("eve", "approved")]
    assert not any({"id", "url", "submitted_at"} & row.keys() for row in rows)
    assert "- bob: approved\n- eve: approved" in text(result)
    assert [page.structured_content["reviews"][0]["author"] for page in pages] == ["bob", "eve"]


def _cursor(result):
    return result.structured_content["nextCursor"]


async def test_the_conversation_has_each_once_and_last(smithy):
    async with smithy() as here:
        open_votes(here)
        here.world.add_comment(here.pr, "Merge it?")
        arguments = {"pr": "smith/anvil#2", "summarize": "compact", "include": ["review", "issue", "timeline"]}
        result = await here.client.call_tool("get_pull_request_conversation", arguments)
    rows = [row for row in result.structured_content["comments"] if row["type"] == "review"]
    assert [row["id"] for row in rows] == ["by 901", "by 902"]
    assert {row["review_state"] for row in rows} == {"approved"}
    assert rows[0]["html_url"] == "http://sandbox.invalid/smith/anvil/pulls/2"
    assert "created_at" not in rows[0]
    assert {"reason": "the forge does not report the time", "field": "comments[*].created_at"}.items() <= next(
        row for row in result.structured_content["unknown"] if row["field"].endswith("created_at")
    ).items()
    assert result.structured_content["comments"][-2:] == rows
    assert "Verdicts\n- bob approved\n- eve approved" in result.structured_content["summary"]["text"]


async def test_a_draft_without_a_time_is_told_from_a_verdict_without_one(smithy):
    async with smithy() as here:
        open_votes(here)
        here.world.add_verdict(here.pr, "pending", here.world.user, id="77")
        answer = (
            await here.client.call_tool("get_pull_request_conversation", {"pr": "smith/anvil#2"})
        ).structured_content
    reasons = {row["reason"] for row in answer["unknown"]}
    assert reasons == {"the forge does not report the time", "the review is a draft that was not submitted"}


async def test_the_conversation_is_read_in_pages(smithy):
    """Prevents: verdicts without an id shared one cursor, so that pages repeated or skipped them."""
    async with smithy() as here:
        open_votes(here)
        for number in range(60):
            here.world.add_comment(here.pr, f"{number} " + "long " * 200)
        seen, cursor = [], None
        while cursor is not None or not seen:
            arguments = {"pr": "smith/anvil#2"} | ({"cursor": cursor} if cursor else {})
            page = (await here.client.call_tool("get_pull_request_conversation", arguments)).structured_content
            seen += [row["id"] for row in page["comments"]]
            cursor = page.get("nextCursor")
    assert (len(seen), len(set(seen)), seen[-2:]) == (62, 62, ["by 901", "by 902"])


@pytest.mark.parametrize("first", [True, False])
async def test_an_approval_without_a_time_is_later_than_what_its_author_asked_for(smithy, first):
    """It is the current verdict of its author, wherever the forge lists it."""
    async with smithy() as here:
        reviews = here.world.pull(here.pr).reviews
        open_votes(here)
        here.world.add_review(here.pr, "changes_requested", "Too hard.", BOB)
        reviews.sort(key=lambda review: (review.submitted_at is None) is not first)
        result = await here.client.call_tool("find_unresolved_comments", {"pr": "smith/anvil#2"})
    assert result.structured_content["comments"] == []
    assert result.structured_content["summary"]["left_out"] == {"superseded_review": 1}


async def test_the_service_has_an_id_for_each(service):
    async with service() as get:
        open_votes(get)
        _, answer, _ = await get("/forges/play/repos/smith/anvil/pulls/2/comments/combined")
    assert [row["id"] for row in answer["comments"]] == ["by 901", "by 902"]
