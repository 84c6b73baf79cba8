"""The tool `detect_merge_conflicts`: merge a pull request by git, or ask the forge (PULL-40)."""

from collections.abc import Sequence
from functools import partial

import anyio
from attrs import evolve, frozen

from stithy_core.spi import (
    Context,
    Forge,
    ForgeError,
    Listing,
    Maybe,
    Page,
    PullRequest,
    StithyError,
    Unknown,
    Unsupported,
)
from stithy_pulls.conflicts.conflict_groups import group_messages
from stithy_pulls.conflicts.conflict_list import ConflictList, conflict_key, list_conflicts
from stithy_pulls.conflicts.conflict_results import MergeConflicts, NeighbourVerdict
from stithy_pulls.conflicts.merge_tree import MergeResult, PartialFetchUnsupported, merge_commits
from stithy_pulls.conflicts.mergeable_state import await_mergeable, get_mergeable_state, may_be_computing
from stithy_pulls.conflicts.resolution_instructions import build_instructions
from stithy_pulls.conflicts.trial_merge import try_merge
from stithy_pulls.git.fetch_sources import get_branch_label, get_head_label
from stithy_pulls.git.git_errors import GitError, MissingHead, StaleHead
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import find_merge_base, list_changed_paths
from stithy_pulls.git.repository_access import with_repository
from stithy_pulls.tools import DetectMergeConflicts

MOST = 100
MOST_FILES = 3


@frozen
class OpenNeighbours:
    """The other open pull requests of a repository, and why the list is incomplete; empty if it is complete."""

    pulls: Sequence[PullRequest] = ()
    cut: str = ""


async def list_neighbours(forge: Forge, pull: PullRequest) -> OpenNeighbours:
    """List the other open pull requests, up to 100."""
    found: Listing[PullRequest] = await forge.pull_requests.list(pull.ref.repository, state="open", most=MOST + 1)
    others = [one for one in found if one.ref.number != pull.ref.number]
    if len(others) <= MOST:
        return OpenNeighbours(others, found.cut)
    return OpenNeighbours(others[:MOST], f"only the first {MOST} other open pull requests were read")


async def compare_neighbours(
    ctx: Context, repository: GitRepository, pull: PullRequest, base: str, others: Sequence[PullRequest]
) -> list[NeighbourVerdict]:
    """Merge the pull request with each other one that changes the same files; conflicts come first, then unknown ones.

    Args:
        ctx: The call.
        repository: A repository with all heads.
        pull: The pull request.
        base: The label of its target branch.
        others: The other pull requests, whose heads were fetched.
    """
    if not others:
        return []
    head = get_head_label(pull)
    own = await _list_changed_files(repository, base, head)
    rows = []
    for index, other in enumerate(others):
        await ctx.progress(index, len(others), f"merging with {other.ref}")
        label = get_head_label(other)
        try:
            shared = own & await _list_changed_files(repository, base, label)
        except GitError as error:  # the other verdicts are still valid
            rows.append(_create_verdict(other, Unknown(error.message, error.suggestion), (), ()))
            continue
        if shared:
            rows.append(await _merge_with(repository, other, head, label, sorted(shared)))
    return sorted(rows, key=lambda row: (row.has_conflicts is not True, row.has_conflicts is False))


async def _list_changed_files(repository: GitRepository, base: str, head: str) -> set[str]:
    parted = await find_merge_base(repository, base, head)
    return await list_changed_paths(repository, parted, head) if parted else set()


async def _merge_with(
    repository: GitRepository, other: PullRequest, ours: str, theirs: str, shared: Sequence[str]
) -> NeighbourVerdict:
    try:
        merged = await merge_commits(repository, ours, theirs)
    except GitError as error:
        return _create_verdict(other, Unknown(error.message, error.suggestion), shared, ())
    except PartialFetchUnsupported:
        return _create_verdict(other, Unknown("the server does not support partial fetches"), shared, ())
    if merged.refused:
        return _create_verdict(other, Unknown(merged.refused), shared, ())
    paths = tuple(dict.fromkeys(path for group in group_messages(merged) for path in group.paths))
    return _create_verdict(other, not merged.clean, shared, paths)


