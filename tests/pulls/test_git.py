"""Git at hand: what is fetched, what is kept, what is run, and what never leaks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from conflict_cases import LINES, content, play
from git_forge import TOKEN, git

from stithy_core.spi import GitRemote
from stithy_pulls.git.commit_log import is_ancestor, list_commits
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_process import run_git
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.loose_objects import write_commit
from stithy_pulls.git.repository_access import RepositoryCache

pytestmark = pytest.mark.anyio

WRAPPER = """#!/bin/sh
{ printf '%s\\n' "$@"; env; } >> "$(dirname "$0")/log"
exec git "$@"
"""


def list_cached(tmp_path):
    """Return every file of the caches."""
    return [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def program(tmp_path, text, name="wrapped-git"):
    path = tmp_path / name
    path.write_text(text)
    path.chmod(0o755)
    return path


# --- The cache


async def test_a_second_call_fetches_no_object(shop, served, ask):
    pr = play(shop, content)
    first = await ask(served, pr)
    packs = served.packs
    assert packs > 0
    assert await ask(served, pr) == first
    assert served.packs == packs


async def test_a_file_that_is_in_no_conflict_is_not_fetched(shop, served, ask, tmp_path):
    pr = play(shop, content, {"f": LINES, "big": os.urandom(300_000).hex()})
    await ask(served, pr)
    assert sum(path.stat().st_size for path in list_cached(tmp_path)) < 200_000


async def test_a_part_of_a_history_is_what_git_lists(shop):
    """Whether it is asked for first, or after other parts of the same repository; also around a merge."""
    shas = [shop.commit(text) for text in "abc"]
    shop.branch("side", at=shas[1])
    shas.append(shop.commit("d"))
    shop.switch("main")
    shop.git("merge", "-q", "--no-edit", "side")
    shas += [shop.git("rev-parse", "HEAD"), shop.commit("e"), shop.commit("f")]

    def open_repository():
        return GitRepository("git", shop.work / ".git", GitRemote(url="https://forge.invalid/x"), None)

    known = open_repository()
    for tip in reversed(shas):
        for other in ("", *shas):
            without = [shas[0], other] if other else []
            expected = await list_commits(open_repository(), [tip], without)
            assert (tip, other, await list_commits(known, [tip], without)) == (tip, other, expected)
            if other:
                is_in = await is_ancestor(open_repository(), other, tip)
                assert (tip, other, await is_ancestor(known, other, tip)) == (tip, other, is_in)
    assert known.lines


def test_a_commit_that_is_written_is_one_of_git(shop):
    parent = shop.commit("a", {"f": "f\n"})
    tree = shop.git("rev-parse", "HEAD^{tree}")
    sha = write_commit(shop.work / ".git", tree, parent, seconds=7)
    assert shop.git("log", "-1", "--format=%T %P %an %ae %ct %B", sha).split() == [
        *(tree, parent, "stithy", "stithy@localhost", "7", "-")
    ]
    assert write_commit(shop.work / ".git", tree, parent, seconds=7) == sha
    assert shop.git("fsck", "--strict", sha) == ""


async def test_a_later_push_is_seen(shop, served, ask):
    pr = play(shop, content)
    await ask(served, pr)
    shop.switch("work")
    head = shop.commit("Ten is base, too", {"f": LINES.replace("line 10\n", "base\n")})
    shop.pull(1, "work")
    found = await ask(served, pr)
    assert (found["has_conflicts"], found["head_commit"]) == (False, head)


async def test_a_damaged_cache_is_created_again(shop, served, ask, tmp_path):
    pr = play(shop, content)
    first = await ask(served, pr)
    for path in list_cached(tmp_path):
        if path.suffix == ".pack" or path.parent.parent.name == "objects":
            path.chmod(0o600)
            path.write_bytes(b"")
    assert await ask(served, pr) == first


async def test_a_server_without_partial_clones_gives_all(shop, served, ask):
    git(shop.bare, "config", "uploadpack.allowFilter", "false")
    found = await ask(served, play(shop, content))
    assert found["has_conflicts"] is True
    assert "the server does not support partial clones: all files were fetched" in found["notes"]


async def test_a_server_that_gives_no_single_files_gives_all(shop, served, ask):
    """As one does that speaks the first version of git's protocol and lets nobody ask by SHA."""
    served.old = True
    git(shop.bare, "config", "uploadpack.allowAnySHA1InWant", "false")
    found = await ask(served, play(shop, content))
    assert (found["has_conflicts"], found["found_by"]) == (True, "git")
    assert "the server does not support partial fetches: all files were fetched" in found["notes"]


