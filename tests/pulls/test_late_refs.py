"""After a push a forge moves a pull request's own ref in the background: until then git's head is not the API's."""

import json

import anyio
import pytest
from conflict_cases import LINES, content, edit, play
from git_forge import git
from stack_cases import Stack, run

from stithy_testing import connect

pytestmark = pytest.mark.anyio

RULE = {
    "protected": True,
    "user_can_merge": True,
    "name": "main",
    "required_approvals": 1,
    "effective_branch_protection_name": "main",
}
WHOLE_RULE = {"rule_name": "main", "required_approvals": 1, "dismiss_stale_approvals": True}


@pytest.fixture
def call(app_of, served):
    """Call a tool, and return its object; an error is raised with its text."""

    async def call_tool(tool, **arguments):
        with anyio.fail_after(120):
            async with connect(app_of(served)) as client:
                result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content | {"text": result.content[0].text}

    return call_tool


@pytest.fixture
def pauses(monkeypatch):
    """Collect the pauses of stithy-pulls instead of making them; `during` runs in each."""

    class Pauses(list):
        during = staticmethod(lambda: None)

    found = Pauses()

    async def sleep(seconds):
        found.append(seconds)
        found.during()

    class Time:
        def __getattr__(self, name):  # anyio imports its names on first use
            return sleep if name == "sleep" else getattr(anyio, name)

    for module in ("git.ref_fetching", "readiness.readiness_check"):
        monkeypatch.setattr(f"stithy_pulls.{module}.anyio", Time())
    return found


def clean(shop):
    """Open a pull request that conflicts with nothing."""
    shop.commit("Begin", {"f": LINES})
    shop.branch("work")
    shop.commit("Work", {"new": LINES})
    shop.switch("main")
    shop.commit("Base", {"f": edit(10, "base")})
    return shop.pull(1, "work")


def push_conflict(shop, *, to_server=True):
    """Push what conflicts to the branch: the API names the new head, and the ref stays where it is."""
    shop.switch("work")
    sha = shop.commit("Conflict", {"f": edit(10, "head"), "pushed-last.txt": LINES})
    shop.pulls[1]["head"]["sha"] = sha
    if to_server:
        shop.push("work:refs/heads/work")
    return sha


async def test_conflicts_are_those_of_the_head_that_the_api_names(shop, call):
    """The ref had the former head, and the answer was of that (FIX-40)."""
    pr = clean(shop)
    sha = push_conflict(shop)
    found = await call("detect_merge_conflicts", pr=pr)
    assert (found["has_conflicts"], found["head_commit"]) == (True, sha)


async def test_a_new_head_that_conflicts_is_not_ready(shop, served, call):
    """ "Ready to merge at <new head>" was said of the former head's merge (FIX-40)."""
    pr = clean(shop)
    push_conflict(shop)
    free = {"protected": False, "user_can_merge": True, "name": "main"}
    served.more |= {"/branches/main": free, "/issues/1/dependencies": []}
    found = await call("check_merge_readiness", pr=pr)
    assert (found["ready_to_merge"], [one["category"] for one in found["blocking_issues"]]) == (False, ["conflicts"])


@pytest.fixture
def stack(shop):
    """A base and a pull request on it, of one commit each."""
    stack = Stack(shop)
    stack.grow(1, "feat-a", "main", ("A", {"a.txt": "a\n"}))
    stack.grow(2, "feat-b", "feat-a", ("B", {"b.txt": "b\n"}))
    return stack


def amend(shop):
    """Push the base, amended."""
    shop.switch("feat-a")
    shop.files({"a.txt": "amended\n"})
    shop.git("commit", "-q", "-a", "--amend", "-m", "A")
    shop.pulls[1]["head"]["sha"] = shop.git("rev-parse", "HEAD")
    shop.push("feat-a:refs/heads/feat-a")


async def test_a_stack_is_restacked_onto_the_head_that_the_api_names(shop, call, stack):
    """Just after an amend of the base "nothing to do" was said (FIX-40)."""
    amend(shop)
    found = await call("manage_stacked_prs", base_pr="smith/anvil#1", dependent_pr="smith/anvil#2")
    assert found["summary"]["action_required"] is True


async def test_the_steps_of_a_stack_stop_at_a_former_head(shop, call, stack, tmp_path):
    """The clone was told that a branch was rewritten, and steps asked for again were the same (FIX-40)."""
    git(tmp_path, "clone", "-q", str(shop.bare), "clone")
    amend(shop)
    found = await call("manage_stacked_prs", base_pr="smith/anvil#1", dependent_pr="smith/anvil#2")
    lines = [row["command"] for row in found["commands"] if row["type"] == "git"]
    run(tmp_path / "clone", lines[0])
    with pytest.raises(AssertionError, match="still processing a push"):
        run(tmp_path / "clone", lines[1])
    git(shop.bare, "update-ref", "refs/pull/1/head", shop.pulls[1]["head"]["sha"])
    run(tmp_path / "clone", lines[1])


