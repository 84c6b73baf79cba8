"""What git fetches for the tools: from which repository, under which ref or SHA, and its name in the cache.

The forge names the refs of pull requests (`Forge.head_ref`). A forge that keeps none has the head in the branch of the
source repository only, which may be a fork and may be deleted at any time.
"""

from collections.abc import Iterable
from hashlib import blake2b
from urllib.parse import quote

from attrs import evolve, frozen

from stithy_core.spi import Forge, PullRequest, RepositoryRef, find_ref_fault
from stithy_pulls.git.git_errors import GitError, MissingHead, StaleHead
from stithy_pulls.git.git_repository import OID

LONGEST = 200
CHECK_REPOSITORY = "Check that the repository exists and is not empty."


@frozen
class MissingRef:
    """Why something was not fetched.

    Args:
        reason: The reason, as a clause.
        remedy: What to do about it.
        stale: Whether the forge has the ref, but not yet with the commit that its API names.
    """

    reason: str
    remedy: str = CHECK_REPOSITORY
    stale: bool = False


ABSENT_REF, ABSENT_COMMIT = MissingRef("the forge has no such ref"), MissingRef("the forge does not serve this commit")


@frozen(kw_only=True)
class FetchSource:
    """Something that git fetches: a commit if one is named, else whatever a ref has.

    Args:
        label: Its branch in the cache, which users see in conflict markers: `base/main`, `pull/7` or `commit/<SHA>`.
            Heads have the number of the pull request, so refs of any shape have different labels.
        ref: The full ref; empty if the repository has none.
        commit: The SHA that must be fetched; empty for whatever the ref has.
        repository: The repository that has it; None for the one that the cache belongs to.
        is_moving: Whether the ref may get the commit later, as after a push to an open pull request.
        absent: Why it is missing if the ref does not exist.
    """

    label: str
    ref: str = ""
    commit: str = ""
    repository: RepositoryRef | None = None
    is_moving: bool = False
    absent: MissingRef = ABSENT_REF

    @property
    def target(self) -> str:
        """What a command shown to people fetches: the ref, or the SHA if the ref may have another commit for good."""
        return self.ref if self.ref and (self.is_moving or not self.commit) else self.commit


def get_branch_label(name: str) -> str:
    """Return the label of a branch. It has one level, because a branch `a` and a branch `a/b` may follow each other."""
    whole = quote(name.encode(errors="surrogateescape"), safe="!#$&'()+,;=@_-.{}|")
    digest = blake2b(whole.encode(), digest_size=8).hexdigest()
    return f"base/{whole if len(whole) <= LONGEST else f'{whole[:LONGEST]}-{digest}'}"


def get_head_label(pull: PullRequest) -> str:
    """Return the label of a pull request's head."""
    return f"pull/{pull.ref.number}"


def create_branch_source(name: str) -> FetchSource:
    """Return the source of a branch. A name that git does not accept has no ref, so the branch is missing."""
    return FetchSource(label=get_branch_label(name), ref=_accept_ref(f"refs/heads/{name}"))


def create_commit_source(sha: str) -> FetchSource:
    """Return the source of a single commit."""
    return FetchSource(label=f"commit/{sha}", commit=sha, absent=ABSENT_COMMIT)


def find_head_source(forge: Forge, pull: PullRequest) -> FetchSource:
    """Return where the head of a pull request is.

    The head of an open pull request is the commit that the API names. The forge's own ref of a closed one keeps the
    head, while its branch may be reused. If the forge keeps no ref, the commit decides in every state.
    """
    commit = pull.head.commit if OID.fullmatch(pull.head.commit) else ""
    is_open = pull.state == "open"
    ref = forge.head_ref(pull)
    if ref is None:
        return _find_branch_source(pull, commit)
    absent = MissingRef(f"the forge has no ref {ref!r}")
    return FetchSource(
        label=get_head_label(pull), ref=ref, commit=commit if is_open else "", is_moving=is_open, absent=absent
    )


def create_missing_head_error(pull: PullRequest, why: MissingRef) -> GitError:
    """Return the error for a pull request whose head is missing."""
    kind = StaleHead if why.stale else MissingHead
    return kind(f"git cannot fetch the head of {pull.ref}: {why.reason}", suggestion=why.remedy)


def pin_commits(sources: Iterable[FetchSource], tips: dict[str, str]) -> list[FetchSource]:
    """Return the sources that were fetched, each with its commit.

    Args:
        sources: The sources.
        tips: The SHA by label.
    """
    return [evolve(source, commit=tips[source.label]) for source in sources if source.label in tips]


def _find_branch_source(pull: PullRequest, commit: str) -> FetchSource:
    """Return the source branch of a pull request whose forge keeps no ref of it."""
    source, is_open = pull.head.repository, pull.state == "open"
    branch = pull.head.branch
    ref = _accept_ref(branch if branch.startswith("refs/") else f"refs/heads/{branch}") if source else ""
    return FetchSource(
        label=get_head_label(pull),
        ref=ref if is_open or commit else "",  # without a commit, a reused branch cannot be recognised
        commit=commit,
        repository=None if source == pull.ref.repository else source,
        is_moving=is_open and bool(ref),
        absent=_describe_lost_branch(pull, commit),
    )


def _describe_lost_branch(pull: PullRequest, commit: str) -> MissingRef:
    source = pull.head.repository
    lost = f"the source branch {pull.head.branch!r} of {source} was deleted" if source else "the fork was deleted"
    if source and pull.state != "open" and not commit:
        lost = "the API names no commit as the head, and the source branch may have been reused"
    at = f" at {commit[:10]}" if commit else ""
    remedy = f"Restore the branch{at}, or open a new pull request from a clone that has its commits."
    return MissingRef(f"{lost}; this forge keeps no ref of the pull request", remedy)


def _accept_ref(ref: str) -> str:
    return "" if find_ref_fault(ref) else ref
