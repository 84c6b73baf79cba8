"""Repositories, commits and the changes of pull requests."""

from collections.abc import AsyncIterator

from stithy_core.spi import (
    Changes,
    Commit,
    Comparison,
    FileChange,
    GitRemote,
    Listing,
    PullRequestRef,
    Repository,
    RepositoryRef,
)
from stithy_sandbox.capabilities.base import InWorld
from stithy_sandbox.world.diffs import changes
from stithy_sandbox.world.views import changes_of, commit_of, commits_of


class SandboxChanges(InWorld, Changes):
    """Code. The default branch of every repository is `main`."""

    async def repository(self, repository: RepositoryRef) -> Repository:
        """Read a repository."""
        found = self.world.repository(repository)
        url = f"{self.world.url}/{found.ref}"
        return Repository(
            ref=found.ref,
            url=url,
            default_branch="main",
            private=found.private,
            archived=found.archived,
            fork=found.parent is not None,
            clone_url=f"{url}.git",
            parent=found.parent,
            writable=found.writable,
            merge_methods=("merge",),
        )

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        """Read all changed files, by path."""
        found = changes_of(self.world, self.world.pull(pr))
        return Listing(tuple(change.as_file(patches=patches) for change in found))

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        """Iterate over the diff in bytes, one file at a time."""
        for change in changes_of(self.world, self.world.pull(pr)):
            yield change.text().encode()

    async def commits(self, pr: PullRequestRef) -> Listing[Commit]:
        """Read the commits of a pull request, oldest first."""
        return Listing(tuple(commits_of(self.world, self.world.pull(pr))))

    async def compare(self, repository: RepositoryRef, base: str, head: str) -> Comparison:
        """Compare two branches or commits."""
        home = self.world.repository(repository)
        old, new = self.world.commit(repository, base), self.world.commit(repository, head)
        ahead, parted = home.history.alone(old.sha, new.sha), home.history.parted(old.sha, new.sha)
        return Comparison(
            base=base,
            head=head,
            ahead=len(ahead),
            behind=len(home.history.alone(new.sha, old.sha)),
            merge_base=parted.sha,
            commits=Listing(tuple(commit_of(self.world, home.ref, one) for one in ahead)),
            files=Listing(tuple(change.as_file(patches=False) for change in changes(parted.tree, new.tree))),
        )

    async def tree(self, repository: RepositoryRef, commit: str) -> Listing[str]:
        """Read the paths of a commit's files."""
        return Listing(tuple(sorted(self.world.commit(repository, commit).tree)))

    async def git(self, repository: RepositoryRef) -> GitRemote:
        """Write the repository in its current state to a folder of this process, and return its URL."""
        return GitRemote(url=self.forge.write_bare(repository).as_uri())
