"""get_pull_request_conversation on GitHub's double: its lists overlap, its ids repeat, its accounts may be gone."""

import pytest
from attrs import make_class
from github_double.sample import MANY_REPLIES, sample
from github_double.world import World

pytestmark = pytest.mark.anyio

Few = make_class("Few", ["world", "anvil", "pull"])
TOOL = "get_pull_request_conversation"
EVERYTHING = {"include": ["review", "issue", "timeline"], "events": ["all"]}


async def whole(call, made, **arguments):
    """Read all pages; give the items, and the first answer."""
    pr = f"{made.anvil.owner.login}/anvil#{made.pull.number}"
    given = {"pr": pr} | arguments
    result = await call(TOOL, given)
    assert not result.is_error, result.content[0].text
    first = answer = result.structured_content
    found = answer["comments"]
    while cursor := answer.get("nextCursor"):
        answer = (await call(TOOL, given | {"cursor": cursor})).structured_content
        found = found + answer["comments"]
    return found, first


@pytest.fixture
def made():
    """The sample, in whose longest thread there are more comments than a page holds."""
    return sample()


@pytest.fixture
def few():
    """A small world: comments, a verdict by nobody, a draft, a label and another title."""
    world = World()
    anvil = world.add_repository("anvil")
    world.push(anvil, "harden", "Harden the horn", {"horn.py": "turn(1)\n"})
    pull = world.add_pull(anvil, "Harden the horn", "harden")
    world.add_comment(pull, "Covered.", world.add_user("codecov", "Bot"))
    world.add_review(pull, "APPROVED", "It rings well.", None)
    world.add_event(pull, "labeled", label={"name": "bug", "color": "ee0701"})
    world.add_event(pull, "renamed", rename={"from": "Harden", "to": pull.title})
    draft = world.add_review(pull, "PENDING", "Not said yet.", world.other_user)
    world.add_thread(pull, "horn.py", 1, "Not said yet either.", world.other_user, review=draft)
    return Few(world, anvil, pull)


@pytest.mark.contract
async def test_every_page_of_a_long_thread_is_there_once(on_github, made):
    async with on_github(made.world) as (call, _):
        found, first = await whole(call, made)
    turns = [row["body"] for row in found if row["body"].startswith("Turn ")]
    assert sorted(turns) == sorted(f"Turn {number}" for number in range(MANY_REPLIES))
    assert first["total"] == len(found)
    root = str(made.thread.comments[0].id)
    assert {row["in_reply_to_id"] for row in found if row["body"].startswith("Turn ")} == {root}


@pytest.mark.contract
async def test_a_timeline_repeats_nothing_that_is_there(on_github, made):
    """GitHub's timeline has every comment, review and remark a second time."""
    async with on_github(made.world) as (call, _):
        apart, _ = await whole(call, made)
        found, _ = await whole(call, made, **EVERYTHING)
    assert [row for row in found if row["type"] != "timeline"] == apart
    kinds = {row["body"].partition(":")[0] for row in found if row["type"] == "timeline"}
    assert kinds == {"committed", "renamed", "review_requested", "referenced", "force_pushed"}


async def test_of_a_timeline_only_reviews_labels_and_commits_are_given(on_github, few):
    async with on_github(few.world) as (call, _):
        found, first = await whole(call, few, include=["timeline"])
    assert [row["body"].partition("\n")[0] for row in found] == [
        "committed: Harden the horn",
        "reviewed: It rings well.",
        "labeled: bug",
    ]
    assert found[1]["review_state"] == "approved"
    assert "renamed 1" in first["left_out"][0]


async def test_the_url_is_the_apis_and_the_page_is_beside_it(on_github, few):
    async with on_github(few.world) as (call, _):
        found, _ = await whole(call, few, include=["issue"])
    assert "/api/v3/repos/smith/anvil/issues/comments/" in found[0]["url"]
    assert "/api/" not in found[0]["html_url"]


async def test_who_said_it_may_be_a_bot_or_gone(on_github, few):
    async with on_github(few.world) as (call, _):
        found, _ = await whole(call, few)
    authors = {row["body"]: row["author"] for row in found}
    assert authors["Covered."]["type"] == "Bot"
    assert authors["It rings well."] == {"login": "ghost", "type": "User"}


async def test_others_drafts_are_not_there(on_github, few):
    async with on_github(few.world) as (call, _):
        found, first = await whole(call, few)
    assert [row["body"] for row in found] == ["Covered.", "It rings well."]
    assert first["total"] == 2


async def test_ones_own_drafts_are_marked(on_github, few):
    async with on_github(few.world, token=few.world.other_token) as (call, _):
        found, _ = await whole(call, few)
    drafts = [row for row in found if row["body"].startswith("Not said yet")]
    assert [row["review_state"] for row in drafts] == ["pending", "pending"]


@pytest.mark.contract
async def test_the_summary_of_it_is_short_and_says_what_is_open(on_github, made):
    async with on_github(made.world) as (call, _):
        _, first = await whole(call, made, summarize="compact", summary_budget_chars=700)
    text = first["summary"]["text"]
    assert len(text) <= 700
    assert f"- {made.world.other_user.login} [" in text
    assert f"open horn.py:5 {made.world.other_user.login}, {MANY_REPLIES} answered [" in text
    assert "horn.py:6" not in text


@pytest.mark.contract
async def test_an_ordinary_conversation_takes_two_requests(on_github, few):
    async with on_github(few.world) as (call, served):
        found, first = await whole(call, few)
        asked = len(served.double.asked)
    assert (first["total"], len(found), asked) == (2, 2, 2)


@pytest.mark.contract
@pytest.mark.parametrize(("most", "read", "requests"), [(3, 100, 2), (150, 200, 3), (600, 621, 9)])
async def test_older_comments_than_are_shown_are_counted_and_not_read(on_github, few, most, read, requests):
    for number in range(620):
        few.world.add_comment(few.pull, f"Remark {number}")
    async with on_github(few.world) as (call, served):
        answer = (await call(TOOL, {"pr": "smith/anvil#1", "max_items": most})).structured_content
        asked = len(served.double.asked)
    assert (answer["total"], answer["left_out"]) == (
        622,
        [f"the {622 - most} oldest of 622 items: max_items is {most}"],
    )
    assert answer["read"]["comments"] == read
    assert asked == requests


@pytest.mark.contract
@pytest.mark.parametrize("arguments", [{"summarize": "brief"}, {"until": "2100-01-01"}, EVERYTHING])
async def test_what_depends_on_older_comments_reads_them(on_github, few, arguments):
    for number in range(330):
        few.world.add_comment(few.pull, f"Remark {number}")
    async with on_github(few.world) as (call, _):
        _, first = await whole(call, few, max_items=3, **arguments)
    assert first["read"]["comments"] == 331


@pytest.mark.contract
async def test_without_graphql_each_list_is_read(on_github, few):
    async with on_github(few.world) as (call, served):
        served.double.drops = lambda asked: asked.path.endswith("graphql")
        _, first = await whole(call, few)
    assert first["total"] == 2
    assert first["read"] == {"comments": 1, "reviews": 1, "threads": 0}