async def test_the_steps_of_a_conflict_stop_at_a_former_head(shop, call, tmp_path):
    """They merged into the former head, and their push dropped what was pushed last (FIX-40)."""
    pr = clean(shop)
    git(tmp_path, "clone", "-q", str(shop.bare), "clone")
    sha = push_conflict(shop)
    first, second, *_ = (await call("detect_merge_conflicts", pr=pr))["instructions"]["resolution_steps"]
    with pytest.raises(AssertionError, match="still processing a push"):
        run(tmp_path / "clone", first)
    git(shop.bare, "update-ref", "refs/pull/1/head", sha)
    run(tmp_path / "clone", first)
    run(tmp_path / "clone", second)
    assert git(tmp_path / "clone", "rev-parse", "HEAD") == sha


async def test_the_steps_of_a_conflict_go_to_the_head_that_the_api_names(shop, call, tmp_path):
    """If the clone has the commit, the pull request's own ref makes no difference (FIX-40)."""
    pr = clean(shop)
    sha = push_conflict(shop)
    git(tmp_path, "clone", "-q", str(shop.bare), "clone")
    for step in (await call("detect_merge_conflicts", pr=pr))["instructions"]["resolution_steps"][:2]:
        run(tmp_path / "clone", step)
    assert git(tmp_path / "clone", "rev-parse", "HEAD") == sha


@pytest.mark.parametrize("tool", ["analyze_pr_impact", "get_review_suggestions"])
async def test_changes_are_those_of_the_head_that_the_api_names(shop, call, tool):
    """What was pushed last was left out (FIX-40)."""
    pr = clean(shop)
    push_conflict(shop)
    assert "pushed-last.txt" in json.dumps(await call(tool, pr=pr))


async def test_a_commit_that_arrives_later_is_waited_for(shop, call, pauses):
    """The commits of a fork are copied to the base repository in the background as well (FIX-40)."""
    pr = clean(shop)
    sha = push_conflict(shop, to_server=False)
    pauses.during = lambda: len(pauses) == 3 and shop.push(f"{sha}:refs/pull/1/head")
    found = await call("detect_merge_conflicts", pr=pr)
    assert (found["has_conflicts"], found["head_commit"], len(pauses)) == (True, sha, 3)


async def test_a_commit_that_does_not_arrive_is_unknown(shop, call, pauses):
    """Neither git's former head nor the forge's verdict on it is an answer (FIX-40)."""
    pr = clean(shop)
    sha = push_conflict(shop, to_server=False)
    found = await call("detect_merge_conflicts", pr=pr)
    assert "has_conflicts" not in found
    assert f"the API names {sha[:10]} as the head" in found["text"]
    assert sum(pauses) < 10


async def test_a_diff_is_refused_rather_than_taken_from_a_former_head(shop, app_of, served, pauses):
    """The forge lists the former head's files until it has processed the push (FIX-40)."""
    pr = clean(shop)
    push_conflict(shop, to_server=False)
    async with connect(app_of(served)) as client:
        result = await client.call_tool("analyze_pr_impact", {"pr": pr})
    assert result.is_error
    assert "Try again in a minute" in result.content[0].text


async def test_the_ref_of_a_closed_pull_request_counts(shop, call):
    """Its branch may be used for something else by now (FIX-40)."""
    pr = play(shop, content)
    before = shop.pulls[1]["head"]["sha"]
    shop.switch("work")
    shop.pulls[1] |= {"state": "closed", "head": shop.pulls[1]["head"] | {"sha": shop.commit("Else")}}
    shop.push("work:refs/heads/work")
    assert (await call("detect_merge_conflicts", pr=pr))["head_commit"] == before


@pytest.fixture
def approved(shop, served):
    """An approval of the former head, under a rule that dismisses it once the push is processed."""
    pr = clean(shop)
    former = shop.pulls[1]["head"]["sha"]
    shop.switch("work")
    shop.pulls[1]["head"]["sha"] = shop.commit("More", {"other": LINES})
    shop.push("work:refs/heads/work")
    review = {
        "id": 1,
        "state": "APPROVED",
        "user": {"id": 2, "login": "reviewer"},
        "commit_id": former,
        "stale": False,
        "official": True,
        "dismissed": False,
        "submitted_at": "2026-01-05T10:00:00Z",
    }
    served.reviews = [review]
    served.more |= {"/branches/main": RULE, "/branch_protections": [WHOLE_RULE], "/issues/1/dependencies": []}
    return pr


async def test_an_approval_that_a_push_will_dismiss_proves_nothing(approved, call, pauses):
    """Reviews are dismissed after the ref was moved (FIX-40)."""
    found = await call("check_merge_readiness", pr=approved)
    assert found["ready_to_merge"] is False
    assert "still processing the latest push" in found["text"]


async def test_an_approval_is_read_again_once_the_push_is_processed(shop, served, approved, call, pauses):
    """The forge is asked again, in bounds (FIX-40)."""

    def process():
        git(shop.bare, "update-ref", "refs/pull/1/head", shop.pulls[1]["head"]["sha"])
        served.reviews[0] |= {"dismissed": True, "state": "APPROVED"}

    pauses.during = process
    found = await call("check_merge_readiness", pr=approved)
    assert [one["category"] for one in found["blocking_issues"]] == ["approvals"]
    assert len(pauses) == 1
