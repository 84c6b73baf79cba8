"""The clones that people have: a shell runs the steps in each, and nothing moves that they do not name (FIX-23)."""

import pytest
from git_forge import git
from stack_cases import run

pytestmark = pytest.mark.anyio

PAIR = ("smith/anvil#1", "smith/anvil#2")


@pytest.fixture
def manage(manage_once):
    """Call the tool once for all clones."""
    return manage_once


def move_stack(stack, depth=3):
    """Check what the remote has, and return the heads that were pushed."""
    for branch, base, expected in (("feat-b", "main", "b1 b2"), ("feat-c", "feat-b", "c1"))[: depth - 1]:
        assert git(stack.shop.bare, "log", "--reverse", "--format=%s", f"{base}..{branch}").split() == expected.split()
    return {branch: git(stack.shop.bare, "rev-parse", branch) for branch in ("feat-b", "feat-c")}


def refs(place, *patterns):
    """Return all refs but those that a fetch or a clone makes."""
    rows = git(place, "for-each-ref", "--format=%(refname) %(objectname)", *(patterns or ["refs/heads", "refs/stithy"]))
    return dict(row.split(" ") for row in rows.splitlines())


def lines(found):
    """Return the lines that a person runs in a shell."""
    return [row["command"] for row in found["commands"] if row["type"] == "git"]


def fails(place, line):
    """Run a line that must fail, and return what it says."""
    with pytest.raises(AssertionError) as caught:
        run(place, line)
    return str(caught.value)


async def test_the_authors_branches_come_along_and_no_other_moves(squashed, manage, clone, perform):
    """Backups in the range moved with `--update-refs`."""
    place = clone()
    for name, at in (("backup-b", "feat-b"), ("backup-c", "feat-c"), ("within", "feat-b~1"), ("restack/2", "feat-b")):
        git(place, "branch", name, at)
    before = refs(place)
    perform(await manage(PAIR[0], "smith/anvil#3"), clone=place)
    new = move_stack(squashed)
    assert refs(place) == before | {f"refs/heads/{name}": sha for name, sha in new.items()}
    assert len(git(place, "worktree", "list").splitlines()) == 1
    assert not list((place / ".git").glob("stithy*"))


