"""`detect_merge_conflicts`: from a pull request to what git says of its merge (PULL-40)."""

from functools import partial

import anyio
from attrs import evolve, frozen

from stithy_core.spi import Context, Forge, ForgeError, Maybe, Page, PullRequest, Unknown, Unsupported
from stithy_pulls.conflicts.entries import ConflictList, conflict_key, list_conflicts
from stithy_pulls.conflicts.instructions import build_instructions
from stithy_pulls.conflicts.merging import MergeResult
from stithy_pulls.conflicts.others import OpenNeighbours, compare_neighbours, list_neighbours
from stithy_pulls.conflicts.results import MergeConflicts, NeighbourVerdict
from stithy_pulls.conflicts.states import await_mergeable, get_mergeable_state
from stithy_pulls.conflicts.trying import try_merge
from stithy_pulls.conflicts.without import answer_from_forge
from stithy_pulls.git.faults import GitError, StaleHead
from stithy_pulls.git.fetching import branch_ref, pull_ref
from stithy_pulls.git.opening import with_repository
from stithy_pulls.git.repository import GitRepository
from stithy_pulls.offers import DetectMergeConflicts

MOST_OTHERS = 15
"""Those with conflicts come first."""


@frozen
class MergeTrial:
    """What git found: the merge, its conflicts, the commits it was of, and the neighbours that were tried."""

    merged: MergeResult
    found: ConflictList
    base: str
    head: str
    others: tuple[NeighbourVerdict, ...]
    notes: tuple[str, ...]


async def detect_conflicts(ctx: Context, args: DetectMergeConflicts) -> MergeConflicts:
    """Find the conflicts."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    target = args.target_branch or pull.base.branch
    near = await list_neighbours(forge, pull) if args.against_open else OpenNeighbours()
    try:
        tried, pull = await _tried(ctx, forge, pull, target, near)
    except (GitError, Unsupported) as fault:
        pull = await await_mergeable(ctx, forge, pull)
        if isinstance(fault, StaleHead):  # the forge's own verdict is then of the former head
            pull = evolve(pull, mergeable=Unknown(fault.message, fault.suggestion))
        return await answer_from_forge(forge, pull, target, fault, wanted_others=args.against_open)
    verdict: Maybe[bool] = Unknown(tried.merged.refused) if tried.merged.refused else not tried.merged.clean
    left = len(tried.others) - MOST_OTHERS
    unshown = [f"{left} more open pull requests touch the same files."] if left > 0 else []
    notes = (*_notes(pull, target, tried), *tried.notes, *([near.cut] if near.cut else ()), *unshown)
    more = len(tried.found.conflicts) < tried.found.total
    return MergeConflicts(
        pr=str(pull.ref),
        pull_state="merged" if pull.merged else "closed" if pull.state == "closed" else "open",
        target_branch=target,
        has_conflicts=verdict,
        found_by="git",
        base_commit=tried.base,
        head_commit=tried.head,
        conflicts=Page(tried.found.conflicts, key=conflict_key, partial=more, total=tried.found.total),
        total_conflicts=tried.found.total,
        mergeable_state=get_mergeable_state(pull, target),
        forge_state=pull.forge_state or None,
        instructions=await build_instructions(forge, pull, target) if verdict is True else None,
        against_open=tried.others[:MOST_OTHERS] if args.against_open else None,
        notes=notes or None,
    )


async def _tried(
    ctx: Context, forge: Forge, pull: PullRequest, target: str, near: OpenNeighbours
) -> tuple[MergeTrial, PullRequest]:
    """Let git try while the forge, if it still computes, is asked again; once git is done nobody waits for it."""
    latest = pull

    async def ask() -> None:
        nonlocal latest
        latest = await await_mergeable(ctx, forge, pull)

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            tried = await with_repository(ctx, forge, pull.ref.repository, partial(_try, ctx, pull, target, near))
            group.cancel_scope.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    if isinstance(latest.mergeable, Unknown) and latest.state == "open":
        latest = await _once_more(forge, latest)
    return tried, latest


async def _once_more(forge: Forge, pull: PullRequest) -> PullRequest:
    try:
        again = await forge.pull_requests.get(pull.ref)
    except ForgeError:
        return pull
    return evolve(pull, mergeable=again.mergeable, forge_state=again.forge_state)


async def _try(ctx: Context, pull: PullRequest, target: str, near: OpenNeighbours, repository: GitRepository) -> MergeTrial:
    done = await try_merge(ctx, repository, pull, target, near.pulls)
    merged, tips = done.merged, done.tips
    found = ConflictList((), 0) if merged.refused else await list_conflicts(repository, merged, done.ours, done.theirs, ctx.after)
    near_here = [other for other in near.pulls if pull_ref(other.ref.number) in tips]
    others = await compare_neighbours(ctx, repository, pull, done.ours, near_here)
    base, head = tips[branch_ref(target)], tips[pull_ref(pull.ref.number)]
    return MergeTrial(merged, found, base, head, tuple(others), tuple(repository.notes))


def _notes(pull: PullRequest, target: str, tried: MergeTrial) -> list[str]:
    notes = []
    if pull.merged:
        notes.append("It is merged: this says what merging its head once more would come to.")
    elif pull.state == "closed":
        notes.append("It is closed: reopen it before it can be merged.")
    if pull.head.commit and pull.head.commit != tried.head:
        notes.append(f"The API says that the head is {pull.head.commit}; git was given {tried.head}.")
    if tried.merged.refused:
        notes.append(tried.merged.refused)
    state = get_mergeable_state(pull, target)
    if (state == "clean" and not tried.merged.clean) or (state == "dirty" and tried.merged.clean):
        notes.append(
            "The forge and git differ: one may be out of date, or .gitattributes says how a file is merged, "
            "which git heeds in a checkout alone."
        )
    return notes
