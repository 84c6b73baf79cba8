"""A run of `stithy stack` that is killed at any step: it goes on, or is taken back."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from git_forge import AUTHOR, git
from stack_cases import check_stack, list_refs

from stithy_core.spi import UserError
from stithy_core.spi.file_locks import block_for_file_lock

pytestmark = pytest.mark.anyio

BASE = "smith/anvil#1"

WRAPPER = """#!/bin/sh
case "$*" in
{pattern}) [ -e {flag} ] || {{ {before}touch {flag}; kill -{signal} 0; }} ;;
esac
exec {git} "$@"
"""
"""A git that ends its whole process group once, before or after a command."""

KILLS = {
    "check": ("before", "for-each-ref*worktreepath*"),
    "fetched": ("after", "fetch --no-tags*"),
    "worktree": ("after", "worktree add*"),
    "first pick": ("hook", "post-commit"),
    "moved": ("after", "*rebase --onto*"),
    "stored": ("before", "range-diff*"),
}
PUSH_KILLS = {
    "before the push": ("hook", "pre-push"),
    "after the push": ("remote", "post-receive"),
    "branches": ("after", "update-ref -m restack*"),
    "worktree removed": ("after", "worktree remove*"),
}


@pytest.fixture
def start(tmp_path, served, stack_command):
    """Return a function that starts `stithy stack` in a process group of its own."""

    def run(place: Path, *words: str, **environ: str) -> subprocess.Popen[bytes]:
        settings = tmp_path / "stithy.toml"
        settings.write_text(f'[forges.work]\nkind = "gitea"\nurl = "{served.url}"\n')
        environ = {**os.environ, **AUTHOR, "STITHY_CONFIG": str(settings), **environ}
        command = [str(Path(sys.executable).with_name("stithy")), "stack", *words]
        # A shell without job control lets its background jobs ignore Ctrl-C, and all that they start.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return subprocess.Popen(command, cwd=place, env=environ, stdout=subprocess.DEVNULL, start_new_session=True)
        finally:
            signal.signal(signal.SIGINT, before)

    return run


@pytest.fixture
def kill_at(tmp_path, served, start):
    """Return a function that runs `stithy stack` until git ends its process group."""

    def run(place: Path, where: tuple[str, str], *words: str, by: signal.Signals = signal.SIGKILL) -> None:
        how, what = where
        flag, tools = tmp_path / "killed", tmp_path / "tools"
        tools.mkdir()
        program = tools / "git"
        if how in {"hook", "remote"}:
            folder = place / ".git" if how == "hook" else Path(served.shops[0].bare)
            program = folder / "hooks" / what
            program.parent.mkdir(exist_ok=True)
        real = shutil.which("git")
        before = f'{real} "$@"; ' if how == "after" else ""
        pattern = "*" if how in {"hook", "remote"} else what
        text = WRAPPER.format(pattern=pattern.replace(" ", "\\ "), flag=flag, before=before, git=real, signal=by.value)
        program.write_text(text.replace(f'exec {real} "$@"', "exit 0") if pattern == "*" else text)
        program.chmod(0o755)
        process = start(place, *words, PATH=f"{tools}:{os.environ['PATH']}")
        code = process.wait()
        assert code == -by if by is signal.SIGKILL else code > 0, code
        assert flag.exists()

    return run


@pytest.fixture
def save(tmp_path) -> Callable[..., Callable[[], None]]:
    """Return a function that copies folders, and returns a function that restores them: a kill takes seconds."""

    def copy_folders(*folders: Path) -> Callable[[], None]:
        copies = {folder: tmp_path / "saved" / str(number) for number, folder in enumerate(folders)}
        for folder, copy in copies.items():
            shutil.copytree(folder, copy, symlinks=True)

        def restore() -> None:
            for folder, copy in copies.items():
                shutil.rmtree(folder)
                shutil.copytree(copy, folder, symlinks=True)

        return restore

    return copy_folders


@pytest.mark.parametrize("kill", KILLS)
async def test_a_run_that_was_killed_before_the_push(squashed, clone, stack_command, kill_at, save, kill):  # noqa: PLR0917 -- fixtures
    """It can be taken back, or continued and pushed."""
    place, bare = clone(), squashed.shop.bare
    before = list_refs(place), list_refs(bare)
    kill_at(place, KILLS[kill], BASE, "--run")
    assert list_refs(bare) == before[1]
    restore = save(place, bare)
    for way in ("--abort", "--undo"):
        restore()
        if way == "--undo":
            assert "MISSING" not in await stack_command(place, "--continue")
            await stack_command(place, "--push")
            check_stack(bare)
        await stack_command(place, way)
        assert (way, list_refs(place), list_refs(bare)) == (way, *before)
        assert (way, len(git(place, "worktree", "list").splitlines())) == (way, 1)


@pytest.mark.parametrize("kill", PUSH_KILLS)
async def test_a_run_that_was_killed_during_or_after_the_push(squashed, clone, stack_command, kill_at, save, kill):  # noqa: PLR0917 -- fixtures
    """It cannot be aborted; it can be undone at once, and pushed and then undone."""
    place, bare = clone(), squashed.shop.bare
    before = list_refs(place), list_refs(bare)
    await stack_command(place, BASE, "--run")
    kill_at(place, PUSH_KILLS[kill], "--push")
    with pytest.raises(UserError, match=r"has pushed, or tried to"):
        await stack_command(place, "--abort")
    restore = save(place, bare)
    for way in ("--undo", "--push"):
        restore()
        if way == "--push":
            await stack_command(place, "--push")
            new = check_stack(bare)
            assert {name: git(place, "rev-parse", name) for name in new} == new
        await stack_command(place, "--undo")
        assert (way, list_refs(place), list_refs(bare)) == (way, *before)
        assert (way, len(git(place, "worktree", "list").splitlines())) == (way, 1)


async def test_a_resolution_survives_a_kill(stack, clone, stack_command, kill_at):
    """git commits it, and is killed before it goes on with the next commit."""
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"base.txt": "b1\n"}), ("b2", {"b.txt": "b2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c1\n"}))
    stack.squash(1, "feat-a", files={"base.txt": "edited\n"})
    place = clone()
    with pytest.raises(UserError, match="with conflicts"):
        await stack_command(place, BASE, "--run")
    (worktree,) = (place / ".git").glob("stithy-3-*")
    (worktree / "base.txt").write_text("resolved\n")
    git(worktree, "add", "base.txt")
    kill_at(place, ("hook", "post-commit"), "--continue")
    assert "MISSING" not in await stack_command(place, "--continue")
    await stack_command(place, "--push")
    check_stack(stack.shop.bare)
    assert git(stack.shop.bare, "show", "feat-b:base.txt") == "resolved"


async def test_an_interrupted_step_begins_again(squashed, clone, stack_command, kill_at):
    """A person pressed Ctrl-C during the rebase: git must not continue it, since it may have lost a commit."""
    place = clone()
    kill_at(place, ("hook", "post-commit"), BASE, "--run", by=signal.SIGINT)
    assert "MISSING" not in await stack_command(place, "--continue")
    await stack_command(place, "--push")
    check_stack(squashed.shop.bare)


async def test_a_push_that_outlives_its_run_is_not_overtaken(squashed, clone, stack_command, start, tmp_path):
    """The run is killed while the server receives; until the push ends, no other command works in the clone."""
    place, bare = clone(), squashed.shop.bare
    before = list_refs(bare)
    begun, go_on = tmp_path / "begun", tmp_path / "go-on"
    for pipe in (begun, go_on):
        os.mkfifo(pipe)
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho > {begun}\nread word < {go_on}\n")
    hook.chmod(0o755)
    await stack_command(place, BASE, "--run")
    run = start(place, "--push")
    begun.read_text()  # the server has the push
    run.kill()
    run.wait()
    for words in (["--push"], ["--undo"], [BASE, "--run"]):
        with pytest.raises(UserError, match="another `stithy stack` is at work in this clone"):
            await stack_command(place, *words)
    assert list_refs(bare) == before
    go_on.write_text("on\n")
    with block_for_file_lock(place / ".git" / "stithy-stack.lock"):
        hook.unlink()
    await stack_command(place, "--push")
    check_stack(bare)
