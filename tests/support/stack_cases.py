"""Histories of stacked pull requests, made by real git, as a forge would show them."""

import functools
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from git_forge import AUTHOR, WHEN, Workshop, git

LINES = "".join(f"line {number}\n" for number in range(1, 31))


def replace_lines(text: str, **words: str) -> str:
    """Replace lines of a text: `l5="x"` replaces the fifth."""
    rows = text.splitlines(keepends=True)
    for name, word in words.items():
        rows[int(name[1:]) - 1] = f"{word}\n"
    return "".join(rows)


@functools.cache
def create_trunk() -> tuple[TemporaryDirectory[str], Workshop]:
    """Create a workshop with one commit on main; return its folder, which is deleted at the end, and it."""
    folder = TemporaryDirectory(prefix="trunk-")
    shop = Workshop(Path(folder.name))
    shop.commit("Begin", {"a.txt": LINES})
    shop.push("main:refs/heads/main")
    return folder, shop


@functools.cache
def build_history(
    build: Callable[..., Any], arguments: tuple[object, ...]
) -> tuple[TemporaryDirectory[str], Workshop, Any]:
    """Build a history in a workshop of its own; return its folder, which is deleted at the end, it, and the result."""
    folder = TemporaryDirectory(prefix="history-")
    stack = Stack(Workshop(Path(folder.name)))
    return folder, stack.shop, build(stack, *arguments)


class Stack:
    """A repository of stacked pull requests, each created by `grow` on the one before."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        shop.load(create_trunk()[1])

    def prepare(self, build: Callable[..., Any], *arguments: object) -> Any:
        """Begin with the history that `build(stack, *arguments)` creates, and return what that returns.

        It is built once in a process, and copied from then on: a history takes dozens of processes of git.
        """
        _, shop, result = build_history(build, arguments)
        self.shop.load(shop)
        return result

    def grow(
        self, number: int, branch: str, into: str, *commits: tuple[str, Mapping[str, str | bytes | None]], **fields: Any
    ) -> str:
        """Create a branch from another one, commit to it, and open a pull request; commits are (message, files)."""
        self.shop.branch(branch, at=into)
        for message, files in commits:
            self.shop.commit(message, files)
        return self.shop.pull(number, branch, into, **fields)

    def show(self, number: int, branch: str, into: str | None = None) -> str:
        """Push the branch's current state, as the forge would show it; its pull request may get another base."""
        row = self.shop.pulls[number]
        into = into or row["base"]["ref"]
        fields = {name: row[name] for name in ("state", "merged", "merged_at", "merge_commit_sha") if name in row}
        return self.shop.pull(number, branch, into, **fields)

    def force_push(self, number: int, branch: str, *, told: bool = True) -> None:
        """Push a rewritten branch; the timeline records it where `told`."""
        old = self.shop.pulls[number]["head"]["sha"]
        self.show(number, branch)
        body = {"is_force_push": True, "commit_ids": [old, self.shop.pulls[number]["head"]["sha"]]}
        if told:
            row = {"id": number, "type": "pull_push", "created_at": WHEN, "body": json.dumps(body)}
            self.shop.events.setdefault(number, []).append(row)

    def record_merge(self, number: int, sha: str | None = None) -> None:
        """Record a pull request as merged, with the current commit of main."""
        self.shop.push("main:refs/heads/main")
        commit = sha or self.shop.git("rev-parse", "main")
        self.shop.pulls[number] |= {
            "state": "closed",
            "merged": True,
            "merged_at": "2026-01-06T10:00:00Z",
            "merge_commit_sha": commit,
        }
        for row in self.shop.pulls.values():
            row["base"]["sha"] = self.shop.git("rev-parse", row["base"]["ref"])

    def squash(
        self, number: int, branch: str, message: str = "Squashed", files: Mapping[str, str | bytes | None] | None = None
    ) -> None:
        """Merge as one commit, edited where files are given."""
        self.shop.switch("main")
        self.shop.git("merge", "-q", "--squash", branch)
        self.shop.commit(f"{message} (#{number})", files)
        self.record_merge(number)

    def rebase(self, number: int, branch: str) -> None:
        """Merge by copies of the commits."""
        self.shop.git("checkout", "-q", "--detach", branch)
        self.shop.git("rebase", "-q", "main")
        self.shop.git("checkout", "-q", "-B", "main")
        self.record_merge(number)

    def join(self, number: int, branch: str, *options: str) -> None:
        self.shop.switch("main")
        self.shop.git("merge", "-q", "--no-edit", *(options or ["--no-ff"]), branch)
        self.record_merge(number)

    def drop(self, branch: str) -> None:
        self.shop.push("--delete", f"refs/heads/{branch}")


def run(clone: Path, line: str, resolve: Callable[[str], object] | None = None, **environ: str) -> str:
    """Run a line in a clone as a person would: at a conflict `resolve` is called in the worktree, and git goes on."""
    env = {**os.environ, **AUTHOR, "GIT_EDITOR": "true", **environ}

    def shell(words: str, folder: Path | str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-c", words], cwd=folder, env=env, capture_output=True, text=True)

    ran = shell(line, clone)
    while ran.returncode and resolve is not None and "CONFLICT" in ran.stdout + ran.stderr:
        folder = shell("git worktree list --porcelain", clone).stdout.split("worktree ")[-1].partition("\n")[0]
        resolve(folder)
        ran = shell("git add -A && git rebase --continue", folder)
    assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
    return ran.stdout + ran.stderr


OWN = {"feat-b": ("main", ["b1", "b2"]), "feat-c": ("feat-b", ["c1"])}
"""The two levels above a base that was merged: by branch, the one that it stands on, and its authors' commits."""


def list_refs(place: Path, *patterns: str) -> dict[str, str]:
    """Return the SHA of each ref."""
    rows = git(place, "for-each-ref", "--format=%(refname) %(objectname)", *patterns)
    return dict(row.split(" ") for row in rows.splitlines())


def check_stack(bare: Path) -> dict[str, str]:
    """Check that each branch of the remote has the own commits of its author on its base; return the heads."""
    for branch, (base, subjects) in OWN.items():
        assert git(bare, "log", "--reverse", "--format=%s", f"{base}..{branch}").split() == subjects
        assert git(bare, "merge-base", base, branch) == git(bare, "rev-parse", base)
    return {branch: git(bare, "rev-parse", branch) for branch in OWN}