SETTINGS = [
    {"rebase.backend": "apply", "rebase.updateRefs": "true", "fetch.prune": "true", "push.followTags": "true"},
    {"rebase.autoStash": "true", "rebase.rebaseMerges": "true", "submodule.recurse": "true", "core.autocrlf": "true"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=["rebase and push", "worktree"])
async def test_configuration_decides_nothing(squashed, manage, clone, perform, settings):
    place = clone()
    git(place, "tag", "-a", "-m", "mine", "mine", "feat-b~1")
    git(place, "branch", "within", "feat-b~1")
    before = refs(place)
    for name, value in settings.items():
        git(place, "config", name, value)
    perform(await manage(PAIR[0], "smith/anvil#3"), clone=place)
    assert refs(place) == before | {f"refs/heads/{name}": sha for name, sha in move_stack(squashed).items()}
    assert not git(squashed.shop.bare, "tag")


async def test_work_of_an_earlier_run_is_not_discarded(squashed, manage, clone, perform):
    """A branch `restack/2`, checked out in another worktree, with resolutions that nobody pushed."""
    place = clone()
    git(place, "worktree", "add", "-q", "-b", "restack/2", "../other", "origin/feat-b")
    git(place.parent / "other", "commit", "-q", "--allow-empty", "-m", "a resolution")
    kept = git(place, "rev-parse", "restack/2")
    perform(await manage(*PAIR), clone=place)
    move_stack(squashed, 2)
    assert git(place, "rev-parse", "restack/2") == git(place.parent / "other", "rev-parse", "HEAD") == kept


async def test_a_run_that_has_not_ended_is_found_by_the_next_one(squashed, manage, clone, perform):
    place = clone()
    found = await manage(*PAIR)
    perform(found, clone=place, last="git fetch")
    assert "An earlier run of these steps is unfinished" in fails(place, lines(found)[0])
    run(place, found["recovery"][1])
    run(place, lines(found)[0])


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("scope", ["--no-single-branch", "--single-branch"])
async def test_a_shallow_clone_gets_the_whole_history(squashed, manage, clone, perform, depth, scope):  # noqa: PLR0917 -- fixtures
    """It had false conflicts."""
    branches = ("feat-b", "feat-c") if scope == "--no-single-branch" else ()
    place = clone(f"--depth={depth}", scope, url=f"file://{squashed.shop.bare}", branches=branches)
    before = refs(place, "refs")
    perform(await manage(*PAIR), clone=place)
    new = move_stack(squashed, 2)["feat-b"]
    followed = {"refs/heads/feat-b": new} if branches else {}
    pushed = {"refs/remotes/origin/feat-b": new} if branches else {}
    assert refs(place, "refs") == before | followed | pushed


async def test_a_fork_as_origin_is_left_alone(squashed, manage, clone, perform, tmp_path):
    """Its main is old, and it has a pull request of the same number."""
    shop = squashed.shop
    fork = tmp_path / "guest" / "anvil.git"
    git(tmp_path, "clone", "-q", "--bare", str(shop.bare), str(fork))
    git(fork, "update-ref", "refs/pull/2/head", "refs/heads/feat-a")
    git(fork, "update-ref", "refs/heads/main", "main~1")
    git(shop.bare, "config", "http.receivepack", "true")
    before = refs(fork, "refs")
    perform(await manage(*PAIR), clone=clone(url=str(fork)))
    move_stack(squashed, 2)
    assert refs(fork, "refs") == before


async def test_a_fork_that_the_pull_request_comes_from_is_pushed_to_by_its_remote(squashed, manage, clone, tmp_path):
    """The person's own remote may be one that their keys let in; here nothing listens at the URL."""
    shop = squashed.shop
    fork = tmp_path / "guest" / "anvil.git"
    git(tmp_path, "clone", "-q", "--bare", str(shop.bare), str(fork))
    shop.pulls[2]["head"] |= {"repo": {"full_name": "guest/anvil", "archived": False}}
    place = clone("-o", "mine", url=str(fork), branches=["feat-b"], remote="mine")
    git(place, "remote", "add", "theirs", str(shop.bare))
    found = await manage(*PAIR)
    for line in lines(found):
        run(place, line.replace("http://127.0.0.1", "http://nowhere.invalid"))
    assert git(fork, "log", "--reverse", "--format=%s", "main..feat-b").splitlines() == ["b1", "b2"]


async def test_another_name_of_the_remote(squashed, manage, clone, perform):
    perform(await manage(*PAIR), clone=clone("-o", "upstream", remote="upstream"))
    move_stack(squashed, 2)


async def test_changes_that_are_not_committed_on_the_branch_itself(squashed, manage, clone, perform):
    """The first step says it; stashed, all goes on, and the change comes back."""
    place = clone()
    git(place, "switch", "-q", "feat-b")
    (place / "a.txt").write_text("mine\n")
    found, before = await manage(*PAIR), refs(place)
    assert "has uncommitted changes: run git stash there" in fails(place, lines(found)[0])
    assert refs(place) == before
    git(place, "stash", "-q")
    perform(found, clone=place)
    git(place, "stash", "pop", "-q")
    assert git(place, "rev-parse", "HEAD") == git(place, "rev-parse", "feat-b") == move_stack(squashed, 2)["feat-b"]
    assert git(place, "status", "--porcelain") == " M a.txt"


async def test_changes_elsewhere_stay(squashed, manage, clone, perform):
    """Staged, unstaged and untracked ones on main do not matter, and are not touched."""
    place = clone()
    (place / "a.txt").write_text("mine\n")
    (place / "staged.txt").write_text("mine\n")
    (place / "untracked.txt").write_text("mine\n")
    git(place, "add", "staged.txt")
    before = git(place, "status", "--porcelain"), git(place, "diff"), git(place, "symbolic-ref", "HEAD")
    perform(await manage(*PAIR), clone=place)
    move_stack(squashed, 2)
    assert (git(place, "status", "--porcelain"), git(place, "diff"), git(place, "symbolic-ref", "HEAD")) == before


async def test_changes_made_meanwhile_are_kept(squashed, manage, clone, perform):
    """Between the first step and the last ones."""
    place = clone()
    git(place, "switch", "-q", "feat-b")
    found = await manage(*PAIR)
    perform(found, clone=place, last="git push")
    (place / "b.txt").write_text("mine\n")
    (along,) = [line for line in lines(found) if line.startswith("for p in")]
    assert "git reset --keep" in run(place, along)
    assert (place / "b.txt").read_text() == "mine\n"
    assert git(place, "rev-parse", "feat-b") != move_stack(squashed, 2)["feat-b"]


async def test_a_branch_that_is_checked_out_elsewhere_comes_along(squashed, manage, clone, perform):
    place = clone()
    git(place, "worktree", "add", "-q", "../other with a space", "feat-b")
    perform(await manage(*PAIR), clone=place)
    other = place.parent / "other with a space"
    assert git(other, "rev-parse", "HEAD") == move_stack(squashed, 2)["feat-b"]
    assert not git(other, "status", "--porcelain")


async def test_a_branch_with_commits_that_nobody_pushed_stays(squashed, manage, clone, perform):
    place = clone()
    git(place, "switch", "-q", "feat-b")
    git(place, "commit", "-q", "--allow-empty", "-m", "not pushed")
    before = git(place, "rev-parse", "feat-b")
    found = await manage(*PAIR)
    assert "refs/heads/feat-b differs from the pull request and is not changed" in run(place, lines(found)[0])
    perform(found, clone=place)
    move_stack(squashed, 2)
    assert git(place, "rev-parse", "feat-b") == before


async def test_branches_in_a_folder_of_the_name_do_not_move(stack, manage, clone, perform, subjects):
    """Locally there is `feat/x` where the pull request has `feat`."""
    stack.grow(1, "base", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat", "base", ("b1", {"b.txt": "b\n"}))
    stack.squash(1, "base")
    place = clone(branches=[])
    git(place, "branch", "feat/x", "origin/feat")
    before = refs(place)
    perform(await manage(*PAIR), clone=place)
    assert subjects("feat") == ["b1"]
    assert refs(place) == before


KINDS = {
    "blobless": ["--filter=blob:none"],
    "treeless": ["--filter=tree:0"],
    "sparse, of a single branch": ["--sparse", "--single-branch"],
    "bare": ["--bare"],
}


@pytest.mark.parametrize("kind", KINDS)
async def test_kinds_of_clones(squashed, manage, clone, perform, kind):
    place = clone(*KINDS[kind], url=f"file://{squashed.shop.bare}", branches=[])
    perform(await manage(PAIR[0], "smith/anvil#3"), clone=place)
    move_stack(squashed)


@pytest.mark.parametrize("where", ["folder", "worktree"])
async def test_steps_run_anywhere_in_the_clone(squashed, manage, clone, perform, where):
    place = clone()
    (place / "folder").mkdir()
    git(place, "worktree", "add", "-q", "--detach", "worktree")
    perform(await manage(*PAIR), clone=place / where)
    move_stack(squashed, 2)


async def test_hooks_are_run_and_do_no_harm(squashed, manage, clone, perform):
    place = clone()
    for name in ("post-checkout", "post-rewrite", "pre-rebase", "pre-push", "post-commit", "reference-transaction"):
        hook = place / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ncat >/dev/null </dev/null\necho {name} >> {place}/../ran\n")
        hook.chmod(0o755)
    perform(await manage(*PAIR), clone=place)
    move_stack(squashed, 2)
    assert "pre-push" in (place.parent / "ran").read_text()


async def test_main_moved_meanwhile(squashed, manage, clone, perform, subjects):
    """What was looked at counts: the steps name commits."""
    place, found = clone(), await manage(*PAIR)
    onto = squashed.shop.git("rev-parse", "main")
    squashed.shop.switch("main")
    squashed.shop.commit("Later", {"later.txt": "later\n"})
    squashed.shop.push("main:refs/heads/main")
    perform(found, clone=place)
    assert subjects("feat-b", onto) == ["b1", "b2"]


async def test_a_push_of_somebody_else_refuses_all_levels(squashed, manage, clone, perform, shop):
    """And no local branch moves, since the steps stop there; what was done is still there."""
    place, found = clone(), await manage(PAIR[0], "smith/anvil#3")
    before = refs(place)
    shop.switch("feat-c")
    shop.commit("Theirs", {"theirs.txt": "theirs\n"})
    shop.push("feat-c:refs/heads/feat-c")
    theirs = refs(shop.bare)
    with pytest.raises(AssertionError, match="stale info"):
        perform(found, clone=place)
    assert refs(shop.bare) == theirs
    after = refs(place)
    assert {name: sha for name, sha in after.items() if name.startswith("refs/heads/")} == before
    assert len(after) == len(before) + 2


async def test_a_base_that_was_rewritten_meanwhile(squashed, manage, clone, shop):
    """What the steps name is nowhere any more."""
    place, found = clone(), await manage(*PAIR)
    shop.switch("main")
    shop.git("commit", "-q", "--amend", "-m", "in other words")
    shop.push("main:refs/heads/main")
    git(place, "reset", "-q", "--hard", "HEAD~1")
    git(place, "update-ref", "-d", "refs/remotes/origin/main")
    git(place, "update-ref", "-d", "refs/remotes/origin/HEAD")
    git(place, "reflog", "expire", "--expire=now", "--all")
    git(place, "gc", "-q", "--prune=now")
    run(place, lines(found)[0])
    assert "a branch was rewritten. Run this line again" in fails(place, lines(found)[1])


async def test_a_rebase_that_has_not_ended_is_not_kept(stack, manage, clone, perform):
    """The step after it fails, so that no half of it is pushed."""
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"base.txt": "b1\n"}), ("b2", {"b.txt": "b\n"}))
    stack.squash(1, "feat-a", files={"base.txt": "edited\n"})
    place, found = clone(branches=["feat-b"]), await manage(*PAIR)
    before = refs(place)
    with pytest.raises(AssertionError, match="CONFLICT"):
        perform(found, clone=place)
    keep = next(line for line in lines(found) if "update-ref" in line)
    assert "cannot switch branch while rebasing" in fails(place, keep)
    run(place, found["recovery"][0])
    assert "not on its new base: rebase first" in fails(place, keep)
    with pytest.raises(AssertionError, match="CONFLICT"):
        run(place, found["rebase_strategy"]["onto_command"])
    for line in found["recovery"][:2]:
        run(place, line)
    assert refs(place) == before
    assert len(git(place, "worktree", "list").splitlines()) == 1