@pytest.mark.parametrize("part", ["HEAD", "config", "refs", "objects"])
async def test_a_cache_whose_removal_was_interrupted_is_created_again(shop, served, ask, tmp_path, part):
    """A process may end at any time while it removes one, and anything may be left."""
    pr = play(shop, content)
    found = await ask(served, pr)
    for bare in (tmp_path / "cache").rglob("*.git"):
        place = bare / part
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    again = await ask(served, pr)
    assert (again["found_by"], again["conflicts"]) == ("git", found["conflicts"])


async def test_several_at_once_share_a_cache(shop, served, ask):
    pr = play(shop, content)
    answers = []

    async def one():
        answers.append(await ask(served, pr))

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(one)
    assert [answer["total_conflicts"] for answer in answers] == [1] * 4


async def test_another_process_does_not_wait_for_readers(tmp_path):
    """It may read as well, and remove nothing meanwhile."""
    cache = RepositoryCache(tmp_path / "caches", 0, 0)
    other = (
        "import anyio, sys; from pathlib import Path; from stithy_pulls.git.repository_access import RepositoryCache\n"
        f"cache = RepositoryCache(Path({str(tmp_path / 'caches')!r}), 0, 0)\n"
        "async def main():\n"
        "    async with cache.open('https://forge.invalid/b.git'): print('read')\n"
        "anyio.run(main)\n"
    )
    async with cache.open("https://forge.invalid/a.git") as bare:
        ran = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True, check=True)
        assert (ran.stdout, bare.exists()) == ("read\n", True)


@pytest.mark.parametrize(("most", "age"), [(0, 10**9), (10**9, -1)], ids=["too large", "too old"])
async def test_caches_are_bounded(tmp_path, most, age):
    cache = RepositoryCache(tmp_path / "caches", most, age)
    async with cache.open("https://forge.invalid/a.git") as first:
        pass
    async with cache.open("https://forge.invalid/b.git") as second:
        assert (first.exists(), second.exists()) == (False, True)


# --- The clone that the server runs in


@pytest.fixture
def clone(shop, served, tmp_path, monkeypatch):
    """A clone that holds all, and the server in it."""
    pr = play(shop, content)
    git(tmp_path, "clone", "-q", "--mirror", str(shop.bare), "here/.git")
    here = tmp_path / "here"
    git(here, "config", "core.bare", "false")
    git(here, "remote", "set-url", "origin", f"{served.url}/smith/anvil.git")
    monkeypatch.chdir(here)
    return pr, here


async def test_the_working_directory_spares_the_fetch(served, ask, clone):
    found = await ask(served, clone[0])
    assert (found["total_conflicts"], served.packs) == (1, 0)


async def test_so_does_a_worktree(served, ask, clone, tmp_path, monkeypatch):
    git(clone[1], "worktree", "add", "-q", "--detach", str(tmp_path / "tree"), "main")
    monkeypatch.chdir(tmp_path / "tree")
    assert (await ask(served, clone[0]))["total_conflicts"] == 1
    assert served.packs == 0


async def test_one_of_another_repository_does_not(served, ask, clone):
    git(clone[1], "remote", "set-url", "origin", f"{served.url}/smith/other.git")
    assert (await ask(served, clone[0]))["total_conflicts"] == 1
    assert served.packs > 0


async def test_a_clone_that_goes_is_done_without(served, ask, clone, monkeypatch, tmp_path):
    await ask(served, clone[0])
    for path in (clone[1] / ".git/objects").rglob("*"):
        if path.is_file():
            path.unlink()
    assert (await ask(served, clone[0]))["total_conflicts"] == 1


async def test_programs_named_by_a_clone_never_run(served, ask, clone, tmp_path):
    trap = program(tmp_path, f"#!/bin/sh\ntouch {tmp_path}/sprung\n", "trap")
    for name in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "merge.mine.driver",
        "filter.x.smudge",
    ):
        git(clone[1], "config", name, str(trap))
    git(clone[1], "config", "credential.helper", f"!{trap}")
    (clone[1] / ".git/hooks").mkdir(exist_ok=True)
    program(clone[1] / ".git/hooks", trap.read_text(), "reference-transaction")
    (clone[1] / ".git/info").mkdir(exist_ok=True)
    (clone[1] / ".git/info/attributes").write_text("* merge=mine filter=x\n")
    assert (await ask(served, clone[0]))["total_conflicts"] == 1
    assert not (tmp_path / "sprung").exists()


