"""Where a forge keeps the head of a pull request: every tool of stithy-pulls reads it there, with real git."""

import shutil
from pathlib import Path

import anyio
import pytest
from conflict_cases import LINES, content, edit, play
from forge_shapes import delete_branch, find_fork, list_entries, move_heads
from git_forge import TOKEN, git
from stack_cases import run

from stithy_pulls.git.fetch_sources import create_branch_source, get_branch_label
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SHAPES = ["merge-requests", "changes", "branches", "forks"]
FREE = {"protected": False, "user_can_merge": True, "name": "main"}
GONE = "this forge keeps no ref of the pull request"


@pytest.fixture
def call(tmp_path, served):
    """Call a tool on a forge of a shape: `call(shape, tool, pr=…)` returns its object, or its error's text."""

    async def call_tool(shape, tool, settings="", *, at=served, **arguments):
        lines = f'[forges.work]\nkind = "{shape}"\nurl = "{at.url}"\n'
        if at.token:
            lines += 'token = { env = "WORK_TOKEN" }\n'
        app = make_app(tmp_path, lines + settings, entries=list_entries(), environ={"WORK_TOKEN": TOKEN})
        with anyio.fail_after(120):
            async with connect(app) as client:
                result = await client.call_tool(tool, arguments)
        found = {} if result.is_error else result.structured_content
        return found | {"text": result.content[0].text}

    return call_tool


def open_conflict(shop, shape):
    """Open a pull request with a conflict, where a forge of the shape keeps it, and return it and its head."""
    pr = play(shop, content)
    move_heads(shop, shape)
    return pr, shop.pulls[1]["head"]["sha"]


@pytest.mark.parametrize("shape", SHAPES)
async def test_conflicts_are_found_by_git(shop, call, shape):
    pr, head = open_conflict(shop, shape)
    found = await call(shape, "detect_merge_conflicts", pr=pr)
    assert (found["found_by"], found["has_conflicts"], found["head_commit"]) == ("git", True, head)
    (conflict,) = found["conflicts"]
    assert (conflict["base_content_preview"], conflict["head_content_preview"]) == ("10: base", "10: head")


@pytest.mark.parametrize("shape", SHAPES)
async def test_the_steps_of_a_conflict_run_in_a_fresh_clone(shop, call, shape, tmp_path):
    pr, head = open_conflict(shop, shape)
    git(tmp_path, "clone", "-q", str(shop.bare), "clone")
    fetch, switch, merge, diff, commit, push = (await call(shape, "detect_merge_conflicts", pr=pr))["instructions"][
        "resolution_steps"
    ]
    clone = tmp_path / "clone"
    run(clone, f"{fetch}\n{switch}")
    assert git(clone, "rev-parse", "HEAD") == head
    with pytest.raises(AssertionError, match="CONFLICT"):
        run(clone, merge)
    assert run(clone, diff).strip() == "f"
    (clone / "f").write_text(edit(10, "both"))
    run(clone, f"git add f\n{commit}\n{push}")
    bare, ref = find_fork(shop) if shape == "forks" else shop.bare, "refs/for/main" if shape == "changes" else "work"
    assert git(bare, "show", f"{ref}:f") == edit(10, "both").strip("\n")
    assert (git(bare, "log", "-1", "--format=%s", ref) == "By head") is (shape == "changes")


async def test_the_steps_name_the_fork_that_has_the_head(shop, served, call):
    pr, _ = open_conflict(shop, "forks")
    fetch, *_, push = (await call("forks", "detect_merge_conflicts", pr=pr))["instructions"]["resolution_steps"]
    base_line, head_line, _ = fetch.split(" && ")
    assert f"{served.url}/smith/anvil.git" in base_line
    assert f"{served.url}/guest/anvil.git" in head_line
    assert "+refs/heads/work:refs/stithy/pull-1" in head_line
    assert fetch.endswith("# from smith/anvil and guest/anvil")
    assert f"{served.url}/guest/anvil.git" in push


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tool", ["analyze_pr_impact", "get_review_suggestions"])
async def test_diffs_are_read_by_git(shop, call, shape, tool):
    """The double has no API for diffs, so an answer proves that git had the head."""
    pr, _ = open_conflict(shop, shape)
    found = await call(shape, tool, pr=pr)
    assert "from the forge's API only" not in found["text"]
    assert (found.get("changes") or found["files"][0])["additions"] == 1


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_conflict_makes_a_pull_request_not_ready(shop, served, call, shape):
    pr, _ = open_conflict(shop, shape)
    served.more |= {"/branches/main": FREE, "/issues/1/dependencies": []}
    found = await call(shape, "check_merge_readiness", pr=pr)
    assert [one["category"] for one in found["blocking_issues"]] == ["conflicts"]


