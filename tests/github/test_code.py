"""Changes of pull requests on GitHub (docs/forge-behaviour/github.md#code)."""

import pytest
from github_double.world import World

from stithy_core.spi import NotFound, PullRequestRef, RepositoryRef, TooLarge, Unknown
from stithy_github.changes_mapping import to_file

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")
PR = PullRequestRef(LAB, 1)
R, PULL = "GET /repos/smith/lab", "GET /repos/smith/lab/pulls/1"
PERSON = {"name": "Smith", "email": "smith@example.invalid", "date": "2026-01-05T09:00:00Z"}


@pytest.fixture
def world():
    """A world with a pull request that adds, changes, deletes and renames files."""
    made = World()
    tree = {"README.md": "# Lab\n", "old.txt": "old\n", "z.txt": "z\n", "logo.png": b"\x89PNG"}
    lab = made.add_repository("lab", tree)
    change = {"README.md": None, "READ.md": "# Lab\n", "old.txt": None, "z.txt": "zz\n", "logo.png": b"\x89PNG2"}
    made.push(lab, "greet", "Add hello.py", {"hello.py": "print()\n"})
    made.push(lab, "greet", "Change texts", change)
    made.add_pull(lab, "Greet", "greet")
    return made


def commit(number):
    git = {"author": PERSON, "committer": PERSON, "message": f"Step {number}"}
    return {"sha": f"{number:040}", "commit": git, "html_url": "", "author": None, "committer": None, "parents": []}


def file_row(number):
    return {"filename": f"{number:04}.txt", "status": "added", "additions": 1, "deletions": 0, "changes": 1}


def answer_in_pages(hub, path, rows, wrap=lambda page: page):
    """Let the hub answer with pages of a hundred rows, each of which links to the next."""

    def answer(query):
        page = int(query.get("page", 1))
        more = f'<{hub.url}/api/v3{path}?page={page + 1}&per_page=100>; rel="next"'
        headers = {"Link": more} if page * 100 < len(rows) else {}
        return 200, headers, wrap(rows[(page - 1) * 100 : page * 100])

    hub.answers[f"GET {path}"] = answer


async def test_files_come_by_path_with_the_models_words(world, in_world):
    async with in_world(world) as forge:
        files = await forge.changes.files(PR)
    words = [(file.path, file.status, file.previous_path) for file in files]
    assert words == [
        ("READ.md", "renamed", "README.md"),
        ("hello.py", "added", ""),
        ("logo.png", "modified", ""),
        ("old.txt", "deleted", ""),
        ("z.txt", "modified", ""),
    ]
    assert (files.total, files.cut) == (5, "")


async def test_patches_are_included_on_request(world, in_world):
    async with in_world(world) as forge:
        without = await forge.changes.files(PR)
        files = {file.path: file.patch for file in await forge.changes.files(PR, patches=True)}
    assert {file.patch for file in without} == {None}
    assert files["hello.py"] == "@@ -0,0 +1 @@\n+print()"
    assert files["READ.md"] == ""  # nothing in it changed
    assert "binary" in files["logo.png"].reason


def test_a_large_patch_is_distinguished_from_a_binary_file():
    large = to_file(file_row(1) | {"additions": 9_000}, patches=True)
    assert "too large" in large.patch.reason


async def test_a_list_of_3000_files_has_the_total(hub, github):
    answer_in_pages(hub, "/repos/smith/lab/pulls/1/files", [file_row(number) for number in range(3_000)])
    hub.answers[PULL] = {"changed_files": 3_412}
    async with github(hub.url) as forge:
        files = await forge.changes.files(PR)
    assert (len(files), files.total) == (3_000, 3_412)
    assert files.cut == "GitHub lists only 3,000 of the 3,412 changed files of the pull request"


async def test_3000_files_may_be_all(hub, github):
    answer_in_pages(hub, "/repos/smith/lab/pulls/1/files", [file_row(number) for number in range(3_000)])
    hub.answers[PULL] = {"changed_files": 3_000}
    async with github(hub.url) as forge:
        files = await forge.changes.files(PR)
    assert (len(files), files.total, files.cut) == (3_000, 3_000, "")


