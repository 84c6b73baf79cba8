"""Comments of conversations: created once, read back if the response is lost, and checked against their issue."""

import pytest
from github_double.world import World

from stithy_core.spi import IssueRef, Locked, Moved, NotFound, Reaction, RepositoryRef, Unclear, UserKind

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef("smith", "hello")
ISSUE = IssueRef(REPOSITORY, 1)
PATH = "/repos/smith/hello/issues/1/comments"
ROW = {
    "id": 5,
    "body": "Hello.",
    "user": {"login": "smith", "id": 7, "type": "User"},
    "created_at": "2030-01-05T09:00:00Z",
    "updated_at": "2030-01-05T09:00:00Z",
    "html_url": "https://github.example/smith/hello/issues/1#issuecomment-5",
    "issue_url": "https://github.example/api/v3/repos/smith/hello/issues/1",
}
ME = {"login": "smith", "id": 7, "type": "User"}
LOST = (None, {}, None)


@pytest.fixture
def world():
    """A repository with an issue, number 1."""
    made = World()
    made.add_issue(made.add_repository("hello"), "It does not greet")
    return made


def issue_in(world):
    return world.repository("smith/hello").issues[1]


async def test_comments_beyond_the_first_page_are_read(world, in_world):
    for number in range(205):
        world.add_comment(issue_in(world), f"comment {number}")
    async with in_world(world) as forge:
        comments = await forge.comments.list(ISSUE)
    assert [comment.body for comment in comments] == [f"comment {number}" for number in range(205)]


async def test_a_deleted_account_does_not_hide_the_conversation(world, in_world):
    world.add_comment(issue_in(world), "I am gone.", None)
    world.add_comment(issue_in(world), "I am here.")
    async with in_world(world) as forge:
        gone, here = await forge.comments.list(ISSUE)
    assert (gone.author.kind, gone.author.id, here.author.login) == (UserKind.GHOST, "", "smith")


async def test_a_locked_conversation_takes_no_comment_of_a_reader(world, in_world):
    issue_in(world).locked = True
    async with in_world(world, token=world.other_token) as forge:
        with pytest.raises(Locked, match="the conversation of smith/hello#1 is locked"):
            await forge.comments.create(ISSUE, "Hello.")
        assert list(await forge.comments.list(ISSUE)) == []


async def test_the_reactions_of_an_old_server_are_counted(hub, github):
    hub.answers["GET /repos/smith/hello/issues/comments/5"] = ROW
    given = [{"content": word} for word in ("heart", "+1", "heart")]
    hub.answers["GET /repos/smith/hello/issues/comments/5/reactions"] = given
    async with github(hub.url) as forge:
        assert list(await forge.comments.reactions(ISSUE, "5")) == [
            Reaction(content="+1", count=1),
            Reaction(content="heart", count=2),
        ]


@pytest.mark.parametrize("name", ["../../5", "5/reactions", "", "IC_5"])
async def test_an_id_that_is_not_a_number_is_not_sent(hub, github, name):
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match="has no comment"):
            await forge.comments.get(ISSUE, name)
    assert hub.asked == []


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (ROW, True),
        (ROW | {"body": "Hello.\r\n"}, True),
        (ROW | {"body": "Hello, you."}, False),
        (ROW | {"user": {"login": "other", "id": 8, "type": "User"}}, False),
        (ROW | {"created_at": "2020-01-05T09:00:00Z"}, False),
    ],
    ids=["it", "it with another line end", "another text", "another's", "an older one"],
)
async def test_a_comment_whose_response_was_lost_is_read_back(hub, github, row, found):
    hub.answers = {f"POST {PATH}": LOST, f"GET {PATH}": [row], "GET /user": ME}
    async with github(hub.url) as forge:
        if found:
            assert (await forge.comments.create(ISSUE, "Hello.")).id == "5"
        else:
            with pytest.raises(Unclear):
                await forge.comments.create(ISSUE, "Hello.")
    assert hub.names().count(f"POST {PATH}") == 1


async def test_an_edit_whose_response_was_lost_is_read_back(hub, github):
    comment = "/repos/smith/hello/issues/comments/5"
    bodies = ["Hello.", "Good day."]
    hub.answers[f"GET {comment}"] = lambda _: ROW | {"body": bodies.pop(0)}
    hub.answers[f"PATCH {comment}"] = LOST
    async with github(hub.url) as forge:
        assert (await forge.comments.edit(ISSUE, "5", "Good day.")).body == "Good day."


async def test_an_edit_that_was_not_carried_out_is_unclear(hub, github):
    comment = "/repos/smith/hello/issues/comments/5"
    hub.answers = {f"GET {comment}": ROW, f"PATCH {comment}": LOST}
    async with github(hub.url) as forge:
        with pytest.raises(Unclear):
            await forge.comments.edit(ISSUE, "5", "Good day.")


async def test_the_error_of_a_write_to_a_former_name_has_the_current_one(world, in_world):
    world.rename(world.repository("smith/hello"), "greeting")
    async with in_world(world) as forge:
        with pytest.raises(Moved, match="smith/hello is called smith/greeting now; nothing was written"):
            await forge.comments.create(ISSUE, "Hello.")
    assert world.repository("smith/greeting").issues[1].comments == []