def _create_verdict(
    other: PullRequest, verdict: Maybe[bool], shared: Sequence[str], paths: Sequence[str]
) -> NeighbourVerdict:
    return NeighbourVerdict(
        pr=str(other.ref),
        title=other.title,
        has_conflicts=verdict,
        shared_files=tuple(shared[:MOST_FILES]),
        shared_count=len(shared),
        conflicting_files=tuple(paths[:MOST_FILES]),
        conflicting_count=len(paths),
    )


SHOWN = 20


async def answer_from_forge(
    forge: Forge, pull: PullRequest, target: str, fault: StithyError, *, wanted_others: bool
) -> MergeConflicts:
    """Answer from the API, and name what it does not tell.

    Args:
        forge: The forge.
        pull: The pull request.
        target: The branch to merge into.
        fault: Why git could not answer.
        wanted_others: Whether the caller asked for other open pull requests.
    """
    verdict = _get_forge_verdict(pull, target)
    notes = [
        f"The conflicting files are unknown without git: {fault.message}. {fault.suggestion}".strip(),
        *await _list_files_of_both(forge, pull, target),
    ]
    if wanted_others:
        notes.append("Other open pull requests were not compared, because git is not available.")
    can_fetch = not isinstance(fault, MissingHead)
    unlisted = Unknown("the forge does not list conflicts", fault.suggestion)
    return MergeConflicts(
        pr=str(pull.ref),
        pull_state="merged" if pull.merged else "closed" if pull.state == "closed" else "open",
        target_branch=target,
        has_conflicts=verdict,
        found_by="forge",
        base_commit=pull.base.commit or None,
        head_commit=pull.head.commit or None,
        conflicts=Page((), key=conflict_key, partial=False, total=None),
        total_conflicts=0 if verdict is False else unlisted,
        mergeable_state=get_mergeable_state(pull, target),
        forge_state=pull.forge_state or None,
        instructions=await build_instructions(forge, pull, target) if can_fetch and verdict is True else None,
        against_open=None,
        notes=tuple(notes),
    )


def _get_forge_verdict(pull: PullRequest, target: str) -> Maybe[bool]:
    if target != pull.base.branch:
        return Unknown(f"the forge checks merges into {pull.base.branch} only", "Install git for the server.")
    return pull.mergeable if isinstance(pull.mergeable, Unknown) else not pull.mergeable


async def _list_files_of_both(forge: Forge, pull: PullRequest, target: str) -> list[str]:
    """Return a note with the files that both sides changed, as far as the API lists them: only these can conflict."""
    try:
        own = {file.path for file in await forge.changes.files(pull.ref)}
        theirs = await forge.changes.compare(pull.ref.repository, pull.head.commit, target)
    except StithyError as error:
        return [f"The files that both sides changed are unknown: {error.message}"]
    if isinstance(theirs.files, Unknown):
        return [f"The files that both sides changed are unknown: {theirs.files.reason}"]
    both = sorted(own & {file.path for file in theirs.files})
    named = ", ".join(both[:SHOWN]) + (f" and {len(both) - SHOWN} more" if len(both) > SHOWN else "")
    return [f"Both sides changed: {named}" if both else "No file listed by the API was changed on both sides."]


MOST_OTHERS = 15
"""Pull requests in `against_open`; those with conflicts come first."""


@frozen
class MergeTrial:
    """What git found.

    Args:
        merged: The merge.
        found: Its conflicts.
        base: The SHA of the target branch.
        head: The SHA of the pull request.
        others: The verdicts on other open pull requests.
        notes: Further information about how the repository was read.
    """

    merged: MergeResult
    found: ConflictList
    base: str
    head: str
    others: tuple[NeighbourVerdict, ...]
    notes: tuple[str, ...]