async def test_the_users_git_configuration_does_not_count(shop, served, ask, tmp_path, monkeypatch):
    trap = program(tmp_path, f"#!/bin/sh\ntouch {tmp_path}/sprung\n", "trap")
    pr, home = play(shop, content), tmp_path / "home"
    home.mkdir()
    lines = ["[core]", f"fsmonitor = {trap}", f"hooksPath = {tmp_path}", '[url "x:"]', "insteadOf = http"]
    (home / ".gitconfig").write_text("\n".join(lines))
    (home / ".netrc").write_text("default login smith password secret\n")
    with monkeypatch.context() as patch:
        for name, value in (("HOME", home), ("GIT_DIR", tmp_path), ("GIT_TRACE", tmp_path / "trace")):
            patch.setenv(name, str(value))
        patch.setenv("GIT_EXTERNAL_DIFF", str(trap))
        found = await ask(served, pr)
    assert found["total_conflicts"] == 1
    assert not any((tmp_path / name).exists() for name in ("sprung", "trace"))
    assert not any(served.authorized)


# --- Credentials


async def test_a_private_repository_is_read_with_the_token(shop, locked, ask):
    found = await ask(locked, play(shop, content), token=TOKEN)
    assert (found["total_conflicts"], found["found_by"]) == (1, "git")


async def test_a_wrong_token_is_reported_and_never_shown(shop, locked, ask):
    found = await ask(locked, play(shop, content), token="0" * 40)
    assert found["found_by"] == "forge"
    assert "the forge denied access" in found["notes"][0]
    assert "0" * 40 not in str(found)


async def test_the_token_is_on_no_command_line_and_on_no_disk(shop, locked, ask, tmp_path):
    wrapper = program(tmp_path, WRAPPER)
    await ask(locked, play(shop, content), token=TOKEN, settings=f'[pulls]\ngit = "{wrapper}"\n')
    told = (tmp_path / "log").read_text().splitlines()
    assert {line for line in told if TOKEN in line} == {f"STITHY_GIT_SECRET={TOKEN}"}
    assert not [path for path in list_cached(tmp_path) if TOKEN.encode() in path.read_bytes()]


async def test_a_command_that_stays_here_has_no_token(shop, locked, ask, tmp_path):
    local = WRAPPER.replace("{ printf", 'test "$1" = for-each-ref && { printf')
    await ask(locked, play(shop, content), token=TOKEN, settings=f'[pulls]\ngit = "{program(tmp_path, local)}"\n')
    assert TOKEN not in (tmp_path / "log").read_text()


async def test_another_host_is_given_no_token(shop, locked, served, ask, tmp_path):
    """A redirect leads nowhere."""
    locked.redirect = f"{served.url}/smith/anvil.git"
    found = await ask(locked, play(shop, content), token=TOKEN)
    assert found["found_by"] == "forge"
    assert not [header for header in served.authorized if header]


# --- Running


async def test_a_cancelled_command_leaves_no_process(tmp_path):
    script = program(
        tmp_path, f"#!/bin/sh\nsleep 600 & echo $! > {tmp_path}/pid.new; mv {tmp_path}/pid.new {tmp_path}/pid; wait\n"
    )
    async with anyio.create_task_group() as group:
        group.start_soon(run_git, [str(script), "x"], {"PATH": os.environ["PATH"]})
        while not (tmp_path / "pid").exists():  # noqa: ASYNC110 -- no event comes from another process
            await anyio.sleep(0.01)
        group.cancel_scope.cancel()
    child = int((tmp_path / "pid").read_text())
    while Path(f"/proc/{child}/exe").exists():  # noqa: ASYNC110 -- it was killed, and waits to be reaped
        await anyio.sleep(0.01)


async def test_a_slow_command_ends(tmp_path):
    with pytest.raises(GitError, match=r"took longer than 0\.1 seconds"):
        await run_git(["sleep", "600"], {"PATH": os.environ["PATH"]}, seconds=0.1)


async def test_a_loud_command_ends():
    with pytest.raises(GitError, match="printed more than 1,000 bytes"):
        await run_git(["yes", "x"], {"PATH": os.environ["PATH"]}, most=1_000)


async def test_a_slow_git_leaves_the_forges_answer(shop, served, ask, tmp_path):
    slow = program(tmp_path, '#!/bin/sh\ntest "$1" = cat-file && sleep 600\nexec git "$@"\n')
    found = await ask(served, play(shop, content), settings=f'[pulls]\ngit = "{slow}"\ngit_seconds = 1\n')
    assert found["found_by"] == "forge"
    assert "git cat-file took longer" in found["notes"][0]


async def test_an_old_git_is_reported(shop, served, ask, tmp_path):
    old = program(tmp_path, "#!/bin/sh\necho git version 2.37.1\n")
    found = await ask(served, play(shop, content), settings=f'[pulls]\ngit = "{old}"\n')
    assert "git version 2.37.1 is too old to merge without a working tree" in found["notes"][0]
