"""The user's clone: git with the user's own configuration, and shell lines of the plan."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from stithy_core.spi import UserError
from stithy_pulls.git.git_errors import GitError

KEEP_LOCK = 'sh -c "$1" </dev/null; exit $?'
"""Runs a line while its own standard input, the lock, stays open. The line does not inherit it: git may start programs
that stay, such as a cache of passwords, and these would keep the lock."""

QUIET = {"GIT_EDITOR": ":", "GIT_SEQUENCE_EDITOR": ":", "GIT_MERGE_AUTOEDIT": "no", "GIT_PAGER": "cat", "LC_ALL": "C"}
"""No step opens an editor: messages of commits stay as they are."""

LEAKED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_COMMON_DIR")
"""What git sets for hooks and aliases: the steps would work in another place than their worktree."""


@frozen
class ShellOutcome:
    """The exit status of a line and all that it printed. A negative status is the signal that ended it."""

    status: int
    text: str


@frozen
class UserClone:
    """A clone.

    Args:
        program: git.
        folder: Its main worktree, or the repository itself if it is bare.
        common: The common git directory of all worktrees of the clone.
    """

    program: str
    folder: Path
    common: Path

    def read(self, *words: str, folder: Path | None = None, stdin: str = "") -> str:
        """Run git and return its output without surrounding white space.

        Raises:
            GitError: It failed.
        """
        done = self.run_git(*words, folder=folder, stdin=stdin)
        if done.status:
            raise GitError(f"git {words[0]} failed in the clone: {done.text.strip()}")
        return done.text.strip()

    def run_git(self, *words: str, folder: Path | None = None, stdin: str = "") -> ShellOutcome:
        """Run git in the clone or one of its worktrees; its errors are not raised."""
        command = [self.program, "-C", str(folder or self.folder), *words]
        given = stdin.encode(errors="surrogateescape")
        done = subprocess.run(  # noqa: S603 -- the user's own git
            command, env=_build_environment(), input=given, capture_output=True, check=False
        )
        text = done.stdout if not done.returncode else done.stdout + done.stderr
        return ShellOutcome(done.returncode, text.decode(errors="surrogateescape"))

    def run_line(self, line: str, lock: int, folder: Path | None = None) -> ShellOutcome:
        """Run a shell line in the clone; as long as it runs, the lock is held."""
        done = subprocess.run(  # noqa: S603 -- lines that this plugin made
            ["sh", "-c", KEEP_LOCK, "stithy-stack", line],  # noqa: S607 -- a shell of the user
            cwd=folder or self.folder,
            env=_build_environment(),
            stdin=lock,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return ShellOutcome(done.returncode, done.stdout.decode(errors="replace"))

    def find_ref(self, ref: str) -> str:
        """Return the SHA of a ref; empty without it."""
        done = self.run_git("rev-parse", "--verify", "--quiet", ref)
        return done.text.strip() if not done.status else ""

    def delete_refs(self, prefix: str) -> None:
        """Delete all refs below a prefix, and their lock files, which a killed git leaves behind."""
        for lock in self.common.joinpath(prefix).rglob("*.lock"):
            lock.unlink()
        if refs := self.read("for-each-ref", "--format=delete %(refname)", prefix):
            self.read("update-ref", "--stdin", stdin=f"{refs}\n")

    def store_refs(self, refs: Mapping[str, str]) -> None:
        """Set refs to SHAs, all or none of them."""
        self.read("update-ref", "--stdin", stdin="".join(f"update {ref} {sha}\n" for ref, sha in refs.items()))


def open_clone(program: str) -> UserClone:
    """Return the clone that contains the working directory.

    Raises:
        UserError: There is none.
    """
    here = UserClone(program, Path.cwd(), Path())
    done = here.run_git("rev-parse", "--path-format=absolute", "--git-common-dir")
    if done.status:
        text = "the working directory is in no clone of a git repository"
        raise UserError(text, suggestion="Run it in a clone of the pull requests' repository.")
    common = Path(done.text.rstrip("\n"))
    # the working directory may be the worktree of the run, which the last step removes
    top = Path(here.read("worktree", "list", "--porcelain").partition("\n")[0].removeprefix("worktree "))
    return UserClone(program, top if top.is_dir() else common, common)


def _build_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in LEAKED} | QUIET
