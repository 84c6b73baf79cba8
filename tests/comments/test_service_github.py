"""The comments service on GitHub's double, at the paths of SERVE-2; what it asks there is counted."""

import re
from collections import Counter
from contextlib import asynccontextmanager

import anyio
import httpx
import pytest
from github_double.sample import MANY_REPLIES, sample
from github_double.stage import recording_of, serving
from service_client import ServiceClient

from stithy_comments.service import single_flight
from stithy_testing import browse, make_app

pytestmark = pytest.mark.anyio

MANY = 1_000
MANY_SETTINGS = f"[serve.http]\nmax_requests = {MANY}\nmax_requests_each = {MANY}\n"


@pytest.fixture
def made():
    """The sample, in whose longest thread there are more comments than a page holds."""
    return sample()


@pytest.fixture
def hub(request, tmp_path, made):
    """Run the service on the double, with the token in a file, as it is deployed."""

    @asynccontextmanager
    async def run(token=None):
        with serving(recording_of(request, "comments"), made.world) as served:
            (tmp_path / "token").write_text(token or made.world.token)
            settings = f'[forges.github]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ file = "token" }}\n'
            settings += MANY_SETTINGS
            async with browse(make_app(tmp_path, settings)) as ask:
                yield ServiceClient(ask), served

    return run


def path(made, kind="pulls", of="comments/combined"):
    return f"/repos/{made.anvil.owner.login}/anvil/{kind}/{made.pull.number}/{of}"


def count_requests(served):
    """Count what the double was asked, by method, path and query, or by the GraphQL question."""
    return Counter((one.method, one.path, one.tail, one.body) for one in served.double.asked)


async def github(url, token):
    """Ask the double as its own clients do."""
    async with httpx.AsyncClient(timeout=60) as http:
        return await http.get(url, headers={"Authorization": f"Bearer {token}"})


def relations(link):
    """Return the page of each relation that a Link header names."""
    return {rel: re.search(r"[?&]page=(\d+)", url)[1] for url, rel in re.findall(r'<([^>]*)>; rel="(\w+)"', link)}


@pytest.mark.contract
async def test_all_pages_are_read(hub, made):
    async with hub() as (get, _):
        _, answer, _ = await get(path(made))
    turns = [row["body"] for row in answer["comments"] if row["body"].startswith("Turn ")]
    assert sorted(turns) == sorted(f"Turn {number}" for number in range(MANY_REPLIES))
    assert [row["created_at"] for row in answer["comments"]] == sorted(row["created_at"] for row in answer["comments"])


@pytest.mark.contract
async def test_every_endpoint_is_there_under_the_forges_alias_too(hub, made):
    paths = [path(made), path(made, of="comments"), path(made, "issues", "comments"), path(made, "issues", "timeline")]
    async with hub() as (get, _):
        for one in paths:
            assert (await get(one))[1] == (await get(f"/forges/github{one}"))[1]


@pytest.mark.contract
async def test_many_at_once_ask_github_once_for_each_page(hub, made, monkeypatch):
    # Of all these the last begins after the usual seconds where the machine has other things to do.
    monkeypatch.setattr(single_flight, "JOINABLE", 600.0)
    found = []
    async with hub() as (get, served):

        async def one():
            found.append((await get(path(made)))[0])

        async with anyio.create_task_group() as group:
            for _ in range(MANY):
                group.start_soon(one)
        counted = count_requests(served)
    assert found == [200] * MANY
    assert set(counted.values()) == {1}


@pytest.mark.contract
@pytest.mark.parametrize("kind", ["pulls", "issues"])
async def test_a_page_is_what_github_gives_as_that_page(hub, made, kind):
    async with hub() as (get, served):
        here = path(made, kind, "comments")
        for page in (1, 2, 99):
            _, answer, headers = await get(f"{here}?page={page}&per_page=2")
            there = await github(f"{served.url}/api/v3{here}?page={page}&per_page=2", made.world.token)
            assert [row["id"] for row in answer["comments"]] == [str(row["id"]) for row in there.json()]
            if there.json():  # behind the last page we name that one, and the double the page before
                assert relations(headers["link"]) == relations(there.headers["link"])


@pytest.mark.contract
async def test_unchanged_lists_are_revalidated_with_github(hub, made):
    async with hub() as (get, served):
        _, _, headers = await get(path(made, "issues", "comments"))
        served.double.asked.clear()
        status, _, _ = await get(path(made, "issues", "comments"), if_none_match=headers["etag"])
        validators = [one.headers.get("if-none-match") for one in served.double.asked]
    assert status == 304
    assert validators
    assert all(validators)


@pytest.mark.contract
async def test_a_token_that_was_renewed_is_used_at_once(hub, made, tmp_path):
    async with hub("expired") as (get, _):
        first, _, _ = await get(path(made))
        (tmp_path / "token").write_text(made.world.token)
        second, _, _ = await get(path(made))
    assert (first, second) == (502, 200)


@pytest.mark.contract
async def test_a_repository_that_is_not_there_is_not_found(hub, made):
    async with hub() as (get, _):
        status, answer, _ = await get("/repos/smith/nothing/pulls/1/comments/combined")
    assert (status, answer["error"]["code"], answer["error"]["upstream_status"]) == (404, "not_found", 404)