async def test_the_diff_is_as_git_writes_it(world, in_world):
    async with in_world(world) as forge:
        diff = b"".join([piece async for piece in forge.changes.diff(PR)]).decode()
    assert diff.startswith("diff --git a/README.md b/READ.md\nsimilarity index 100%\n")
    assert "--- /dev/null\n+++ b/hello.py\n@@ -0,0 +1 @@\n+print()\n" in diff


async def test_the_error_of_a_large_diff_suggests_reading_the_files(hub, github):
    error = {"resource": "PullRequest", "field": "diff", "code": "too_large"}
    hub.answers[PULL] = 406, {}, {"message": "Sorry, the diff exceeded the maximum", "errors": [error]}
    async with github(hub.url) as forge:
        with pytest.raises(TooLarge) as caught:
            await anext(forge.changes.diff(PR))
    assert "files" in caught.value.suggestion


async def test_an_issue_has_no_files_commits_or_diff(world, in_world):
    issue = PullRequestRef(LAB, world.add_issue(world.repository("smith/lab"), "It is slow").number)
    async with in_world(world) as forge:
        for reading in (forge.changes.files(issue), forge.changes.commits(issue), anext(forge.changes.diff(issue))):
            with pytest.raises(NotFound, match="is an issue, not a pull request"):
                await reading


async def test_commits_come_oldest_first(world, in_world):
    async with in_world(world) as forge:
        commits = await forge.changes.commits(PR)
    assert [found.message for found in commits] == ["Add hello.py", "Change texts"]
    assert commits[1].parents == (commits[0].sha,)
    assert (commits[0].author.login, commits[0].verified, commits.cut) == ("smith", False, "")


@pytest.fixture
def many(hub):
    """A pull request of 312 commits, of which GitHub lists 250."""
    rows = [commit(number) for number in range(312)]
    answer_in_pages(hub, "/repos/smith/lab/pulls/1/commits", rows[:250])
    hub.answers[PULL] = {"commits": 312, "base": {"sha": "b"}, "head": {"sha": "h"}}
    answer_in_pages(hub, "/repos/smith/lab/compare/b...h", rows, lambda page: {"commits": page})
    return hub


async def test_commits_beyond_250_are_read_from_a_comparison(many, github):
    async with github(many.url) as forge:
        commits = await forge.changes.commits(PR)
    assert [found.message for found in commits] == [f"Step {number}" for number in range(312)]
    assert (commits.total, commits.cut) == (312, "")


@pytest.mark.parametrize("answer", [(404, {}, {"message": "Not Found"}), {"commits": [commit(1)]}])
async def test_a_comparison_with_other_commits_is_ignored(many, github, answer):
    many.answers[f"{R}/compare/b...h"] = answer
    async with github(many.url) as forge:
        commits = await forge.changes.commits(PR)
    assert (len(commits), commits.total) == (250, 312)
    assert commits.cut == "GitHub lists only 250 of the 312 commits of the pull request"


async def test_250_commits_may_be_all(many, github):
    many.answers[PULL] = {"commits": 250}
    async with github(many.url) as forge:
        commits = await forge.changes.commits(PR)
    assert (len(commits), commits.total, commits.cut) == (250, 250, "")


async def test_branches_are_compared(world, in_world):
    lab = world.repository("smith/lab")
    fork_point = lab.branches["main"]
    world.push(lab, "main", "Go on", {"new.txt": "new\n"})
    async with in_world(world) as forge:
        found = await forge.changes.compare(LAB, "main", "greet")
    assert (found.base, found.head, found.ahead, found.behind, found.merge_base) == ("main", "greet", 2, 1, fork_point)
    assert [one.message for one in found.commits] == ["Add hello.py", "Change texts"]
    assert [file.path for file in found.files] == ["READ.md", "hello.py", "logo.png", "old.txt", "z.txt"]


async def test_branches_with_slashes_and_of_forks_are_compared(world, in_world):
    lab, other = world.repository("smith/lab"), world.add_user("other")
    fork = world.add_fork(lab, other)
    world.push(fork, "fix/it now", "Fix", {"fix.txt": "fix\n"})
    async with in_world(world) as forge:
        found = await forge.changes.compare(LAB, "main", "other:fix/it now")
    assert [one.message for one in found.commits] == ["Fix"]


