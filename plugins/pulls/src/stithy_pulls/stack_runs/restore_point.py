"""A copy of what git knows of the run's worktree, taken before each step: a killed step begins again from it.

A killed `git rebase` cannot be continued: git may have crossed out a commit from its list without applying it.
"""

import shutil
from pathlib import Path

from attrs import frozen

from stithy_pulls.stack_runs.user_clone import UserClone


@frozen
class RestorePoint:
    """The copy.

    Args:
        clone: The clone.
        place: The folder of the copy, in the common git directory.
        worktree: The worktree of the run.
    """

    clone: UserClone
    place: Path
    worktree: Path

    def take(self) -> str:
        """Copy the worktree's git directory, and return its path: its index, head, and state of a rebase or merge."""
        admin = self.clone.read("rev-parse", "--absolute-git-dir", folder=self.worktree)
        fresh = self.place.with_name(f"{self.place.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(admin, fresh, symlinks=True)
        shutil.rmtree(self.place, ignore_errors=True)
        fresh.rename(self.place)
        return admin

    def restore(self, admin: str) -> None:
        """Put the copy back, and check out the files of its index. Files that are not in it are removed."""
        shutil.rmtree(admin, ignore_errors=True)
        shutil.copytree(self.place, admin, symlinks=True)
        for words in (("checkout-index", "-f", "-q", "-u", "-a"), ("clean", "-ffdq")):
            self.clone.read(*words, folder=self.worktree)

    def discard(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self.place, ignore_errors=True)
