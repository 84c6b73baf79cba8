"""`stithy stack` in the clones that people have: the authors' own commits arrive, no other ref moves."""

import pytest
from git_forge import git
from stack_cases import OWN, check_stack, list_refs

from stithy_core.spi import Refused, UserError

pytestmark = pytest.mark.anyio

BASE = "smith/anvil#1"


async def check_round(stack_command, stack, place, where=None):
    """Run, push and undo in a clone; check the remote and every ref of the clone after each."""
    bare, before = stack.shop.bare, (list_refs(place), list_refs(stack.shop.bare))
    shown = await stack_command(where or place, BASE, "--run")
    assert list_refs(bare) == before[1]
    assert {name: sha for name, sha in list_refs(place).items() if "/stithy/" not in name} == before[0]
    assert "Nothing was pushed" in shown
    assert "MISSING" not in shown
    await stack_command(where or place, "--push")
    new = check_stack(bare)
    assert list_refs(bare) == before[1] | {f"refs/heads/{name}": sha for name, sha in new.items()}
    along = {f"refs/heads/{branch}": sha for branch, sha in new.items() if f"refs/heads/{branch}" in before[0]}
    heads = {name: sha for name, sha in before[0].items() if name.startswith("refs/heads/")}
    assert list_refs(place, "refs/heads") == heads | along
    assert len(git(place, "worktree", "list").splitlines()) == (1 if where is None else 2)
    await stack_command(where or place, "--undo")
    assert (list_refs(place), list_refs(bare)) == before
    assert not [path for path in (git_folder(place)).glob("stithy*") if path.name != "stithy-stack.lock"]


def git_folder(place):
    return place / git(place, "rev-parse", "--git-common-dir")


async def test_without_an_option_the_plan_is_shown_and_nothing_changes(squashed, clone, stack_command):
    place = clone()
    before = list_refs(place), list_refs(squashed.shop.bare)
    shown = await stack_command(place, BASE)
    assert "   └─ #2 feat-b (open)\n      └─ #3 feat-c (open)\n" in shown
    assert "#2 feat-b: 2 own commits onto main; no conflict\n#3 feat-c: 1 own commit onto #2; no conflict" in shown
    assert shown.endswith(f"Nothing was changed. To do it: stithy stack {BASE} --run\n")
    assert (list_refs(place), list_refs(squashed.shop.bare)) == before


