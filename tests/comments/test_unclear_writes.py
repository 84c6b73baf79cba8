"""No comment is ever doubled, whatever is lost on the way: on recordings of real servers and on live ones."""

import pytest
from lossy import lossy

pytestmark = pytest.mark.anyio

BODY = "Only once."


async def test_a_lost_answer_is_found_by_reading_back(lab):
    with lossy(lab.url) as (url, losses):
        async with lab.connect_agent(url=url) as call:
            losses.answers = "POST"
            result = await call("pr_comment_create", comment=BODY)
    assert result.structured_content["comment"]["body"] == BODY
    assert lab.bodies() in (None, [BODY])


async def test_a_lost_request_is_said_and_not_sent_again(lab):
    with lossy(lab.url) as (url, losses):
        async with lab.connect_agent(url=url) as call:
            losses.requests = "POST"
            result = await call("pr_comment_create", comment=BODY)
    assert result.is_error
    assert result.structured_content["error"].endswith("it was sent once and not again")
    assert lab.bodies() in (None, [])


async def test_a_repeated_call_looks_for_the_first_before_it_posts(lab):
    """The comment arrived, but neither the answer nor the conversation did: the second call finds it."""
    with lossy(lab.url) as (url, losses):
        async with lab.connect_agent(url=url) as call:
            losses.answers, losses.then_all = "POST", True
            unclear = await call("pr_comment_create", comment=BODY)
            losses.answers, losses.then_all = "", False
            found = await call("pr_comment_create", comment=BODY)
    assert "could not be read back" in unclear.structured_content["error"]
    assert found.structured_content["comment"]["body"] == BODY
    assert lab.bodies() in (None, [BODY])


async def test_a_repeated_call_posts_what_never_arrived(lab):
    with lossy(lab.url) as (url, losses):
        async with lab.connect_agent(url=url) as call:
            losses.requests = "POST"
            assert (await call("pr_comment_create", comment=BODY)).is_error
            losses.requests = ""
            posted = await call("pr_comment_create", comment=BODY)
    assert posted.structured_content["comment"]["body"] == BODY
    assert lab.bodies() in (None, [BODY])


async def test_an_edit_whose_answer_is_lost_may_be_repeated(lab):
    """It was carried out, as reading it back shows, and the same call does no harm (FIX-12)."""
    async with lab.connect_agent() as call:
        made = await call("pr_comment_create", comment=BODY)
    edit = {"comment_id": made.structured_content["comment"]["id"], "new_content": "Twice."}
    with lossy(lab.url) as (url, losses):
        async with lab.connect_agent(url=url) as call:
            losses.answers = "PATCH"
            first = await call("pr_comment_edit", **edit)
            losses.answers = ""
            read = await call("pr_comment_list")
            again = await call("pr_comment_edit", **edit)
    assert first.structured_content["comment"]["body"] == "Twice."
    assert [row["body"] for row in read.structured_content["comments"]] == ["Twice."]
    assert again.structured_content["comment"]["body"] == "Twice."
