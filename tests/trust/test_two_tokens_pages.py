"""Two callers with tokens of their own on one server: what a page of one of them was made from is not shown to another.

The first caller may read the pull request, and so the forge confirms to it that what was kept is current. Only the
second one sees the threads of its own draft.
"""

import pytest
from github_double.server import running
from github_double.world import World
from rpc import call_tool

from stithy_testing import browse, make_app

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

DRAFT = "Not said yet."
LONG = "word " * 150
THREADS = 45
PR = {"pr": "smith/hello#1"}
LISTS = {
    "find_unresolved_comments": PR,
    "get_pull_request_conversation": PR | {"include": ["review"]},
}


@pytest.fixture(autouse=True)
def _no_proxy(unproxied):
    """The double is one of the loopback's."""


@pytest.fixture
def world():
    """A pull request with many long threads, before and behind the threads of the second user's draft."""
    made = World()
    made.push(made.add_repository("hello"), "greet", "Add hello.py", {"hello.py": "print(1)\nprint(2)\n"})
    pull = made.add_pull(made.repository("smith/hello"), "Greet", "greet")
    draft = made.add_review(pull, "PENDING", DRAFT, made.other_user)
    for number in range(THREADS):
        made.add_thread(pull, "hello.py", 2, f"Remark {number}: {LONG}", made.user)
        made.add_thread(pull, "hello.py", 1, f"{DRAFT} {number}: {LONG}", made.other_user, review=draft)
    return made


@pytest.fixture
def server(tmp_path, installed):
    """Run a server that has no token of its own."""

    def run(url):
        settings = f'[serve.http]\nforge_tokens = true\n[forges.github]\nkind = "github"\nurl = "{url}"\n'
        return browse(make_app(tmp_path, settings, entries=installed))

    return run


async def call_page(ask, tool, token, cursor=None):
    """Return the object of a page."""
    arguments = LISTS[tool] | ({"cursor": cursor} if cursor else {})
    answer = await call_tool(ask, tool, arguments, {"X-Forge-Token": f"github={token}"})
    assert not answer["isError"], answer
    return answer["structuredContent"]


async def follow(ask, tool, token, page):
    """Return the pages behind a page, whoever asked for that."""
    pages = []
    while cursor := page.get("nextCursor"):
        page = await call_page(ask, tool, token, cursor)
        pages.append(page)
    return pages


@pytest.mark.parametrize("tool", LISTS)
async def test_pages_of_another_token_are_made_from_what_that_token_reads(world, server, tool):
    """(FIX-1)"""
    with running(world) as double:
        async with server(double.url) as ask:
            begun = await call_page(ask, tool, world.other_token)
            double.asked.clear()
            of_first = await follow(ask, tool, world.token, begun)
            askers = {asked.identity for asked in double.asked}
            of_second = await follow(ask, tool, world.other_token, begun)
        async with server(double.url) as ask:
            alone = await follow(ask, tool, world.token, begun)
    assert of_first == alone
    assert of_first != of_second, "else nothing is shown here"
    assert DRAFT not in str(of_first)
    assert askers == {f"Bearer {world.token}"}


@pytest.mark.parametrize("tool", LISTS)
async def test_a_page_of_another_token_takes_no_place_of_ones_own(world, server, tool):
    """Each of two callers in turn gets the pages that it gets alone, and from what was kept for it."""
    with running(world) as double:
        async with server(double.url) as ask:
            begun = await call_page(ask, tool, world.other_token)
            alone = await follow(ask, tool, world.other_token, begun)
        async with server(double.url) as ask:
            begun = await call_page(ask, tool, world.other_token)
            await follow(ask, tool, world.token, await call_page(ask, tool, world.token))
            double.asked.clear()
            page = await call_page(ask, tool, world.other_token, begun["nextCursor"])
            requests = len(double.asked)
    assert page == alone[0]
    assert requests <= 2
