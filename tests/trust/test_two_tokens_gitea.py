"""Two callers with tokens of their own on one Gitea: what one of them wrote is never looked for as another's."""

import json
from datetime import UTC, datetime

import pytest
from loopback import message
from rpc import call_tool

from stithy_testing import browse

pytestmark = pytest.mark.anyio

USERS = {"token-of-ada": {"id": 5, "login": "ada"}, "token-of-bob": {"id": 6, "login": "bob"}}
COMMENTS = "/api/v1/repos/smith/anvil/issues/2/comments"
COMMENT = {"repository": "smith/anvil", "pull_request_number": 2, "comment": "Written once."}
SETTINGS = "[serve.http]\nforge_tokens = true\n"


def user_of(received):
    return USERS[received.headers["authorization"].split()[-1]]


@pytest.fixture
def written(gitea, unproxied):
    """What was written; the answer to bob's first write is lost."""
    kept, lost = [], []

    def post(received):
        user = user_of(received)
        times = dict.fromkeys(("created_at", "updated_at"), f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
        row = {"id": len(kept) + 1, "body": json.loads(received.body)["body"], "user": user, "html_url": ""} | times
        kept.append(row)
        if user["login"] == "bob" and not lost:
            lost.append(row)
            return b""
        return message(201, row)

    gitea.answers["GET /api/v1/user"] = lambda received: message(200, user_of(received))
    gitea.answers[f"POST {COMMENTS}"] = post
    gitea.answers[f"GET {COMMENTS}"] = lambda _: message(200, kept)
    return kept


@pytest.mark.parametrize("before", [(), ("token-of-ada",), ("token-of-ada", "token-of-bob", "token-of-ada")])
async def test_a_lost_comment_is_found_whoever_wrote_before(gitea, make, written, before):
    """Who wrote last was remembered as the user of every token, so bob's comment was written twice (FIX-1)."""
    app = make(settings=gitea.settings(SETTINGS))
    async with browse(app) as ask:
        for token in (*before, "token-of-bob"):
            text = COMMENT["comment"] if token == "token-of-bob" else f"By {token}."
            headers = {"X-Forge-Token": f"lab={token}"}
            answer = await call_tool(ask, "pr_comment_create", COMMENT | {"comment": text}, headers)
            assert not answer["isError"], answer
    assert answer["structuredContent"]["comment"]["user"] == "bob"
    rows = [row["user"]["login"] for row in written if row["body"] == COMMENT["comment"]]
    assert rows == ["bob"] * (1 + before.count("token-of-bob"))