async def test_all_commits_of_a_long_comparison_are_read(world, in_world):
    lab = world.repository("smith/lab")
    for number in range(101):
        world.push(lab, "long", f"Step {number}", {"step.txt": f"{number}\n"})
    async with in_world(world) as forge:
        found = await forge.changes.compare(LAB, "main", "long")
    assert (found.ahead, len(found.commits), found.commits.cut) == (101, 101, "")
    assert [file.path for file in found.files] == ["step.txt"]


async def test_a_comparison_of_more_than_300_files_says_so(world, in_world):
    world.push(world.repository("smith/lab"), "wide", "Add", {f"{number:03}.txt": "x\n" for number in range(301)})
    async with in_world(world) as forge:
        found = await forge.changes.compare(LAB, "main", "wide")
    assert (len(found.files), found.files.total) == (300, None)
    assert found.files.cut == "GitHub lists at most 300 files of a comparison"


@pytest.mark.parametrize(
    ("ends", "said"),
    [(("mian", "greet"), "smith/lab has no 'mian', the base"), (("main", "gret"), "smith/lab has no 'gret', the head")],
    ids=["base", "head"],
)
async def test_the_missing_ref_of_a_comparison_is_named(world, in_world, ends, said):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match=said):
            await forge.changes.compare(LAB, *ends)


async def test_the_missing_repository_of_a_comparison_is_named(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="hub has no repository smith/lib"):
            await forge.changes.compare(RepositoryRef("smith", "lib"), "main", "greet")


async def test_an_error_says_that_branches_have_no_common_ancestor(hub, github):
    hub.answers[f"{R}/compare/a...b"] = 404, {}, {"message": "No common ancestor between a and b."}
    hub.answers |= {R: {}, f"{R}/compare/a...a": {}, f"{R}/compare/b...b": {}}
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match="No common ancestor") as caught:
            await forge.changes.compare(LAB, "a", "b")
    assert caught.value.__cause__ is not caught.value


async def test_a_comparison_may_come_without_files(hub, github):
    counts = {"ahead_by": 0, "behind_by": 0, "total_commits": 0}
    hub.answers[f"{R}/compare/a...b"] = counts | {"merge_base_commit": {"sha": "c"}, "commits": []}
    async with github(hub.url) as forge:
        assert isinstance((await forge.changes.compare(LAB, "a", "b")).files, Unknown)


async def test_a_missing_repository_is_named(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="hub has no repository smith/lib"):
            await forge.changes.repository(RepositoryRef("smith", "lib"))


async def test_a_renamed_repository_is_read_under_its_current_name(world, in_world):
    world.rename(world.repository("smith/lab"), "workshop")
    async with in_world(world) as forge:
        found = await forge.changes.repository(LAB)
    assert str(found.ref) == "smith/workshop"
    assert (found.default_branch, found.writable, found.merge_methods) == ("main", True, ("merge", "squash", "rebase"))


@pytest.mark.parametrize("methods", [("merge",), ("squash",), ("rebase",), ("merge", "rebase")])
async def test_a_writer_sees_the_merge_methods(world, in_world, methods):
    world.repository("smith/lab").merge_methods = methods
    async with in_world(world) as forge:
        assert (await forge.changes.repository(LAB)).merge_methods == methods


async def test_without_a_token_the_permission_to_push_is_unknown(world, in_world):
    async with in_world(world, token="") as forge:
        found = await forge.changes.repository(LAB)
    assert isinstance(found.writable, Unknown)
    assert "token" in found.writable.remedy


async def test_the_files_of_a_commit_are_listed(hub, github):
    rows = [{"path": "src", "type": "tree"}, {"path": "src/a.py", "type": "blob"}, {"path": "sub", "type": "commit"}]
    hub.answers[f"{R}/git/trees/abc"] = {"tree": rows, "truncated": False}
    hub.answers[f"{R}/git/trees/def"] = {"tree": rows, "truncated": True}
    async with github(hub.url) as forge:
        whole, some = await forge.changes.tree(LAB, "abc"), await forge.changes.tree(LAB, "def")
    assert (tuple(whole), whole.total, whole.cut) == (("src/a.py", "sub"), 2, "")
    assert (len(some), some.total, some.cut) == (2, None, "GitHub truncates the list of a commit's files")