async def test_recovery_takes_local_branches_back(squashed, manage, clone, perform):
    place, found = clone(), await manage(PAIR[0], "smith/anvil#3")
    git(place, "switch", "-q", "feat-c")
    before = refs(place)
    perform(found, clone=place, last="for p in")
    assert refs(place, "refs/heads") != before
    run(place, found["recovery"][2])
    assert refs(place, "refs/heads") == before
    assert not git(place, "status", "--porcelain")


async def test_a_repository_with_a_submodule(stack, manage, clone, perform, subjects, tmp_path):  # noqa: PLR0917 -- fixtures
    """In the new worktree it is not there; git removes no such worktree by itself."""
    shop, lib = stack.shop, tmp_path / "lib"
    git(tmp_path, "init", "-q", "lib")
    git(lib, "commit", "-q", "--allow-empty", "-m", "first")
    shop.git("submodule", "--quiet", "add", str(lib), "lib")
    shop.commit("A submodule")
    git(shop.work / "lib", "commit", "-q", "--allow-empty", "-m", "second")
    git(shop.work / "lib", "push", "-q", "origin", "HEAD:refs/heads/second")
    shop.push("main:refs/heads/main")
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b\n"}))
    stack.squash(1, "feat-a")
    place = clone("--recurse-submodules", branches=["feat-b"])
    git(place, "config", "submodule.recurse", "true")
    git(place, "switch", "-q", "feat-b")
    perform(await manage(*PAIR), clone=place)
    assert subjects("feat-b") == ["b1"]
    assert len(git(place, "worktree", "list").splitlines()) == 1
    assert not git(place, "status", "--porcelain")


