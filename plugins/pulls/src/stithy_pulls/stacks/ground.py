"""The commits that a stack is made of, fetched when they are first needed."""

from collections.abc import Iterable

from attrs import Factory, define

from stithy_core.spi import Context, PullRequest, RepositoryRef
from stithy_pulls.git.commits import Entry, log, present
from stithy_pulls.git.fetching import Missing, branch_ref, fetch, head_fault, heads_of, pull_ref
from stithy_pulls.git.repository import Repository


@define
class Ground:
    """A cache, and which commit each name stands for.

    Args:
        ctx: The call.
        repository: The cache.
        home: The repository on the forge.
        tips: By the name that was fetched.
        missing: Why a name is not there.
    """

    ctx: Context
    repository: Repository
    home: RepositoryRef
    tips: dict[str, str] = Factory(dict)
    missing: dict[str, Missing] = Factory(dict)

    async def gather(self, pulls: Iterable[PullRequest], branches: Iterable[str] = ()) -> None:
        """Fetch the heads of pull requests, the branches they go into and others; what is missing stays away."""
        found = list(pulls)
        refs = [pull_ref(pull.ref.number) for pull in found]
        refs += [branch_ref(pull.base.branch) for pull in found if not pull.base.branch.startswith("refs/")]
        refs += [branch_ref(branch) for branch in branches]
        wanted = [ref for ref in dict.fromkeys(refs) if ref not in self.tips and ref not in self.missing]
        if wanted:
            fetched = await fetch(self.ctx, self.repository, wanted, heads_of(found))
            self.tips |= fetched.tips
            self.missing |= {
                ref: fetched.missing.get(ref, Missing("it was not given")) for ref in wanted if ref not in fetched.tips
            }

    async def commit(self, sha: str) -> bool:
        """Say whether a commit is here, after an attempt to fetch it."""
        if not sha or await present(self.repository, [sha]):
            return bool(sha)
        await fetch(self.ctx, self.repository, [sha])
        return bool(await present(self.repository, [sha]))

    def head(self, pull: PullRequest) -> str:
        """Give the head of a pull request; empty where it cannot be had."""
        return self.tips.get(pull_ref(pull.ref.number), "")

    def branch(self, name: str) -> str:
        """Give the tip of a branch; empty where there is none."""
        return self.tips.get(branch_ref(name), "")

    def lacks(self, name: str) -> bool:
        """Say whether a branch was asked for and is not there."""
        return branch_ref(name) in self.missing

    def needed(self, pull: PullRequest) -> str:
        """Give the head of a pull request.

        Raises:
            NoGit: It cannot be had.
        """
        if sha := self.head(pull):
            return sha
        raise head_fault(pull, self.missing)

    async def beyond(self, tip: str, *without: str) -> list[Entry]:
        """List what a commit has that others have not, newest first."""
        return await log(self.repository, [tip], [sha for sha in without if sha])
