"""Whether a pull request was merged, and how (ADR 20).

The forge alone says that it was. What git finds in the target without the forge's word is told, and never taken for a
merge: an empty change, or the same edit made twice, looks like one to every local test.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from stithy_core.spi import Maybe, PullRequest, Unknown
from stithy_pulls.git.commit_log import CommitEntry, is_ancestor, list_commits
from stithy_pulls.phrases import format_count
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.merge_traces import find_revert, find_trace

MergeMethod: TypeAlias = Literal["merge", "fast-forward", "rebase", "rebase-merge", "squash"]
Confidence: TypeAlias = Literal["high", "medium", "low"]


@frozen(kw_only=True)
class MergeOutcome:
    """What became of a pull request.

    Args:
        merged: Whether the forge says that it was merged; unknown where git found its changes in the target anyway.
        method: How; None while it is not merged.
        commit: The merge commit, the squash, or the last of the commits that a rebase made.
        before: Where the target was before it.
        confidence: In the method.
        evidence: What says so.
        lost: What took its changes out of the target again; empty where nothing did.
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
        """Say whether its commits became one other commit."""
        if self.method is None:
            return self.merged if isinstance(self.merged, Unknown) else False
        return self.method if isinstance(self.method, Unknown) else self.method == "squash"

    @property
    def kept(self) -> bool:
        """Say whether its commits came into the target as they were."""
        return self.method in {"merge", "fast-forward"}


async def find_merge_outcome(pool: CommitPool, pull: PullRequest) -> MergeOutcome:
    """Find out what became of a pull request whose head and target were fetched."""
    head = pool.get_head(pull) or pull.head.commit
    if not pull.merged:
        return await _unmerged(pool, pull, head)
    said = f"the forge says that {pull.ref} was merged"
    if not pull.merge_commit or not await pool.has_commit(pull.merge_commit):
        gone = f"the merge commit {pull.merge_commit[:12] or '(none named)'} cannot be had"
        return MergeOutcome(
            merged=True, method=Unknown(gone, "Look at the pull request's page."), evidence=(said, gone)
        )
    fate = await _how(pool, pull, head)
    return evolve(fate, evidence=(said, *fate.evidence), lost=await find_revert(pool, pull, fate.commit, fate.before))


async def _unmerged(pool: CommitPool, pull: PullRequest, head: str) -> MergeOutcome:
    """Tell what git finds of a pull request that the forge does not call merged."""
    target = pool.get_branch_tip(pull.base.branch)
    state = f"the forge says that {pull.ref} is {pull.state} and not merged"
    if not head or not target:
        return MergeOutcome(merged=False, evidence=(state,))
    trace = await find_trace(pool, pull, head, target)
    if trace.whole:
        reason = f"{state}, though {trace.text}"
        return MergeOutcome(merged=Unknown(reason, "Look at its page."), confidence="low", evidence=(reason,))
    return MergeOutcome(merged=False, evidence=(state, *filter(None, (trace.text,))))


async def _how(pool: CommitPool, pull: PullRequest, head: str) -> MergeOutcome:
    made = pull.merge_commit
    if made == head:
        return await _forwarded(pool, pull, head)
    (entry,) = await list_commits(pool.repository, [made], (), most=1)
    if len(entry.parents) > 1:
        return await _joined(pool, entry, head)
    return await _replayed(pool, entry, head)


async def _forwarded(pool: CommitPool, pull: PullRequest, head: str) -> MergeOutcome:
    """Tell a fast-forward; where it began nobody keeps, so that the recorded base says it."""
    base = pull.base.commit
    before = base if base and base != head and await pool.has_commit(base) else ""
    before = before if before and await is_ancestor(pool.repository, before, head) else ""
    proof = f"the merge commit {head[:12]} is its head"
    return MergeOutcome(merged=True, method="fast-forward", commit=head, before=before, evidence=(proof,))


async def _joined(pool: CommitPool, entry: CommitEntry, head: str) -> MergeOutcome:
    first, *rest = entry.parents
    if head in rest:
        proof = f"{entry.sha[:12]} joins its head {head[:12]} to the target"
        return MergeOutcome(merged=True, method="merge", commit=entry.sha, before=first, evidence=(proof,))
    own = await _own(pool, head, first)
    copies = await pool.list_beyond(rest[0], first)
    matched = _matched(copies, own)
    if matched:
        proof = f"{entry.sha[:12]} joins copies of {matched} of its {len(own)} commits"
        return MergeOutcome(merged=True, method="rebase-merge", commit=entry.sha, before=first, evidence=(proof,))
    reason = f"{entry.sha[:12]} joins {rest[0][:12]}, which is neither its head nor a copy of it"
    return MergeOutcome(
        merged=True,
        method=Unknown(reason, "Look at the merge commit."),
        commit=entry.sha,
        before=first,
        confidence="low",
        evidence=(reason,),
    )


async def _replayed(pool: CommitPool, entry: CommitEntry, head: str) -> MergeOutcome:
    """Tell a rebase from a squash: a rebase leaves each commit its author, time and words."""
    parent = entry.parents[0] if entry.parents else ""
    own = await _own(pool, head, parent)
    ended = await list_commits(pool.repository, [entry.sha], (), "--first-parent", most=max(len(own), 1))
    matched = _matched(ended, own)
    if matched and (matched > 1 or len(own) == 1):
        before = (ended[matched - 1].parents or ("",))[0]
        sure: Confidence = "high" if matched == len(own) else "medium"
        proof = f"{matched} of its {len(own)} commits are on the target again, with their authors, times and words"
        return MergeOutcome(
            merged=True, method="rebase", commit=entry.sha, before=before, confidence=sure, evidence=(proof,)
        )
    proof = f"{entry.sha[:12]} stands in the place of its {format_count(len(own), 'commit')}"
    confidence: Confidence = "high" if len(own) > 1 else "medium"
    return MergeOutcome(
        merged=True, method="squash", commit=entry.sha, before=parent, confidence=confidence, evidence=(proof,)
    )


async def _own(pool: CommitPool, head: str, before: str) -> list[CommitEntry]:
    """List the commits of a pull request without merges, newest first."""
    if not head or not await pool.has_commit(head):
        return []
    return await list_commits(pool.repository, [head], [before] if before else [], "--no-merges")


def _matched(copies: Sequence[CommitEntry], own: Sequence[CommitEntry]) -> int:
    """Count the newest copies that are, in their order, among the own ones: a rebase leaves empty ones out."""
    left = iter(own)
    count = 0
    for copy in copies:
        if not any(copy.identity == entry.identity for entry in left):
            break
        count += 1
    return count