async def test_lost_signatures_are_reported(squashed, manage):
    """A signature is that of a whole commit, so that no new version of it has it."""
    shop = squashed.shop
    shop.switch("feat-b")
    raw = shop.git("cat-file", "commit", "HEAD")
    head, _, message = raw.partition("\n\n")
    signature = "gpgsig -----BEGIN SSH SIGNATURE-----\n U1NIU0lH\n -----END SSH SIGNATURE-----"
    sha = shop.git("hash-object", "-t", "commit", "-w", "--stdin", given=f"{head}\n{signature}\n\n{message}".encode())
    shop.git("reset", "-q", "--hard", sha)
    squashed.show(2, "feat-b")
    found = await manage(*PAIR)
    assert [row.get("signed") for row in found["own_commits"]] == [None, True]
    said = "1 own commit of smith/anvil#2 signed: the rebased commits are unsigned"
    assert any(fact.startswith(said) for fact in found["rebase_strategy"]["considerations"])


async def test_an_own_change_that_main_had_and_took_back_is_kept(stack, manage, clone, perform, subjects):
    """A plain rebase leaves out whose change the base has had, though it was reverted there."""
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b\n"}))
    stack.shop.switch("main")
    stack.shop.git("cherry-pick", "feat-b")
    stack.shop.git("revert", "--no-edit", "HEAD")
    stack.join(1, "feat-a")
    found = await manage(*PAIR)
    assert found["rebase_strategy"]["recommended"] == "regular"
    perform(found, clone=clone(branches=[]))
    assert subjects("feat-b") == ["b1"]


