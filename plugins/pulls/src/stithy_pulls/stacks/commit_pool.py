"""The commits of a stack, fetched when they are first needed."""

from collections.abc import Iterable

from attrs import Factory, define

from stithy_core.spi import Context, PullRequest, RepositoryRef
from stithy_pulls.git.commit_log import CommitEntry, filter_present, list_commits
from stithy_pulls.git.fetch_sources import (
    ABSENT_REF,
    FetchSource,
    MissingRef,
    create_branch_source,
    create_commit_source,
    create_missing_head_error,
    find_head_source,
    get_branch_label,
    get_head_label,
    pin_commits,
)
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import fetch_refs, refetch_all_files


@define
class CommitPool:
    """A cached repository, and the SHA of each fetched branch and head.

    Args:
        ctx: The call.
        repository: The cached repository.
        home: The repository on the forge.
        tips: The SHA of what was fetched, by label.
        missing: Why something is missing, by label.
        sources: What was requested, by label.
    """

    ctx: Context
    repository: GitRepository
    home: RepositoryRef
    tips: dict[str, str] = Factory(dict)
    missing: dict[str, MissingRef] = Factory(dict)
    sources: dict[str, FetchSource] = Factory(dict)

    async def fetch_heads(self, pulls: Iterable[PullRequest], branches: Iterable[str] = ()) -> None:
        """Fetch the heads and base branches of pull requests, and further branches. Missing refs are recorded."""
        found = list(pulls)
        bases = [pull.base.branch for pull in found if not pull.base.branch.startswith("refs/")]
        sources = [find_head_source(self.repository.forge, pull) for pull in found]
        sources += [create_branch_source(branch) for branch in (*bases, *branches)]
        wanted = {source.label: source for source in sources if source.label not in self.sources}
        if wanted:
            self.sources |= wanted
            fetched = await fetch_refs(self.ctx, self.repository, wanted.values())
            self.tips |= fetched.tips
            unserved = MissingRef("the forge did not serve it")
            self.missing |= {label: fetched.missing.get(label, unserved) for label in wanted if label not in self.tips}

    async def refetch_all_files(self) -> None:
        """Fetch everything again with all files, because the server does not support partial fetches."""
        await refetch_all_files(self.ctx, self.repository, pin_commits(self.sources.values(), self.tips))

    async def has_commit(self, sha: str) -> bool:
        """Return whether a commit is in the cache, after an attempt to fetch it."""
        if not sha or await filter_present(self.repository, [sha]):
            return bool(sha)
        await fetch_refs(self.ctx, self.repository, [create_commit_source(sha)])
        return bool(await filter_present(self.repository, [sha]))

    def get_head(self, pull: PullRequest) -> str:
        """Return the head of a pull request; empty if it is missing."""
        return self.tips.get(get_head_label(pull), "")

    def get_branch_tip(self, name: str) -> str:
        """Return the tip of a branch; empty if it is missing."""
        return self.tips.get(get_branch_label(name), "")

    def is_branch_missing(self, name: str) -> bool:
        """Return whether a branch was requested and does not exist."""
        return get_branch_label(name) in self.missing

    def require_head(self, pull: PullRequest) -> str:
        """Return the head of a pull request.

        Raises:
            GitError: It is missing.
        """
        if sha := self.get_head(pull):
            return sha
        raise create_missing_head_error(pull, self.missing.get(get_head_label(pull), ABSENT_REF))

    async def list_beyond(self, tip: str, *without: str) -> list[CommitEntry]:
        """List the commits that `tip` has and the others do not have, newest first."""
        return await list_commits(self.repository, [tip], [sha for sha in without if sha])
