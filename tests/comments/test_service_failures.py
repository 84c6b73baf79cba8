"""What the comments service answers where a forge fails: what is known, and what is not, never an empty list."""

import re
from contextlib import asynccontextmanager

import pytest
from lab import tape_of
from service_client import ServiceClient

from stithy_testing import browse, make_app, playback
from stithy_testing.cassettes import Exchange

pytestmark = pytest.mark.anyio

ROOT = "/forges/lab/repos/stithy-admin/lab-stream"
COMBINED = f"{ROOT}/pulls/1/comments/combined"
COMMENTS, THREADS, PULL = r"/issues/1/comments$", r"/reviews/\d+/comments$", r"/pulls/1$"
KIND = (("Content-Type", "application/json"),)
FORBIDDEN = Exchange(403, KIND, b'{"message": "token does not have the scope"}')
SECRET = "a-token-nobody-may-see"


@pytest.fixture
def broken(tmp_path):
    """Run the service on a recorded server that answers some paths otherwise."""

    @asynccontextmanager
    async def run(*paths, answer=FORBIDDEN):
        tape = tape_of("gitea-1.27", "lab-stream-all-that-was-said-is-one-list")
        for key in tape.exchanges:
            if any(re.search(path, key[1]) for path in paths):
                tape.exchanges[key] = [answer]
        with playback(tape) as url:
            settings = f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
            async with browse(make_app(tmp_path, settings, environ={"LAB_TOKEN": SECRET})) as ask:
                yield ServiceClient(ask)

    return run


async def test_an_unreadable_source_is_an_error_beside_the_rest(broken):
    async with broken(COMMENTS) as get:
        status, answer, _ = await get(COMBINED)
    assert status == 200
    assert {row["type"] for row in answer["comments"]} == {"review"}
    (error,) = answer["errors"]
    assert (error["source"], error["code"], error["upstream_status"]) == ("comments", "forbidden", 403)


async def test_the_summary_begins_with_the_gap(broken):
    async with broken(THREADS) as get:
        _, answer, _ = await get(f"{COMBINED}?summarize=brief")
    assert answer["summary"]["text"].startswith("Incomplete: threads could not be read: ")


async def test_an_answer_with_a_gap_has_another_validator(broken):
    async with broken() as get:
        _, _, whole = await get(COMBINED)
    async with broken(COMMENTS) as get:
        status, _, _ = await get(COMBINED, if_none_match=whole["etag"])
    assert status == 200


async def test_the_error_of_the_only_source_is_the_answer(broken):
    async with broken(COMMENTS) as get:
        status, answer, _ = await get(f"{COMBINED}?include=issue")
    assert (status, answer["error"]["code"], answer["error"]["upstream_status"]) == (403, "forbidden", 403)
    assert "comments" not in answer


async def test_without_the_pull_request_there_is_no_answer(broken):
    async with broken(PULL) as get:
        status, answer, _ = await get(COMBINED)
    assert (status, answer.keys()) == (403, {"error"})


async def test_a_page_of_a_proxy_is_no_answer(broken):
    page = Exchange(200, (("Content-Type", "text/html"),), b"<html>log in</html>")
    async with broken(PULL, answer=page) as get:
        status, answer, _ = await get(COMBINED)
    assert (status, answer["error"]["code"]) == (502, "not_the_api")


async def test_a_limit_of_the_forge_says_when_to_come_back(broken):
    spent = Exchange(429, (*KIND, ("Retry-After", "37")), b'{"message": "too many requests"}')
    async with broken(PULL, answer=spent) as get:
        status, answer, headers = await get(COMBINED)
    assert (status, answer["error"]["code"]) == (429, "rate_limited")
    assert 30 < int(headers["retry-after"]) <= 37


@pytest.mark.parametrize("status", [401, 403, 404, 422])
async def test_no_answer_shows_the_token(broken, status):
    echo = Exchange(status, KIND, b'{"message": "bad token %s"}' % SECRET.encode())
    async with broken(PULL, COMMENTS, answer=echo) as get:
        _, answer, headers = await get(COMBINED)
    assert SECRET not in f"{answer}{headers}"


async def test_an_unknown_field_of_several_items_is_reported_once(broken):
    async with broken() as get:
        _, answer, _ = await get(COMBINED)
    fields = [row["field"] for row in answer.get("unknown", [])]
    assert len(fields) == len(set(fields))
