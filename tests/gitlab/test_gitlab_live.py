"""The jobs on a merge request that the API created: on the double, and by `make live` on a GitLab."""

import os

import pytest
from gitlab_double.gitlab_world import SMITH_TOKEN
from gitlab_lab import GitLabLab

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["DOUBLE", pytest.param("GITLAB", marks=pytest.mark.live)])
def lab(request):
    """A project on the double, and on the GitLab of the environment."""
    if request.param == "DOUBLE":
        made = GitLabLab(request.getfixturevalue("server").url, SMITH_TOKEN)
    else:
        url, token = (os.environ[f"STITHY_LIVE_GITLAB_{word}"] for word in ("URL", "TOKEN"))
        made = GitLabLab(url.rstrip("/"), token)
    made.create()
    yield made
    made.delete()


@pytest.fixture
async def call(lab, tmp_path):
    """Call a tool as an agent does, and return its object; the text of an error."""
    settings = f'[forges.lab]\nkind = "gitlab"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
    async with connect(make_app(tmp_path, settings, environ={"LAB_TOKEN": lab.token})) as client:

        async def ask(tool, **arguments):
            result = await client.call_tool(tool, arguments)
            return result.content[0].text if result.is_error else result.structured_content

        yield ask


@pytest.fixture
def place(lab):
    return {"repository": lab.project, "pull_request_number": 1}


async def test_a_comment_is_written_edited_and_listed(call, place):
    made = await call("pr_comment_create", **place, comment="Looks good.")
    changed = await call("pr_comment_edit", **place, comment_id=made["comment"]["id"], new_content="Looks fine.")
    assert changed["comment"]["body"] == "Looks fine."
    listed = await call("pr_comment_list", **place)
    assert [one["body"] for one in listed["comments"]] == ["Please look.", "Looks fine."]


async def test_a_thread_is_answered_resolved_and_reopened(call, lab):
    pr = f"{lab.project}!1"
    (entry,) = [one for one in await read_unresolved(call, pr) if one.get("thread_id")]
    owner, _, repo = lab.project.rpartition("/")
    where = {"owner": owner, "repo": repo, "pull_number": 1}
    await call("reply_to_review_comment", **where, comment_id=entry["id"], body="To greet.")
    await call("resolve_review_thread", **where, thread_id=entry["thread_id"])
    assert not [one for one in await read_unresolved(call, pr) if one.get("thread_id")]
    await call("unresolve_review_thread", **where, thread_id=entry["thread_id"])
    (again,) = [one for one in await read_unresolved(call, pr) if one.get("thread_id")]
    assert (again["id"], again["last_reply"]["body"]) == (entry["id"], "To greet.")


async def read_unresolved(call, pr):
    found = await call("find_unresolved_comments", pr=pr)
    assert not isinstance(found, str), found
    return found["comments"]


async def test_a_quick_action_is_refused(call, place):
    assert "allow_quick_actions=true" in await call("pr_comment_create", **place, comment="Fine.\n/close")


async def test_conflicts_are_found_by_git(call, lab):
    found = await call("detect_merge_conflicts", pr=f"{lab.project}!1")
    assert (found["found_by"], found["has_conflicts"]) == ("git", False)


async def test_readiness_failing_tests_and_impact_are_answered(call, lab):
    ready = await call("check_merge_readiness", pr=f"{lab.project}!1")
    assert ready["verdict"] in {"ready", "blocked", "unproven"}
    assert not isinstance(await call("get_failing_tests", pr=f"{lab.project}!1"), str)
    impact = await call("analyze_pr_impact", pr=f"{lab.project}!1")
    assert "hello.py" in str(impact)


async def test_a_merge_request_that_does_not_exist_is_named(call, lab):
    assert "9999" in await call("find_unresolved_comments", pr=f"{lab.project}!9999")