@pytest.mark.parametrize("shape", SHAPES)
async def test_other_open_pull_requests_are_compared(shop, call, shape):
    pr = play(shop, content)
    shop.branch("other", at="main~1")
    shop.commit("Other", {"f": edit(10, "other")})
    shop.pull(2, "other")
    move_heads(shop, shape)
    found = await call(shape, "detect_merge_conflicts", pr=pr, against_open=True)
    assert [(row["pr"], row["has_conflicts"]) for row in found["against_open"]] == [("smith/anvil#2", True)]


@pytest.mark.parametrize("shape", ["merge-requests", "branches", "forks"])
async def test_a_closed_pull_request_counts_as_the_forge_has_it(shop, call, shape):
    """Its branch may be used for something else by now; a forge without refs has only the commit."""
    pr, head = open_conflict(shop, shape)
    shop.pulls[1]["state"] = "closed"
    git(find_fork(shop) if shape == "forks" else shop.bare, "branch", "-f", "work", "main")
    found = await call(shape, "detect_merge_conflicts", pr=pr)
    assert (found["found_by"], found["head_commit"]) == ("git", head)


async def test_the_commit_that_the_api_names_is_waited_for(shop, call):
    """The fork's branch has an older commit, and the API names a newer one."""
    pr, head = open_conflict(shop, "forks")
    shop.pulls[1]["head"]["sha"] = "1" * 40
    found = await call("forks", "detect_merge_conflicts", pr=pr)
    assert "has_conflicts" not in found
    assert f"the API names 1111111111 as the head, and git has {head[:10]}" in found["text"]


async def test_files_that_only_a_fork_has_are_read(shop, call):
    """Large files arrive as differences to those of the base, which the cache does not have."""
    lines = [f"line {number} of a large file\n" for number in range(20_000)]
    shop.commit("Begin", {"f": "".join(lines)})
    shop.branch("work")
    for word in ("one", "two", "three"):
        lines[7] = f"{word}\n"
        shop.commit(word, {"f": "".join(lines), f"{word}.txt": LINES})
    shop.switch("main")
    lines[7] = "base\n"
    shop.commit("Base", {"f": "".join(lines)})
    pr = shop.pull(1, "work")
    move_heads(shop, "forks")
    found = await call("forks", "detect_merge_conflicts", pr=pr)
    assert found["found_by"] == "git", found["notes"]
    assert found["conflicts"][0]["head_content_preview"] == "8: three"


async def test_a_private_fork_is_read_with_the_token(shop, locked, call):
    pr, _ = open_conflict(shop, "forks")
    found = await call("forks", "detect_merge_conflicts", at=locked, pr=pr)
    assert (found["found_by"], found["has_conflicts"]) == ("git", True)


async def test_a_fork_outside_the_allowed_repositories_is_not_read(shop, served, call):
    """The token is for the repositories of the settings only."""
    pr, _ = open_conflict(shop, "forks")
    found = await call("forks", "detect_merge_conflicts", 'repositories = ["smith/anvil"]\n', pr=pr)
    assert found["found_by"] == "forge"
    assert "guest/anvil cannot be read" in found["notes"][0]
    assert "instructions" not in found


# --- What was deleted


LOST = {
    "branches": "the source branch 'work' of smith/anvil was deleted",
    "forks": "the source branch 'work' of guest/anvil was deleted",
}


@pytest.mark.parametrize("shape", LOST)
async def test_a_deleted_branch_is_named_as_the_cause(shop, call, shape):
    pr, head = open_conflict(shop, shape)
    delete_branch(shop, "work", fork=shape == "forks")
    found = await call(shape, "detect_merge_conflicts", pr=pr)
    assert found["found_by"] == "forge"
    assert f"git cannot fetch the head of smith/anvil#1: {LOST[shape]}; {GONE}" in found["notes"][0]
    assert f"Restore the branch at {head[:10]}, or open a new pull request" in found["notes"][0]
    assert "empty" not in found["text"]


async def test_no_steps_are_shown_that_cannot_fetch_the_head(shop, call):
    """The forge still reports the conflict."""
    pr, _ = open_conflict(shop, "branches")
    shop.pulls[1]["mergeable"] = False
    delete_branch(shop, "work")
    assert "instructions" not in await call("branches", "detect_merge_conflicts", pr=pr)


@pytest.mark.parametrize("known", [True, False], ids=["named by the API", "not named"])
async def test_a_deleted_fork_is_named_as_the_cause(shop, call, known):
    pr, _ = open_conflict(shop, "forks")
    shutil.rmtree(find_fork(shop))
    if not known:
        shop.pulls[1]["head"]["repo"] = None
    found = await call("forks", "detect_merge_conflicts", pr=pr)
    assert ("guest/anvil cannot be read" if known else "the fork was deleted") in found["notes"][0]
    assert GONE in found["notes"][0]