KINDS = {
    "with the author's branches": ([], OWN),
    "of another name": (["-o", "upstream"], OWN),
    "shallow, of a single branch": (["--depth=1"], ()),
    "shallow": (["--depth=2", "--no-single-branch"], OWN),
    "blobless": (["--filter=blob:none"], OWN),
    "treeless": (["--filter=tree:0"], ()),
    "sparse, of a single branch": (["--sparse", "--single-branch"], ()),
    "bare": (["--bare"], ()),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_kinds_of_clones(squashed, clone, stack_command, kind):
    options, branches = KINDS[kind]
    remote = "upstream" if "upstream" in options else "origin"
    place = clone(*options, url=f"file://{squashed.shop.bare}", branches=branches, remote=remote)
    await check_round(stack_command, squashed, place)


SETTINGS = [
    {"rebase.backend": "apply", "rebase.updateRefs": "true", "rebase.autoSquash": "true", "push.followTags": "true"},
    {"rebase.autoStash": "true", "rebase.rebaseMerges": "true", "submodule.recurse": "true", "core.autocrlf": "true"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=["rebase", "files"])
async def test_configuration_decides_nothing(squashed, clone, stack_command, settings):
    place = clone()
    git(place, "branch", "within", "feat-b~1")
    for name, value in settings.items():
        git(place, "config", name, value)
    await check_round(stack_command, squashed, place)


@pytest.mark.parametrize("named", [True, False])
async def test_a_fork_as_origin(squashed, clone, stack_command, tmp_path, named):
    """The repository is another remote, or none: then its URL is used, here one of a server."""
    shop = squashed.shop
    fork = tmp_path / "guest" / "anvil.git"
    git(tmp_path, "clone", "-q", "--bare", str(shop.bare), str(fork))
    git(fork, "update-ref", "refs/heads/main", "main~1")
    git(shop.bare, "config", "http.receivepack", "true")
    place = clone(url=str(fork))
    if named:
        git(place, "remote", "add", "theirs", str(shop.bare))
        git(place, "fetch", "-q", "theirs")
    before = list_refs(fork)
    await check_round(stack_command, squashed, place)
    assert list_refs(fork) == before


async def test_in_a_worktree_whose_branch_is_moved(squashed, clone, stack_command):
    place = clone()
    git(place, "worktree", "add", "-q", "../other", "feat-b")
    await check_round(stack_command, squashed, place, where=place.parent / "other")
    assert not git(place.parent / "other", "status", "--porcelain")


async def test_signed_commits_are_signed_again(squashed, clone, stack_command, tmp_path):
    import subprocess

    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    place = clone()
    for name, value in {"gpg.format": "ssh", "user.signingKey": str(key), "commit.gpgSign": "true"}.items():
        git(place, "config", name, value)
    await stack_command(place, BASE, "--run")
    await stack_command(place, "--push")
    for branch in OWN:
        assert "gpgsig -----BEGIN SSH SIGNATURE-----" in git(squashed.shop.bare, "cat-file", "commit", branch)


async def test_files_in_lfs_stay_pointers(stack, clone, stack_command):
    """The filter of the clone turns what is stored into something else, and back."""
    shop = stack.shop
    shop.switch("main")
    shop.commit("Large files", {".gitattributes": "*.bin filter=lfs -text\n"})
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.bin": "pointer b1\n"}), ("b2", {"b.bin": "pointer b2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c1\n"}))
    stack.squash(1, "feat-a")
    place = clone()
    for name, value in {
        "smudge": "sed s/pointer/content/",
        "clean": "sed s/content/pointer/",
        "required": "true",
    }.items():
        git(place, "config", f"filter.lfs.{name}", value)
    git(place, "switch", "-q", "feat-b")
    assert (place / "b.bin").read_text() == "content b2\n"
    await check_round(stack_command, stack, place)
    assert (place / "b.bin").read_text() == "content b2\n"


async def test_submodules_stay_where_they_are(stack, clone, stack_command, tmp_path):
    shop, lib = stack.shop, tmp_path / "lib"
    git(tmp_path, "init", "-q", "lib")
    git(lib, "commit", "-q", "--allow-empty", "-m", "first")
    shop.switch("main")
    shop.git("submodule", "--quiet", "add", str(lib), "lib")
    shop.commit("A submodule")
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b1\n"}), ("b2", {"b.txt": "b2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c1\n"}))
    stack.squash(1, "feat-a")
    place = clone("--recurse-submodules")
    git(place, "config", "submodule.recurse", "true")
    git(place, "switch", "-q", "feat-b")
    await check_round(stack_command, stack, place)
    assert not git(place, "status", "--porcelain")


async def test_hooks_run_and_may_refuse_the_push(squashed, clone, stack_command):
    place = clone()
    before = list_refs(squashed.shop.bare)
    hook = place / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no on Fridays >&2\nexit 1\n")
    hook.chmod(0o755)
    await stack_command(place, BASE, "--run")
    with pytest.raises(UserError, match="no on Fridays"):
        await stack_command(place, "--push")
    assert list_refs(squashed.shop.bare) == before
    hook.unlink()
    await stack_command(place, "--push")
    check_stack(squashed.shop.bare)


async def test_at_a_conflict_it_says_what_to_do_and_continues(stack, clone, stack_command):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"base.txt": "b1\n"}), ("b2", {"b.txt": "b2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c1\n"}))
    stack.squash(1, "feat-a", files={"base.txt": "edited\n"})
    place = clone()
    assert "will stop at a conflict in base.txt" in await stack_command(place, BASE)
    with pytest.raises(UserError, match=r"smith/anvil#2 has 1 file with conflicts: base\.txt") as caught:
        await stack_command(place, BASE, "--run")
    assert "stithy stack --continue" in caught.value.suggestion
    with pytest.raises(UserError, match=r"the run for smith/anvil#1 in this clone is unfinished"):
        await stack_command(place, BASE, "--run")
    with pytest.raises(UserError, match=r"conflicts are not resolved: base\.txt"):
        await stack_command(place, "--continue")
    with pytest.raises(UserError, match="this run was not shown yet"):
        await stack_command(place, "--push")
    (worktree,) = (place / ".git").glob("stithy-3-*")
    (worktree / "base.txt").write_text("resolved\n")
    git(worktree, "add", "base.txt")
    assert "Nothing was pushed" in await stack_command(worktree, "--continue")
    await stack_command(worktree, "--push")
    check_stack(stack.shop.bare)
    assert git(stack.shop.bare, "show", "feat-b:base.txt") == "resolved"


