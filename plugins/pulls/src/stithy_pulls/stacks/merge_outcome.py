"""Whether and how a pull request was merged (ADR 20).

Only the forge decides whether it was merged. What git finds in the target branch is evidence, and never counts as a
merge: an empty change, or the same edit made twice, looks like a merge to every local test.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from stithy_core.spi import Maybe, PullRequest, Unknown, format_count
from stithy_pulls.git.commit_log import CommitEntry, is_ancestor, list_commits
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.merge_traces import find_revert, find_trace

MergeMethod: TypeAlias = Literal["merge", "fast-forward", "rebase", "rebase-merge", "squash"]
Confidence: TypeAlias = Literal["high", "medium", "low"]


@frozen(kw_only=True)
class MergeOutcome:
    """What happened to a pull request.

    Args:
        merged: Whether the forge reports a merge; unknown if git found the changes in the target anyway.
        method: The merge method; None if it is not merged.
        commit: The merge commit, the squash commit, or the last commit that a rebase created.
        before: The tip of the target before the merge.
        confidence: The confidence in the method.
        evidence: The evidence, as sentences.
        lost: What reverted the merge; empty if nothing did.
    """

    merged: Maybe[bool]
    method: Maybe[MergeMethod] | None = None
    commit: str = ""
    before: str = ""
    lost: str = ""
    confidence: Confidence = "high"
    evidence: tuple[str, ...] = ()

    @property
    def squashed(self) -> Maybe[bool]:
        """Whether its commits became one other commit."""
        if self.method is None:
            return self.merged if isinstance(self.merged, Unknown) else False
        return self.method if isinstance(self.method, Unknown) else self.method == "squash"

    @property
    def kept(self) -> bool:
        """Whether its commits came into the target unchanged."""
        return self.method in {"merge", "fast-forward"}


async def find_merge_outcome(pool: CommitPool, pull: PullRequest) -> MergeOutcome:
    """Find what happened to a pull request whose head and target were fetched."""
    head = pool.get_head(pull) or pull.head.commit
    if not pull.merged:
        return await _find_unmerged_outcome(pool, pull, head)
    verdict = f"the forge reports that {pull.ref} was merged"
    if not pull.merge_commit or not await pool.has_commit(pull.merge_commit):
        gone = f"the merge commit {pull.merge_commit[:12] or '(none named)'} is not available"
        return MergeOutcome(merged=True, method=Unknown(gone, "See the pull request's page."), evidence=(verdict, gone))
    outcome = await _find_method(pool, pull, head)
    return evolve(
        outcome,
        evidence=(verdict, *outcome.evidence),
        lost=await find_revert(pool, pull, outcome.commit, outcome.before),
    )


async def _find_unmerged_outcome(pool: CommitPool, pull: PullRequest, head: str) -> MergeOutcome:
    """Return the outcome of a pull request that the forge does not report as merged."""
    target = pool.get_branch_tip(pull.base.branch)
    state = f"the forge reports that {pull.ref} is {pull.state} and not merged"
    if not head or not target:
        return MergeOutcome(merged=False, evidence=(state,))
    trace = await find_trace(pool, pull, head, target)
    if trace.whole:
        reason = f"{state}, but {trace.text}"
        return MergeOutcome(
            merged=Unknown(reason, "See the pull request's page."), confidence="low", evidence=(reason,)
        )
    return MergeOutcome(merged=False, evidence=(state, *filter(None, (trace.text,))))


async def _find_method(pool: CommitPool, pull: PullRequest, head: str) -> MergeOutcome:
    merge_sha = pull.merge_commit
    if merge_sha == head:
        return await _describe_fast_forward(pool, pull, head)
    (entry,) = await list_commits(pool.repository, [merge_sha], (), most=1)
    if len(entry.parents) > 1:
        return await _describe_merge_commit(pool, entry, head)
    return await _describe_linear_merge(pool, entry, head)


async def _describe_fast_forward(pool: CommitPool, pull: PullRequest, head: str) -> MergeOutcome:
    """Return the outcome of a fast-forward. No commit records where it began, so the recorded base is used."""
    base = pull.base.commit
    before = base if base and base != head and await pool.has_commit(base) else ""
    before = before if before and await is_ancestor(pool.repository, before, head) else ""
    proof = f"the merge commit {head[:12]} is its head"
    return MergeOutcome(merged=True, method="fast-forward", commit=head, before=before, evidence=(proof,))


async def _describe_merge_commit(pool: CommitPool, entry: CommitEntry, head: str) -> MergeOutcome:
    first, *rest = entry.parents
    if head in rest:
        proof = f"{entry.sha[:12]} merges its head {head[:12]} into the target"
        return MergeOutcome(merged=True, method="merge", commit=entry.sha, before=first, evidence=(proof,))
    own = await _list_own(pool, head, first)
    copies = await pool.list_beyond(rest[0], first)
    matched = _count_matching(copies, own)
    if matched:
        proof = f"{entry.sha[:12]} merges copies of {matched} of its {len(own)} commits"
        return MergeOutcome(merged=True, method="rebase-merge", commit=entry.sha, before=first, evidence=(proof,))
    reason = f"{entry.sha[:12]} merges {rest[0][:12]}, which is neither its head nor a copy of it"
    return MergeOutcome(
        merged=True,
        method=Unknown(reason, "Check the merge commit."),
        commit=entry.sha,
        before=first,
        confidence="low",
        evidence=(reason,),
    )


async def _describe_linear_merge(pool: CommitPool, entry: CommitEntry, head: str) -> MergeOutcome:
    """Distinguish a rebase from a squash: a rebase keeps author, time and message of each commit."""
    parent = entry.parents[0] if entry.parents else ""
    if not head or not await pool.has_commit(head):
        reason = f"its head {head[:12] or '(none named)'} is not available, so a squash cannot be told from a rebase"
        unknown = Unknown(reason, "See the pull request's page.")
        return MergeOutcome(
            merged=True, method=unknown, commit=entry.sha, before=parent, confidence="low", evidence=(reason,)
        )
    own = await _list_own(pool, head, parent)
    ended = await list_commits(pool.repository, [entry.sha], (), "--first-parent", most=max(len(own), 1))
    matched = _count_matching(ended, own)
    if matched and (matched > 1 or len(own) == 1):
        before = (ended[matched - 1].parents or ("",))[0]
        sure: Confidence = "high" if matched == len(own) else "medium"
        proof = f"{matched} of its {len(own)} commits are on the target with the same authors, times and messages"
        return MergeOutcome(
            merged=True, method="rebase", commit=entry.sha, before=before, confidence=sure, evidence=(proof,)
        )
    proof = f"{entry.sha[:12]} replaces its {format_count(len(own), 'commit')}"
    confidence: Confidence = "high" if len(own) > 1 else "medium"
    return MergeOutcome(
        merged=True, method="squash", commit=entry.sha, before=parent, confidence=confidence, evidence=(proof,)
    )


async def _list_own(pool: CommitPool, head: str, before: str) -> list[CommitEntry]:
    """List the commits of a pull request without merges, newest first."""
    if not head or not await pool.has_commit(head):
        return []
    return await list_commits(pool.repository, [head], [before] if before else [], "--no-merges")


def _count_matching(copies: Sequence[CommitEntry], own: Sequence[CommitEntry]) -> int:
    """Count the newest copies that occur in order among the own commits. A rebase omits empty ones."""
    left = iter(own)
    count = 0
    for copy in copies:
        if not any(copy.identity == entry.identity for entry in left):
            break
        count += 1
    return count