async def test_empty_own_commits_are_kept_where_they_are_picked(stack, manage, clone, perform, subjects):
    """Somebody made them on purpose, to start CI, say; they were called "in the new base already"."""
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b\n"}), ("empty", {}))
    stack.squash(1, "feat-a")
    stack.shop.switch("feat-b")
    stack.shop.git("merge", "-q", "--no-edit", "main")
    stack.shop.commit("b2", {"b.txt": "b2\n"})
    stack.show(2, "feat-b")
    stack.shop.switch("main")
    stack.shop.commit("Later", {"later.txt": "later\n"})
    stack.shop.push("main:refs/heads/main")
    found = await manage(*PAIR)
    assert any("cherry-pick" in line for line in lines(found))
    perform(found, clone=clone(branches=[]))
    assert subjects("feat-b") == ["b1", "empty", "b2"]


async def test_one_without_own_commits_is_not_pushed(stack, manage, clone, perform):
    """A push would empty it, and close it on GitHub; `git range-diff` of no commits ended in its usage."""
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.shop.branch("feat-b", "feat-a~1")
    stack.shop.pull(2, "feat-b", "feat-a")
    stack.squash(1, "feat-a")
    before = git(stack.shop.bare, "rev-parse", "feat-b")
    found = await manage(*PAIR)
    perform(found, clone=clone(branches=["feat-b"]))
    assert git(stack.shop.bare, "rev-parse", "feat-b") == before
    assert any("a push would make it empty" in row["command"] for row in found["commands"])


async def test_when_all_falls_away_the_comparison_says_so(stack, manage, clone, perform):
    """`git range-diff` of no commits ended in its usage."""
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b\n"}))
    stack.squash(1, "feat-a", files={"b.txt": "b\n"})
    found, place = await manage(*PAIR), clone(branches=["feat-b"])
    before = refs(place) | refs(stack.shop.bare)
    said = [run(place, line) for line in lines(found)]
    assert "no commit is left: a push would make the pull request empty" in said[3]
    assert refs(place) | refs(stack.shop.bare) == before
