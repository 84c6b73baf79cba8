"""The commits of a stack, fetched when they are first needed."""

from collections.abc import Iterable

from attrs import Factory, define

from stithy_core.spi import Context, PullRequest, RepositoryRef
from stithy_pulls.git.commit_log import CommitEntry, filter_present, list_commits
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import (
    MissingRef,
    branch_ref,
    create_missing_head_error,
    fetch_refs,
    get_open_heads,
    pull_ref,
)


@define
class CommitPool:
    """A cached repository, and the SHA of each fetched name.

    Args:
        ctx: The call.
        repository: The cached repository.
        home: The repository on the forge.
        tips: The SHA by fetched ref.
        missing: By ref, why it is missing.
    """

    ctx: Context
    repository: GitRepository
    home: RepositoryRef
    tips: dict[str, str] = Factory(dict)
    missing: dict[str, MissingRef] = Factory(dict)

    async def fetch_heads(self, pulls: Iterable[PullRequest], branches: Iterable[str] = ()) -> None:
        """Fetch the heads and base branches of pull requests, and further branches. Missing refs are recorded."""
        found = list(pulls)
        refs = [pull_ref(pull.ref.number) for pull in found]
        refs += [branch_ref(pull.base.branch) for pull in found if not pull.base.branch.startswith("refs/")]
        refs += [branch_ref(branch) for branch in branches]
        wanted = [ref for ref in dict.fromkeys(refs) if ref not in self.tips and ref not in self.missing]
        if wanted:
            fetched = await fetch_refs(self.ctx, self.repository, wanted, get_open_heads(found))
            self.tips |= fetched.tips
            self.missing |= {
                ref: fetched.missing.get(ref, MissingRef("the forge did not serve it"))
                for ref in wanted
                if ref not in fetched.tips
            }

    async def has_commit(self, sha: str) -> bool:
        """Return whether a commit is in the cache, after an attempt to fetch it."""
        if not sha or await filter_present(self.repository, [sha]):
            return bool(sha)
        await fetch_refs(self.ctx, self.repository, [sha])
        return bool(await filter_present(self.repository, [sha]))

    def get_head(self, pull: PullRequest) -> str:
        """Return the head of a pull request; empty if it is missing."""
        return self.tips.get(pull_ref(pull.ref.number), "")

    def get_branch_tip(self, name: str) -> str:
        """Return the tip of a branch; empty if it is missing."""
        return self.tips.get(branch_ref(name), "")

    def is_branch_missing(self, name: str) -> bool:
        """Return whether a branch was requested and does not exist."""
        return branch_ref(name) in self.missing

    def require_head(self, pull: PullRequest) -> str:
        """Return the head of a pull request.

        Raises:
            GitError: It is missing.
        """
        if sha := self.get_head(pull):
            return sha
        raise create_missing_head_error(pull, self.missing)

    async def list_beyond(self, tip: str, *without: str) -> list[CommitEntry]:
        """List the commits that `tip` has and the others do not have, newest first."""
        return await list_commits(self.repository, [tip], [sha for sha in without if sha])