async def test_a_commit_that_a_person_left_out_is_named(stack, clone, stack_command):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"base.txt": "b1\n"}), ("b2", {"b.txt": "b2\n"}))
    stack.squash(1, "feat-a", files={"base.txt": "edited\n"})
    place = clone(branches=["feat-b"])
    with pytest.raises(UserError, match="with conflicts"):
        await stack_command(place, BASE, "--run")
    (worktree,) = (place / ".git").glob("stithy-2-*")
    git(worktree, "rebase", "--skip")
    shown = await stack_command(place, "--continue")
    assert f"MISSING in the new head: {git(place, 'rev-parse', 'feat-b~1')[:12]} b1" in shown


async def test_no_commit_is_missing_whose_subject_has_a_line_separator(stack, clone, stack_command):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1\u2028of \x0c two", {"b.txt": "b1\n"}))
    stack.squash(1, "feat-a")
    assert "MISSING" not in await stack_command(clone(branches=["feat-b"]), BASE, "--run")


async def test_abort_leaves_nothing(squashed, clone, stack_command):
    place = clone()
    before = list_refs(place), list_refs(squashed.shop.bare)
    await stack_command(place, BASE, "--run")
    await stack_command(place, "--abort")
    assert (list_refs(place), list_refs(squashed.shop.bare)) == before
    with pytest.raises(UserError, match="no run of `stithy stack` is recorded"):
        await stack_command(place, "--push")


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("read_only = true\n", "work is read-only here"),
        ("[serve]\nread_only = true\n", "work is read-only here"),
        ("lockdown = true\n", "lockdown is on for work"),
    ],
)
async def test_settings_stop_a_push_and_its_undo(squashed, clone, stack_command, settings, text):
    place = clone()
    before = list_refs(squashed.shop.bare)
    await stack_command(place, BASE, "--run", settings=settings)
    with pytest.raises(UserError, match=text) as caught:
        await stack_command(place, "--push", settings=settings)
    assert isinstance(caught.value, Refused) == ("read_only" in settings)
    assert list_refs(squashed.shop.bare) == before
    await stack_command(place, "--push")
    pushed = list_refs(squashed.shop.bare)
    with pytest.raises(UserError, match=text):
        await stack_command(place, "--undo", settings=settings)
    assert list_refs(squashed.shop.bare) == pushed


async def test_a_push_of_somebody_else_is_kept(squashed, clone, stack_command, shop):
    """Neither the push nor the undo overwrites it."""
    place = clone()
    await stack_command(place, BASE, "--run")
    shop.switch("feat-c")
    shop.commit("Theirs", {"theirs.txt": "theirs\n"})
    shop.push("feat-c:refs/heads/feat-c")
    theirs = list_refs(shop.bare)
    with pytest.raises(UserError, match="stale info"):
        await stack_command(place, "--push")
    with pytest.raises(UserError, match="the branches of the forge cannot be restored"):
        await stack_command(place, "--undo")
    assert list_refs(shop.bare) == theirs


async def test_what_was_not_shown_is_not_pushed(squashed, clone, stack_command):
    place = clone()
    await stack_command(place, BASE, "--run")
    (ref,) = [name for name in list_refs(place, "refs/stithy") if name.endswith("/3") and "undo" not in name]
    git(place, "update-ref", ref, "feat-c")
    with pytest.raises(UserError, match="the new head of smith/anvil#3 is not the one that was shown"):
        await stack_command(place, "--push")


@pytest.mark.parametrize("words", [[], ["--run"], [BASE, "--run", "--push"], ["--merge", "--push"]])
def test_wrong_command_lines(words, stack_command):
    import click

    from stithy_pulls.stack_runs.stack_command import run

    with pytest.raises(click.UsageError):
        run(None, words)
