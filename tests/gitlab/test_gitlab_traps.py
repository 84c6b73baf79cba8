"""What a reader of GitLab's API takes for something else (docs/forge-behaviour/gitlab.md)."""

import pytest
from git_forge import git
from gitlab_double.gitlab_create_routes import commit_files
from gitlab_double.gitlab_server import NAME, open_gitlab
from gitlab_double.gitlab_situations import set_scene
from gitlab_double.gitlab_world import SMITH_TOKEN, USERS, ApiError

from stithy_core.spi import RepositoryRef, Unknown, Verdict
from stithy_pulls.readiness import readiness_check
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio
ANVIL = RepositoryRef("smith/tools", "anvil")
MERGE = f"/projects/{NAME}/merge_requests/1"


@pytest.fixture
def scene(server):
    return set_scene(server.world, NAME)


@pytest.fixture
def pr(forge):
    return forge.names.create_pull_request_ref(ANVIL, 1)


@pytest.fixture
async def ask(server, tmp_path, monkeypatch, request):
    """Return a function that calls a tool on the merge request; the parameter is the token."""
    monkeypatch.setattr(readiness_check, "PAUSE", 0.0)
    token = getattr(request, "param", SMITH_TOKEN)
    secret = 'token = { env = "TOKEN" }\n' if token else ""
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\n{secret}'
    async with connect(make_app(tmp_path, settings, environ={"TOKEN": token, "PATH": ""})) as client:

        async def call(tool):
            result = await client.call_tool(tool, {"pr": f"{NAME}!1"})
            assert not result.is_error, result.content[0].text
            return result.structured_content

        yield call


@pytest.mark.parametrize("is_enterprise", [False, True])
async def test_approved_without_an_approval_is_no_review(server, forge, pr, scene, is_enterprise):
    """In the Community Edition it means that somebody approved, with Premium that all rules are met."""
    server.world.enterprise = is_enterprise
    scene.merge |= {"approvals": [], "approvals_required": 0}
    approvals = await forge.http.get(f"/projects/{NAME.replace('/', '%2F')}/merge_requests/1/approvals")
    assert approvals["approved"] is is_enterprise
    assert list(await forge.reviews.list(pr)) == []


async def test_a_merge_status_that_is_not_checked_is_asked_again_a_few_times(server, ask, scene):
    scene.merge["merge_status"] = "checking"
    found = await ask("check_merge_readiness")
    asked = [one for one in server.requests if one.endswith("merge_requests/1?include_diverged_commits_count=true")]
    assert found["verdict"] == "unproven"
    assert len(asked) == 1 + readiness_check.TRIES


async def test_jobs_bridges_and_external_statuses_are_each_a_check_once(server, forge, pr, scene):
    world, sha = server.world, scene.merge["sha"]
    run = world.add_pipeline(scene.home, sha, source="merge_request_event", ref="refs/merge-requests/1/head")
    child = world.add_pipeline(scene.home, sha, source="parent_pipeline")
    world.add_job(scene.home, run, "unit", "success")
    world.add_job(scene.home, run, "trigger", "success", downstream=child)
    world.add_status(scene.home, sha, "scanner", "failed", "2 findings")
    found = {one.name: (one.kind, one.verdict) for one in await forge.checks.list(ANVIL, sha, pr=pr)}
    assert found == {
        "unit": ("job", Verdict.PASSED),
        "trigger": ("job", Verdict.PASSED),
        "scanner": ("status", Verdict.FAILED),
    }


@pytest.mark.parametrize("ask", [""], indirect=True)
async def test_a_reader_without_a_token_learns_what_is_public_and_that_the_rest_is_unknown(ask, scene):
    """Discussions, jobs and statuses need a token on public projects, too."""
    found = await ask("check_merge_readiness")
    assert found["verdict"] != "ready"
    assert found["unproven"]


async def test_draft_notes_are_never_asked_for(server, ask, scene):
    """They are the token's own, and unpublished: no list shows them."""
    for tool in ("find_unresolved_comments", "get_pull_request_conversation", "check_merge_readiness"):
        if tool != "get_pull_request_conversation":
            await ask(tool)
    assert not [one for one in server.requests if "draft_notes" in one]


async def test_a_suggestion_stays_in_the_text_of_its_thread(server, forge, pr, scene):
    text = "Better:\n```suggestion:-0+1\nprint('hi')\n```"
    suggestion = {"id": 1, "from_line": 2, "to_line": 3, "applied": False, "appliable": True}
    position = server.world.place(scene.merge, "hello.py", 2)
    server.world.add_note(scene.merge, text, position=position, suggestions=[suggestion])
    (thread,) = await forge.threads.list(pr)
    assert thread.comments[0].body == text


async def test_a_setting_that_is_null_is_off(forge, pr, scene):
    scene.home.settings["only_allow_merge_if_all_discussions_are_resolved"] = None
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert rules.resolved_threads is False


async def test_settings_are_unknown_to_readers_without_a_token(server, tmp_path, scene):
    async with open_gitlab(server, tmp_path, token="") as forge:
        rules = await forge.rules.get(ANVIL, "main")
    hidden = (rules.resolved_threads, rules.all_checks, rules.up_to_date, rules.linear)
    assert all(isinstance(value, Unknown) for value in hidden)


async def test_the_list_of_reviewers_may_be_missing(server, forge, pr, scene):
    server.faults[f"GET {MERGE}/reviewers"] = ApiError(404, {"error": "404 Not Found"})
    scene.merge["reviewers"] = [USERS["bob"]]
    assert [one.author.login for one in await forge.reviews.list(pr)] == ["bob"]
    assert isinstance((await forge.pull_requests.get(pr)).requested_reviewers, Unknown)


async def test_a_list_in_keyset_order_goes_on_by_its_link_on_this_server(server, forge, tmp_path):
    """The link names the host that the server is configured with, and there are no numbers of pages."""
    home = server.world.add_project("smith/large")
    home.bare = tmp_path / "large.git"
    git(tmp_path, "init", "-q", "--bare", str(home.bare))
    names = [f"file-{number:03}.txt" for number in range(230)]
    sha = commit_files(home.bare, "main", "", "Begin", dict.fromkeys(names, "text\n"))
    found = await forge.changes.tree(RepositoryRef("smith", "large"), sha)
    assert list(found) == names
    pages = [one for one in server.requests if "/repository/tree" in one]
    assert (len(pages), found.cut) == (3, "")
