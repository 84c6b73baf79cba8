"""A GitHub App on the contract double: its JWT, its token, and its account."""

from contextlib import asynccontextmanager

import pytest
from github_double.keys import create_key, format_pem
from github_double.server import running
from github_double.world import World

from stithy_core.spi import ConfigError, IssueRef, RepositoryRef, Unknown, UserKind
from stithy_testing import make_app

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

ISSUE = IssueRef(RepositoryRef("smith", "lab"), 1)


@pytest.fixture
def world():
    made = World()
    made.add_issue(made.add_repository("lab"), "It is cold")
    return made


@pytest.fixture
def double(world):
    with running(world) as found:
        yield found


@pytest.fixture
def enter_as_app(double, tmp_path):
    """A context manager that returns the forge for an app and its key."""

    @asynccontextmanager
    async def enter(app, key):
        (tmp_path / "app.pem").write_text(format_pem(key))
        token = f'{{ app = "{app.id}", private_key = "app.pem" }}'
        settings = f'[forges.hub]\nkind = "github"\nurl = "{double.url}"\ntoken = {token}\n'
        stithy = make_app(tmp_path, settings)
        async with stithy.running():
            yield stithy.forges.forge("hub")

    return enter


async def test_the_token_of_an_app_reads_and_writes_as_its_bot(world, key, enter_as_app):
    async with enter_as_app(world.add_app("temper", key.public_key(), world.user), key) as forge:
        assert (await forge.issues.get(ISSUE)).title == "It is cold"
        comment = await forge.comments.create(ISSUE, "Heat it.")
    assert (comment.author.login, comment.author.kind) == ("temper[bot]", UserKind.BOT)
    assert [one.body for one in world.repository("smith/lab").issues[1].comments] == ["Heat it."]


async def test_the_user_of_an_app_is_read_from_graphql(world, key, enter_as_app):
    app = world.add_app("temper", key.public_key(), world.user)
    async with enter_as_app(app, key) as forge:
        me, access = await forge.identity.me(), await forge.identity.access()
    assert (me.login, me.id, me.kind) == ("temper[bot]", str(app.bot.id), UserKind.BOT)
    assert isinstance(access.scopes, Unknown)
    assert access.expires_at is not None


async def test_one_token_serves_all_requests_although_the_clocks_differ(world, key, enter_as_app, double):
    """The double's clock is in the past: it refuses the first JWT, and accepts the second one by its own clock."""
    async with enter_as_app(world.add_app("temper", key.public_key(), world.user), key) as forge:
        for _ in range(3):
            await forge.issues.get(ISSUE)
    asked = [f"{one.method} {one.path.split('/')[3]}" for one in double.asked]
    assert asked == ["GET app", "GET app", "POST app", "GET repos", "GET repos", "GET repos"]


async def test_an_error_names_both_installations_of_an_app(world, key, enter_as_app):
    app = world.add_app("temper", key.public_key(), world.user, world.other_user)
    async with enter_as_app(app, key) as forge:
        with pytest.raises(ConfigError, match=r"has several installations: smith \(\d+\), stranger \(\d+\)"):
            await forge.issues.get(ISSUE)


async def test_a_jwt_with_another_key_is_refused(world, key, enter_as_app):
    async with enter_as_app(world.add_app("temper", create_key().public_key(), world.user), key) as forge:
        with pytest.raises(ConfigError, match="Bad credentials"):
            await forge.issues.get(ISSUE)
