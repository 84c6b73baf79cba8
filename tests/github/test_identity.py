"""The token and its user (docs/forge-behaviour/github.md#tokens)."""

from datetime import UTC, datetime

import pytest
from github_double.world import World

from stithy_core.spi import Forbidden, NotFound, Rejected, RepositoryRef, Unauthorized, Unknown, UserKind
from stithy_testing import make_app, open_forge

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")


@pytest.fixture
def world():
    return World()


async def test_the_tokens_user_is_read_once(hub, github):
    hub.answers["GET /user"] = {"login": "smith", "id": 7, "type": "User"}
    async with github(hub.url) as forge:
        found = [await forge.identity.me() for _ in range(2)]
    assert {(user.login, user.id, user.kind) for user in found} == {("smith", "7", UserKind.PERSON)}
    assert hub.names() == ["GET /user"]


async def test_the_user_of_an_app_is_a_bot(hub, github):
    hub.answers["GET /user"] = 403, {}, {"message": "Resource not accessible by integration"}
    hub.answers["query Viewer"] = {"data": {"viewer": {"__typename": "User", "login": "forge[bot]", "databaseId": 9}}}
    async with github(hub.url) as forge:
        user = await forge.identity.me()
    assert (user.login, user.id, user.kind) == ("forge[bot]", "9", UserKind.BOT)


async def test_without_a_token_there_is_no_user(world, in_world):
    async with in_world(world, token="") as forge:
        with pytest.raises(Unauthorized):
            await forge.identity.me()


async def test_a_classic_token_has_scopes_and_rate_limits(world, in_world):
    async with in_world(world) as forge:
        access = await forge.identity.access()
    assert access.scopes == ("repo", "read:org")
    assert access.expires_at is None
    core = next(quota for quota in access.quotas if quota.name == "core")
    assert (core.limit, core.left, core.resets_at) == (5_000, 5_000, datetime(2026, 1, 5, 10, tzinfo=UTC))


async def test_a_classic_token_may_have_no_scopes(hub, github):
    hub.answers["GET /rate_limit"] = 200, {"X-OAuth-Scopes": ""}, {"resources": {}}
    async with github(hub.url) as forge:
        assert (await forge.identity.access()).scopes == ()


async def test_the_scopes_of_other_tokens_are_unknown(world, in_world):
    async with in_world(world, token=world.other_token) as forge:
        scopes = (await forge.identity.access()).scopes
    assert isinstance(scopes, Unknown)
    assert "settings" in scopes.remedy


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2021-11-23 16:18:51 UTC", datetime(2021, 11, 23, 16, 18, 51, tzinfo=UTC)),
        ("2025-01-15 11:11:08 -0300", datetime(2025, 1, 15, 14, 11, 8, tzinfo=UTC)),
        ("next week", None),
    ],
)
async def test_the_expiry_of_a_token_is_parsed(hub, github, said, meant):
    hub.answers["GET /rate_limit"] = 200, {"GitHub-Authentication-Token-Expiration": said}, {"resources": {}}
    async with github(hub.url) as forge:
        assert (await forge.identity.access()).expires_at == meant


async def test_an_enterprise_server_may_have_no_rate_limits(hub, github):
    hub.answers["GET /rate_limit"] = 404, {}, {"message": "Rate limiting is not enabled."}
    hub.answers["GET /"] = 200, {"X-OAuth-Scopes": "repo, gist"}, {}
    async with github(hub.url) as forge:
        access = await forge.identity.access()
    assert (access.scopes, access.quotas) == (("repo", "gist"), ())


@pytest.mark.parametrize("permission", ["admin", "maintain", "write", "triage", "read"])
async def test_the_permission_decides_who_may_push(world, in_world, permission):
    """The association does not show it: each of them is a collaborator."""
    lab = world.add_repository("lab", {"README.md": "# Lab\n"})
    lab.permissions[world.add_user("striker").login] = permission
    async with in_world(world) as forge:
        pushes = await forge.identity.may_push(LAB, "striker")
    assert pushes is (permission in {"admin", "maintain", "write"})


async def test_a_reader_may_not_ask_who_may_push(world, in_world):
    world.add_repository("lab", {"README.md": "# Lab\n"})
    async with in_world(world, token=world.other_token) as forge:
        with pytest.raises(Forbidden, match="push access"):
            await forge.identity.may_push(LAB, "smith")


@pytest.mark.parametrize("login", ["dependabot[bot]", "nobody"])
async def test_apps_and_missing_accounts_are_not_found(world, in_world, login):
    world.add_repository("lab", {"README.md": "# Lab\n"})
    async with in_world(world) as forge:
        with pytest.raises(NotFound):
            await forge.identity.may_push(LAB, login)


async def test_an_invalid_login_is_not_sent(hub, github):
    async with github(hub.url) as forge:
        with pytest.raises(Rejected):
            await forge.identity.may_push(LAB, "..")
    assert hub.asked == []


@pytest.mark.contract
async def test_the_user_is_read_again_if_the_token_changes(double, tmp_path, installed):
    """The server's own token was revoked, and its file now holds the token of another account."""
    world, file = double.world, tmp_path / "token"
    file.write_text(world.token)
    settings = f'[forges.hub]\nkind = "github"\nurl = "{double.url}"\ntoken = {{ file = "{file}" }}\n'
    async with open_forge(make_app(tmp_path, settings, entries=installed), "hub") as forge:
        before = await forge.identity.me()
        file.write_text(world.other_token)
        del world.tokens[world.token]
        await forge.identity.access()  # the next request, whichever it is, notices it
        after = await forge.identity.me()
    assert [before.login, after.login] == ["smith", "stranger"]
