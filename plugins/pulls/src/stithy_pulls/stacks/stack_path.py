"""The way down from a pull request to the one at the bottom of its stack.

The names of branches say most of it. A forge gives a pull request another base when that below it was merged, and a
fork's branch can be nobody's base: then the commits say it, since those of the one below are still in its history.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import PullRequest
from stithy_pulls.git.commit_log import CommitEntry, is_ancestor
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.stack_links import find_parent_by_name, is_circle, is_stacked_on, was_stacked_on
from stithy_pulls.stacks.stack_survey import PullHistory, StackSurvey

LinkEvidence: TypeAlias = Literal["name", "history", "event"]

MOST = 30
"""Levels; nobody stacks higher."""


@frozen(kw_only=True)
class StackPath:
    """From the bottom up to the dependent pull request.

    Args:
        levels: All of them.
        found: By number, how each but the first was found to stand on that before it: by the name of its base, by its
            history, or by an event that says that its base was another.
        circle: Whether the names of branches lead back to where one was.
    """

    levels: tuple[PullRequest, ...]
    found: dict[int, LinkEvidence]
    circle: bool = False

    def find_index(self, pull: PullRequest) -> int:
        """Give the place of a pull request; -1 where it is not on the way."""
        return next((at for at, one in enumerate(self.levels) if one.ref == pull.ref), -1)

    def list_below(self, pull: PullRequest) -> tuple[PullRequest, ...]:
        """Give what a pull request stands on, the bottom first."""
        return self.levels[: max(self.find_index(pull), 0)]


async def trace_path(
    survey: StackSurvey, pool: CommitPool, base_past: PullHistory, former_bases: Sequence[str]
) -> StackPath:
    """Go from the dependent pull request down, by names first and by history where these lead nowhere.

    Args:
        survey: What the API told.
        pool: Where both heads are.
        base_past: The former heads of the earlier pull request.
        former_bases: The branches that the dependent one went into before.
    """
    path, found = [survey.dependent], dict[int, LinkEvidence]()
    while len(path) < MOST:
        child = path[-1]
        line = await _line(survey, pool, child)
        parent = find_parent_by_name(child, _bottoms(survey, pool), [entry.sha for entry in line])
        how: LinkEvidence = "name"
        if parent is None:
            parent, how = _by_history(survey, path, line, base_past), "history"
        if parent is None:
            parent = await _landed(survey.base, child, pool, path)
        if parent is None and child.ref == survey.dependent.ref and was_stacked_on(survey.base, former_bases):
            parent, how = survey.base, "event"
        if parent is None or is_circle(path, parent):
            return StackPath(levels=tuple(reversed(path)), found=found, circle=parent is not None)
        found[child.ref.number] = how
        path.append(parent)
        await pool.fetch_heads([parent])
    return StackPath(levels=tuple(reversed(path)), found=found)


def trace_path_by_names(survey: StackSurvey) -> StackPath:
    """Go down by names alone, where git cannot be asked."""
    path, found = [survey.dependent], dict[int, LinkEvidence]()
    while (parent := find_parent_by_name(path[-1], survey.list_pulls())) is not None and len(path) < MOST:
        if is_circle(path, parent):
            return StackPath(levels=tuple(reversed(path)), found=found, circle=True)
        found[path[-1].ref.number] = "name"
        path.append(parent)
    return StackPath(levels=tuple(reversed(path)), found=found)


def _bottoms(survey: StackSurvey, pool: CommitPool) -> list[PullRequest]:
    """Give those on which something can stand by name: a branch that lived on after its merge is no part of a stack.

    A `develop` that is merged into `main` with each release, say, carries what goes into it as a trunk does.
    """
    return [pull for pull in survey.list_pulls() if pull.ref == survey.base.ref or not is_branch_reused(pool, pull)]


def is_branch_reused(pool: CommitPool, pull: PullRequest) -> bool:
    """Say whether a pull request has ended and its branch has gone on since."""
    tip = pool.get_branch_tip(pull.head.branch) if not pull.from_fork else ""
    return pull.state != "open" and tip not in {"", pull.head.commit}


async def _line(survey: StackSurvey, pool: CommitPool, child: PullRequest) -> list[CommitEntry]:
    """List the commits that a pull request has and its base has not; of a base that is gone, the bottom's stands in."""
    await pool.fetch_heads([child])
    head = pool.get_head(child)
    trunk = pool.get_branch_tip(child.base.branch) or pool.get_branch_tip(survey.base.base.branch)
    return await pool.list_beyond(head, trunk) if head and trunk else []


def _by_history(
    survey: StackSurvey, path: Sequence[PullRequest], line: Sequence[CommitEntry], base_past: PullHistory
) -> PullRequest | None:
    """Find that whose head is the newest among a child's own commits; the head that both share says nothing."""
    order = {entry.sha: at for at, entry in enumerate(line)}
    passed = {pull.ref for pull in path}
    ranked = []
    for pull in survey.list_pulls():
        heads = base_past.heads if pull.ref == survey.base.ref else (pull.head.commit,)
        places = [order[head] for head in heads if order.get(head)]  # the first is the child's own head
        if places and pull.ref not in passed and _may_carry(pull, path[-1], survey):
            ranked.append((min(places), pull.state != "open", -pull.ref.number, pull))
    return min(ranked, key=lambda row: row[:3])[3] if ranked else None


def _may_carry(pull: PullRequest, child: PullRequest, survey: StackSurvey) -> bool:
    """Say whether something can stand on a pull request: not what that goes into, and on what was given up nothing."""
    kept = pull.merged or pull.state == "open" or pull.ref == survey.base.ref
    return kept and not is_stacked_on(pull, child)


async def _landed(
    base: PullRequest, child: PullRequest, pool: CommitPool, path: Sequence[PullRequest]
) -> PullRequest | None:
    """Say whether a child was begun on the earlier pull request, whose commits have come into the trunk as they were.

    Whoever begins at the trunk after the merge has these commits as well: then the merge is in the child's history,
    or, where there is no merge commit, the child is younger than the merge.
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