async def detect_conflicts(ctx: Context, args: DetectMergeConflicts) -> MergeConflicts:
    """Find the conflicts of a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    target = args.target_branch or pull.base.branch
    near = await list_neighbours(forge, pull) if args.against_open else OpenNeighbours()
    try:
        tried, pull = await _try_while_settling(ctx, forge, pull, target, near)
    except (GitError, Unsupported) as fault:
        pull = await await_mergeable(ctx, forge, pull)
        if isinstance(fault, StaleHead):  # the forge's verdict is about the former head
            pull = evolve(pull, mergeable=Unknown(fault.message, fault.suggestion))
        return await answer_from_forge(forge, pull, target, fault, wanted_others=args.against_open)
    unmerged = Unknown(tried.merged.refused) if tried.merged.refused else None
    verdict: Maybe[bool] = not tried.merged.clean if unmerged is None else unmerged
    total: Maybe[int] = tried.found.total if unmerged is None else unmerged
    left = len(tried.others) - MOST_OTHERS
    unshown = [f"{left} more open pull requests change the same files."] if left > 0 else []
    notes = (*_list_notes(pull, target, tried), *tried.notes, *([near.cut] if near.cut else ()), *unshown)
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
        total_conflicts=total,
        mergeable_state=get_mergeable_state(pull, target),
        forge_state=pull.forge_state or None,
        instructions=await build_instructions(forge, pull, target) if verdict is True else None,
        against_open=tried.others[:MOST_OTHERS] if args.against_open else None,
        notes=notes or None,
    )


async def _try_while_settling(
    ctx: Context, forge: Forge, pull: PullRequest, target: str, near: OpenNeighbours
) -> tuple[MergeTrial, PullRequest]:
    """Let git merge while the forge still computes its own verdict. When git is done, stop waiting for the forge."""
    latest = pull

    async def settle() -> None:
        nonlocal latest
        latest = await await_mergeable(ctx, forge, pull)

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(settle)
            work = partial(_run_trial, ctx, pull, target, near)
            recent = not near.pulls  # each of the others may have diverged at any time
            tried = await with_repository(ctx, forge, pull.ref.repository, work, recent=recent, announced=True)
            group.cancel_scope.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    if may_be_computing(latest):
        latest = await _refresh(forge, latest)
    return tried, latest


async def _refresh(forge: Forge, pull: PullRequest) -> PullRequest:
    try:
        again = await forge.pull_requests.get(pull.ref)
    except ForgeError:
        return pull
    return evolve(pull, mergeable=again.mergeable, forge_state=again.forge_state)


async def _run_trial(
    ctx: Context, pull: PullRequest, target: str, near: OpenNeighbours, repository: GitRepository
) -> MergeTrial:
    describe = partial(list_conflicts, after=ctx.after)
    trial = await try_merge(ctx, repository, pull, target, near.pulls, early=describe)
    merged, tips = trial.merged, trial.tips
    found = ConflictList((), 0) if merged.refused else await describe(repository, merged, trial.ours, trial.theirs)
    near_here = [other for other in near.pulls if get_head_label(other) in tips]
    others = await compare_neighbours(ctx, repository, pull, trial.ours, near_here)
    base, head = tips[get_branch_label(target)], tips[get_head_label(pull)]
    return MergeTrial(merged, found, base, head, tuple(others), tuple(repository.notes))


def _list_notes(pull: PullRequest, target: str, tried: MergeTrial) -> list[str]:
    notes = []
    if pull.merged:
        notes.append("The pull request is merged; the result describes merging its head again.")
    elif pull.state == "closed":
        notes.append("The pull request is closed. Reopen it to merge it.")
    if pull.head.commit and pull.head.commit != tried.head:
        notes.append(f"The API names the head {pull.head.commit}; git fetched {tried.head}.")
    if tried.merged.refused:
        return [*notes, tried.merged.refused]
    state = get_mergeable_state(pull, target)
    if (state == "clean" and not tried.merged.clean) or (state == "dirty" and tried.merged.clean):
        notes.append(
            "The forge and git disagree: one of them may be out of date, or .gitattributes selects a merge driver, "
            "which git uses in a working tree only."
        )
    return notes
