"""Forgejo 14, from exchanges that a real one had with another client (cassettes/README.md)."""

from contextlib import asynccontextmanager

import pytest
from lab import CASSETTES, Lab

from stithy_core.spi import Archived, Comments, Forbidden, IssueRef, Moved, RepositoryRef
from stithy_testing import Tape, make_app, playback

pytestmark = pytest.mark.anyio

OWNER = "owner28cb4b8b"


@pytest.fixture
def forgejo(tmp_path):
    """A lab that plays several recordings as one: reading the pull request is in one, writing in another."""

    def play(*numbers):
        paths = [path for number in numbers for path in (CASSETTES / "forgejo-14").glob(f"{number}-*.yaml")]
        server = playback(Tape.read(paths))
        servers.append(server)
        return Lab(server.__enter__(), "lab", tmp_path, owner=OWNER)

    servers = []
    yield play
    for server in servers:
        server.__exit__(None, None, None)


@asynccontextmanager
async def forge_of(lab):
    app = make_app(lab.folder, f'[forges.lab]\nkind = "gitea"\nurl = "{lab.url}"\n')
    async with app.running():
        yield app.forges.forge("lab")


async def test_it_is_known_by_the_route_that_only_it_has(forgejo):
    async with forge_of(forgejo("08")) as forge:
        version = await forge.version()
    assert (version.flavour, version.number) == ("forgejo", (14, 0, 0))


async def test_a_comment_is_created(forgejo):
    result = await forgejo("95").call("pr_comment_create", comment="hello")
    comment = result.structured_content["comment"]
    assert result.content[0].text == (
        f"Pull request comment created successfully. ID: 1014, Created: {comment['created_at']}\nComment body: hello"
    )
    assert comment["created_at"].endswith("Z")


async def test_unusual_bodies_are_posted_exactly_as_given(forgejo):
    lab = forgejo("95", "34")
    for body in ("a\r\nb\r\n", "a\rb", "\u202eabc\u2066", "  a \n\n ", "\ufeffa"):
        result = await lab.call("pr_comment_create", comment=body)
        assert result.structured_content["comment"]["body"] == body


async def test_a_conversation_is_listed(forgejo):
    result = await forgejo("95", "27").call("pr_comment_list", limit=100)
    assert result.structured_content["total"] == len(result.structured_content["comments"]) > 0


async def test_an_archived_repository_takes_no_comment(forgejo):
    dusty = IssueRef(RepositoryRef(OWNER, "dusty"), 1)
    async with forge_of(forgejo("88")) as forge:
        with pytest.raises(Archived, match="is archived"):
            await forge.comments.create(dusty, "x")


async def test_a_blocked_user_is_told_so(forgejo):
    issue = IssueRef(RepositoryRef(OWNER, "lab"), 2)
    async with forge_of(forgejo("92")) as forge:
        with pytest.raises(Forbidden, match="user is blocked by the poster or repository owner"):
            await forge.comments.create(issue, "x")


async def test_a_comment_does_not_follow_a_renamed_repository(forgejo):
    before = IssueRef(RepositoryRef(OWNER, "before"), 1)
    async with forge_of(forgejo("89")) as forge:
        with pytest.raises(Moved) as caught:
            await forge.comments.create(before, "x")
    assert caught.value.details["location"].endswith("/after/issues/1/comments")


async def test_declared_support_is_known_without_a_request(forgejo):
    async with forge_of(forgejo()) as forge:
        assert await forge.supports(Comments.create)
