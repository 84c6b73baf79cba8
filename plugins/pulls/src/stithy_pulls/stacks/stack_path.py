"""The path from a pull request down to the bottom of its stack.

Branch names show most of it. A forge changes the base of a pull request when the one below is merged, and a fork's
branch cannot be a base branch: then the commits show it, because those of the lower one are still in its history.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import PullRequest
from stithy_pulls.git.commit_log import CommitEntry, is_ancestor
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.stack_links import (
    find_parent_by_name,
    find_parent_by_stack,
    is_circle,
    is_stacked_on,
    was_stacked_on,
)
from stithy_pulls.stacks.stack_survey import PullHistory, StackSurvey

LinkEvidence: TypeAlias = Literal["forge", "name", "history", "event"]

MOST = 30
"""Maximum number of levels."""


@frozen(kw_only=True)
class StackPath:
    """The path from the bottom up to the upper pull request.

    Args:
        levels: The pull requests.
        found: By number, how each except the first was found to be stacked on the one below: by a stack that the forge
            keeps, by the name of its base branch, by its history, or by an event that names a former base.
        circle: Whether branch names form a circle.
    """

    levels: tuple[PullRequest, ...]
    found: dict[int, LinkEvidence]
    circle: bool = False

    def find_index(self, pull: PullRequest) -> int:
        """Return the index of a pull request; -1 if it is not on the path."""
        return next((at for at, one in enumerate(self.levels) if one.ref == pull.ref), -1)

    def list_below(self, pull: PullRequest) -> tuple[PullRequest, ...]:
        """Return the pull requests below a pull request, the bottom first."""
        return self.levels[: max(self.find_index(pull), 0)]


async def trace_path(
    survey: StackSurvey, pool: CommitPool, base_past: PullHistory, former_bases: Sequence[str]
) -> StackPath:
    """Trace the path down from the upper pull request, by names first, then by history.

    Args:
        survey: The pull requests from the API.
        pool: The commits, with both heads.
        base_past: The former heads of the lower pull request.
        former_bases: The former base branches of the upper one.
    """
    path, found = [survey.dependent], dict[int, LinkEvidence]()
    while len(path) < MOST:
        child = path[-1]
        line = await _list_own_line(survey, pool, child)
        parent = find_parent_by_stack(child, survey.list_pulls())
        how: LinkEvidence = "forge"
        if parent is None:
            candidates = _list_possible_parents(survey, pool)
            parent, how = find_parent_by_name(child, candidates, [entry.sha for entry in line]), "name"
        if parent is None:
            parent, how = _find_parent_by_history(survey, path, line, base_past), "history"
        if parent is None:
            parent = await _find_merged_parent(survey.base, child, pool, path)
        if parent is None and child.ref == survey.dependent.ref and was_stacked_on(survey.base, former_bases):
            parent, how = survey.base, "event"
        if parent is None or is_circle(path, parent):
            return StackPath(levels=tuple(reversed(path)), found=found, circle=parent is not None)
        found[child.ref.number] = how
        path.append(parent)
        await pool.fetch_heads([parent])
    return StackPath(levels=tuple(reversed(path)), found=found)


def trace_path_by_names(survey: StackSurvey) -> StackPath:
    """Trace the path by names only, without git."""
    path, found = [survey.dependent], dict[int, LinkEvidence]()
    while (parent := find_parent_by_name(path[-1], survey.list_pulls())) is not None and len(path) < MOST:
        if is_circle(path, parent):
            return StackPath(levels=tuple(reversed(path)), found=found, circle=True)
        found[path[-1].ref.number] = "name"
        path.append(parent)
    return StackPath(levels=tuple(reversed(path)), found=found)


def _list_possible_parents(survey: StackSurvey, pool: CommitPool) -> list[PullRequest]:
    """Return the pull requests that others can be stacked on by name, without reused branches.

    A `develop` branch that is merged into `main` with each release, for example, is a trunk and not part of a stack.
    """
    return [pull for pull in survey.list_pulls() if pull.ref == survey.base.ref or not is_branch_reused(pool, pull)]


def is_branch_reused(pool: CommitPool, pull: PullRequest) -> bool:
    """Return whether a pull request is closed and its branch has newer commits."""
    tip = pool.get_branch_tip(pull.head.branch) if not pull.from_fork else ""
    return pull.state != "open" and tip not in {"", pull.head.commit}


async def _list_own_line(survey: StackSurvey, pool: CommitPool, child: PullRequest) -> list[CommitEntry]:
    """List the commits beyond the base branch; if it was deleted, beyond the branch at the bottom."""
    await pool.fetch_heads([child])
    head = pool.get_head(child)
    trunk = pool.get_branch_tip(child.base.branch) or pool.get_branch_tip(survey.base.base.branch)
    return await pool.list_beyond(head, trunk) if head and trunk else []


def _find_parent_by_history(
    survey: StackSurvey, path: Sequence[PullRequest], line: Sequence[CommitEntry], base_past: PullHistory
) -> PullRequest | None:
    """Return the pull request whose head is the newest among the child's own commits."""
    order = {entry.sha: at for at, entry in enumerate(line)}
    passed = {pull.ref for pull in path}
    ranked = []
    for pull in survey.list_pulls():
        heads = base_past.heads if pull.ref == survey.base.ref else (pull.head.commit,)
        places = [order[head] for head in heads if order.get(head)]  # index 0 is the child's own head
        if places and pull.ref not in passed and _can_be_parent(pull, path[-1], survey):
            ranked.append((min(places), pull.state != "open", -pull.ref.number, pull))
    return min(ranked, key=lambda row: row[:3])[3] if ranked else None


def _can_be_parent(pull: PullRequest, child: PullRequest, survey: StackSurvey) -> bool:
    """Return whether others can be stacked on a pull request: not one that was abandoned or targets the child."""
    kept = pull.merged or pull.state == "open" or pull.ref == survey.base.ref
    return kept and not is_stacked_on(pull, child)


async def _find_merged_parent(
    base: PullRequest, child: PullRequest, pool: CommitPool, path: Sequence[PullRequest]
) -> PullRequest | None:
    """Return the lower pull request if the child was based on it before it was merged unchanged; else None.

    A branch started from the trunk after the merge has these commits, too. Then the merge commit is in the child's
    history, or, for a fast-forward, the child is younger than the merge.
    """
    head, tip = pool.get_head(base), pool.get_head(child)
    if not (base.merged and head and tip) or any(base.ref == pull.ref for pull in path):
        return None
    if head == tip or not await is_ancestor(pool.repository, head, tip):
        return None
    if base.merge_commit in ("", head):
        younger = base.merged_at is None or child.created_at >= base.merged_at
        return None if younger else base
    if await pool.has_commit(base.merge_commit) and await is_ancestor(pool.repository, base.merge_commit, tip):
        return None
    return base
