"""Real exchanges with api.github.com that need more than a mapper, read through the forge."""

from datetime import datetime
from urllib.parse import quote, urlsplit

import pytest
from github_recorded import code_models, conversation_models
from github_recorded.plain import UNKNOWN, plain

from stithy_core.spi import Forbidden, ForgeError, IssueRef, NotFound, PullRequestRef, Rejected, RepositoryRef

pytestmark = pytest.mark.anyio

SCOPES, EXPIRY = "x-oauth-scopes", "github-authentication-token-expiration"
ISSUE = IssueRef(RepositoryRef("octo", "hello"), 1)
READ, WRITE = "GET /repos/octo/hello/issues/1", "POST /repos/octo/hello/issues/1/comments"


@pytest.fixture
def exchanges(recorded):
    """A function that returns the exchanges whose name begins with a text, with a status and a media type."""

    def beginning(named, status=200, *, given=""):
        found = [one for one in recorded if one.named.startswith(named) and one.status == status]
        found = [one for one in found if one.named.endswith(f" as {given}") or (not given and " as " not in one.named)]
        assert found
        return found

    return beginning


async def test_a_comparison_has_the_recorded_commits_and_files(exchanges, hub, github):
    for exchange in exchanges("GET R/compare/"):
        hub.answers[f"GET {exchange.path}"] = body = exchange.body
        base, head = exchange.path.rpartition("/")[2].split("...")
        async with github(hub.url) as forge:
            found = await forge.changes.compare(RepositoryRef(*exchange.repository), base, head)
        assert plain(found) == {
            "base": base,
            "head": head,
            "ahead": body["ahead_by"],
            "behind": body["behind_by"],
            "merge_base": body["merge_base_commit"]["sha"],
            "commits": [code_models.commit(row) for row in body["commits"]],
            "files": [code_models.file(row) | {"patch": None} for row in body["files"]],
        }
        assert (found.commits.total, found.commits.cut, found.files.cut) == (body["total_commits"], "", "")


async def test_a_diff_comes_byte_for_byte(exchanges, hub, github):
    (exchange,) = exchanges("GET R/pulls/", given="diff")
    content = exchange.text.encode()
    hub.answers[f"GET {exchange.path}"] = 200, {"Content-Type": exchange.headers["content-type"]}, content
    pr = PullRequestRef(RepositoryRef(*exchange.repository), int(exchange.path.rpartition("/")[2]))
    async with github(hub.url) as forge:
        assert b"".join([piece async for piece in forge.changes.diff(pr)]) == content


async def test_budgets(exchanges, hub, github):
    (exchange,) = exchanges("GET /rate_limit")
    hub.answers["GET /rate_limit"] = exchange.body
    async with github(hub.url) as forge:
        quotas = (await forge.identity.access()).quotas
    assert {one.name: (one.limit, one.left, int(one.resets_at.timestamp())) for one in quotas} == {
        name: (row["limit"], row["remaining"], row["reset"]) for name, row in exchange.body["resources"].items()
    }


async def test_scopes_and_expiry_of_tokens(recorded, hub, github):
    told = {(one.headers.get(SCOPES), one.headers.get(EXPIRY)) for one in recorded}
    for scopes, end in told:
        headers = {SCOPES: scopes, EXPIRY: end}
        given = {name: value for name, value in headers.items() if value is not None}
        hub.answers["GET /rate_limit"] = 200, given, {"resources": {}}
        async with github(hub.url) as forge:
            access = plain(await forge.identity.access())
        words = UNKNOWN if scopes is None else [word for word in scopes.split(", ") if word]
        assert access["scopes"] == words
        assert access["expires_at"] == (end and datetime.strptime(end.replace("UTC", "+0000"), "%Y-%m-%d %H:%M:%S %z"))
    assert {scopes is None for scopes, _ in told} == {end is None for _, end in told} == {True, False}


async def test_the_tokens_own_user(exchanges, hub, github):
    for exchange in exchanges("GET /user"):
        if exchange.path == "/user":
            hub.answers["GET /user"] = exchange.body
            async with github(hub.url) as forge:
                assert plain(await forge.identity.me()) == conversation_models.account(exchange.body)


async def test_protected_branches_and_their_required_checks(exchanges, hub, github):
    for exchange in exchanges("GET R/branches"):
        owner, name = exchange.repository
        for row in exchange.body if isinstance(exchange.body, list) else [exchange.body]:
            place = f"branches/{quote(row['name'], safe='')}"
            hub.answers = {f"GET /repos/{owner}/{name}/{place}": row, f"GET /repos/{owner}/{name}/rules/{place}": []}
            async with github(hub.url) as forge:
                rules = await forge.rules.get(RepositoryRef(owner, name), row["name"])
            assert plain(rules.protected) == row.get("protected", UNKNOWN)
            assert plain(rules.required_checks) == list_required_checks(row)


def list_required_checks(row):
    """Return the required checks that a branch shows; a branch without protection has none."""
    if row.get("protected") is False:
        return []
    checks = row.get("protection", {}).get("required_status_checks")
    if checks is None:
        return UNKNOWN
    return [] if checks["enforcement_level"] == "off" else checks["contexts"]


async def test_errors_keep_githubs_message_and_have_a_suggestion(recorded, hub, github):
    refused = [one for one in recorded if one.status >= 400]
    for exchange in refused:
        kept = {name: value for name, value in exchange.headers.items() if name.startswith("x-")}
        hub.answers = {READ: (exchange.status, kept, exchange.body), WRITE: (exchange.status, kept, exchange.body)}
        async with github(hub.url) as forge:
            with pytest.raises(ForgeError) as caught:
                await (forge.issues.get(ISSUE) if exchange.method == "GET" else forge.comments.create(ISSUE, "x"))
        assert type(caught.value) is {403: Forbidden, 422: Rejected}[exchange.status]
        assert exchange.body["message"] in caught.value.message
        assert caught.value.suggestion
    assert len(refused) == 6


async def test_a_renamed_repository_is_not_reported_as_missing(exchanges, recorded, hub, github):
    """The redirects and the repository are GitHub's own answers; both contain GitHub's host, here the hub."""
    for exchange in exchanges("GET R", 301):
        leads = urlsplit(exchange.body["url"]).path
        present = next(one.body for one in recorded if one.path == leads and one.status == 200)
        location = {"Location": f"{hub.url}/api/v3{leads}"}
        hub.answers = {f"GET {exchange.path}": (301, location, exchange.body), f"GET {leads}": present}
        asked = RepositoryRef(*exchange.repository)
        async with github(hub.url) as forge:
            assert plain(await forge.changes.repository(asked)) == code_models.repository(present)
            with pytest.raises(NotFound, match="has no pull request 7"):
                await forge.pull_requests.get(PullRequestRef(asked, 7))
