"""How many requests one call sends, and that it sends none twice."""

from collections import Counter

import pytest
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_situations import set_scene
from gitlab_double.gitlab_world import SMITH_TOKEN

from stithy_core.spi import RepositoryRef
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ask(server, tmp_path):
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
    async with connect(make_app(tmp_path, settings, environ={"TOKEN": SMITH_TOKEN})) as client:

        async def call(tool):
            server.requests.clear()
            result = await client.call_tool(tool, {"pr": f"{NAME}!1"})
            assert not result.is_error, result.content[0].text
            return Counter(server.requests)

        yield call


@pytest.mark.parametrize(
    ("tool", "most"), [("check_merge_readiness", 20), ("find_unresolved_comments", 10), ("get_failing_tests", 20)]
)
async def test_a_call_sends_no_request_twice(server, ask, tool, most):
    it = set_scene(server.world, NAME)
    run = server.world.add_pipeline(it.home, it.merge["sha"], "failed", source="merge_request_event")
    server.world.add_job(it.home, run, "unit", trace=b"$ make\nmake: *** [all] Error 1\n")
    sent = await ask(tool)
    repeated = [request for request, count in sent.items() if count > 1 and not request.endswith("jobs?per_page=100")]
    assert repeated == []
    assert sent.total() <= most


async def test_the_general_comments_come_with_the_threads(server, forge):
    it = set_scene(server.world, NAME)
    server.world.add_note(it.merge, "Please look.")
    server.world.add_note(it.merge, "added 2 commits", system=True)
    server.world.add_note(it.merge, "Why?", position=server.world.place(it.merge, "hello.py", 2))
    found = await forge.pull_requests.conversation(
        forge.names.create_pull_request_ref(RepositoryRef("smith/tools", "anvil"), 1)
    )
    assert [one.body for one in found.newest.comments] == ["Please look."]
    assert [one.comments[0].body for one in found.threads] == ["Why?"]
    assert (found.viewer.login, found.newest.before) == ("smith", "")