@pytest.mark.parametrize("tool", ["analyze_pr_impact", "get_review_suggestions"])
async def test_diffs_come_from_the_api_after_the_branch_was_deleted(shop, served, call, tool):
    pr, _ = open_conflict(shop, "branches")
    delete_branch(shop, "work")
    served.more["/pulls/1/files"] = [{"filename": "f", "status": "changed", "additions": 1, "deletions": 1}]
    served.more["/pulls/1.diff"] = ""
    found = await call("branches", tool, pr=pr)
    assert f"{LOST['branches']}; {GONE}" in found["text"]


async def test_readiness_is_unproven_after_the_branch_was_deleted(shop, served, call):
    pr, _ = open_conflict(shop, "branches")
    delete_branch(shop, "work")
    served.more |= {"/branches/main": FREE, "/issues/1/dependencies": []}
    found = await call("branches", "check_merge_readiness", pr=pr)
    assert found["verdict"] == "unproven"
    assert f"{LOST['branches']}; {GONE}" in str(found["unproven"])


async def test_a_merged_head_is_found_in_the_repository_that_has_it(shop, call):
    """The fork was deleted after the merge, whose second parent is the head."""
    shop.commit("Begin", {"f": LINES})
    shop.branch("work")
    head = shop.commit("Work", {"f": edit(10, "head")})
    shop.switch("main")
    shop.git("merge", "-q", "--no-ff", "work")
    pr = shop.pull(1, "work")
    move_heads(shop, "forks")
    shop.pulls[1] |= {"state": "closed", "merged": True}
    shutil.rmtree(find_fork(shop))
    found = await call("forks", "detect_merge_conflicts", pr=pr)
    assert (found["found_by"], found["head_commit"]) == ("git", head)


# --- Names


async def test_an_invalid_ref_is_the_fault_of_the_forges_plugin(shop, call):
    pr, _ = open_conflict(shop, "merge-requests")
    found = await call("spaced", "detect_merge_conflicts", pr=pr)
    assert "Forge.head_ref of the forge kind 'spaced' failed inside stithy-shapes 1.0" in found["text"]
    assert "it contains a space" in found["text"]


@pytest.mark.parametrize("name", ["x y", "a..b", "x\n+refs/heads/main:refs/heads/pull/1", "", "a:b"])
def test_a_branch_that_git_does_not_accept_is_not_requested(name):
    assert (create_branch_source(name).ref, create_branch_source(name).commit) == ("", "")


async def test_a_branch_that_git_does_not_accept_does_not_exist(shop, call):
    pr, _ = open_conflict(shop, "merge-requests")
    target = "x\n+refs/heads/main:refs/heads/base/main"
    found = await call("merge-requests", "detect_merge_conflicts", pr=pr, target_branch=target)
    assert "has no branch" in found["text"]


@pytest.mark.parametrize("name", ["pull/1", "commit/1", "--upload-pack=x", "a/b", "refs/merge-requests/1/head"])
def test_labels_of_branches_are_apart_from_those_of_heads(name):
    """Conflict markers show `pull/1` for a head, and a branch of that name has another label."""
    kind, _, rest = get_branch_label(name).partition("/")
    assert (kind, "/" in rest) == ("base", False)


async def test_a_branch_of_a_pull_request_may_begin_with_a_hyphen(shop, call, tmp_path):
    shop.commit("Begin", {"f": LINES})
    shop.branch("work")
    shop.commit("Head", {"f": edit(10, "head")})
    shop.switch("main")
    shop.commit("Base", {"f": edit(10, "base")})
    pr, name = shop.pull(1, "work"), "--upload-pack=touch"
    shop.push(f"work:refs/heads/{name}")
    shop.pulls[1]["head"]["ref"] = name
    move_heads(shop, "branches")
    found = await call("branches", "detect_merge_conflicts", pr=pr)
    assert found["has_conflicts"] is True
    git(tmp_path, "clone", "-q", str(shop.bare), "clone")
    run(tmp_path / "clone", "\n".join(found["instructions"]["resolution_steps"][:2]))


def test_only_forges_spell_the_refs_of_pull_requests():
    """The default is in the interface; the sandbox writes such refs; Gitea's API names them for deleted branches."""
    root = Path(__file__).parents[2]
    files = [
        path
        for part in ("core/src", "libs/client/src", "libs/interface/src", "plugins")
        for path in (root / part).rglob("*.py")
    ]
    found = {path.name for path in files if "refs/pull/" in path.read_text(encoding="utf-8")}
    assert found == {"forge.py", "git_formats.py", "sandbox_forge.py", "mapping.py"}
