"""What git finds of a stack."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from stithy_core.spi import Context, Forge, PullRequest, Unknown, map_concurrently
from stithy_pulls.conflicts.merge_tree import PartialFetchUnsupported
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import pull_ref, refetch_all_files
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.fork_point import LowerPulls
from stithy_pulls.stacks.merge_outcome import MergeOutcome, find_merge_outcome
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget, choose_rebase_target, plan_moves
from stithy_pulls.stacks.rebase_strategy import choose_rebase
from stithy_pulls.stacks.stack_case import NewCommits, RestackAdvice, StackCase, find_retarget, list_new_commits
from stithy_pulls.stacks.stack_path import StackPath, trace_path
from stithy_pulls.stacks.stack_survey import PullHistory, StackSurvey, read_history
from stithy_pulls.tools import ManageStackedPrs


@frozen(kw_only=True)
class StackFindings:
    """What git found.

    Args:
        repository: The cache that was read.
        path: The way down from the dependent pull request.
        case: What is to be done; None where it does not stand on the base, or in a circle.
        news: What is new where the lowest that is moved is to stand.
        notes: What else somebody should know.
    """

    repository: GitRepository
    path: StackPath
    case: StackCase | None = None
    news: NewCommits | None = None
    notes: tuple[str, ...] = ()


async def find_stack(
    ctx: Context, forge: Forge, known: StackSurvey, args: ManageStackedPrs, repository: GitRepository
) -> StackFindings:
    """Find the way down, what became of what is below, and what each level must be moved onto."""
    pool = CommitPool(ctx, repository, known.base.ref.repository)
    await pool.fetch_heads([known.base, known.dependent])
    pool.require_head(known.dependent)
    base_past, own_past = await map_concurrently((known.base, known.dependent), lambda pull: read_history(forge, pull))
    path = await trace_path(known, pool, base_past, own_past.bases)
    found = StackFindings(repository=repository, path=path, notes=base_past.notes)
    if path.circle or path.find_index(known.base) < 0:
        return found
    pasts = {known.base.ref.number: base_past} | await _pasts(forge, path.list_below(known.dependent), known.base)
    found = evolve(found, notes=tuple(note for one in pasts.values() for note in one.notes))
    try:
        return await _followed(pool, found, known, pasts, args)
    except PartialFetchUnsupported:
        await refetch_all_files(ctx, repository, pool.tips)
        return await _followed(pool, found, known, pasts, args)


async def _followed(
    pool: CommitPool, found: StackFindings, known: StackSurvey, pasts: Mapping[int, PullHistory], args: ManageStackedPrs
) -> StackFindings:
    """Follow what became of those below, and what each level above the base must be moved onto."""
    path = found.path
    below = path.list_below(known.dependent)
    told = [pull for pull in below if pull.state != "open" or pull.ref == known.base.ref]
    fates = {pull.ref.number: await find_merge_outcome(pool, pull) for pull in told}
    case = StackCase(base=known.base, dependent=known.dependent, outcome=fates[known.base.ref.number])
    above = [pull for pull in path.levels[path.find_index(known.base) + 1 :] if pull.state == "open"]
    if known.dependent.state != "open":
        return evolve(found, case=case)
    foot = await choose_rebase_target(pool, path, fates, above[0], args.onto_base)
    trunk = pool.get_branch_tip(path.levels[0].base.branch) or foot.sha
    known_below = {pull.ref.number: _below(pool, path.list_below(pull), pasts, fates) for pull in above}
    levels = tuple(await plan_moves(pool, above, known_below, trunk, foot))
    gone = pool.is_branch_missing(above[0].base.branch)
    retarget = find_retarget(path, above[0], foot, asked=args.onto_base is not None, gone=gone)
    case = evolve(case, levels=levels, retarget=retarget)
    advice = await _advice(pool, case, foot, args.use_onto)
    if advice is None:
        return evolve(found, case=case)
    return evolve(
        found, case=evolve(case, advice=advice), news=await list_new_commits(pool, advice.moves[0], advice.target)
    )


async def _advice(pool: CommitPool, case: StackCase, foot: RebaseTarget, use_onto: bool | None) -> RestackAdvice | None:  # noqa: FBT001 -- a value, not a switch
    """Say what is moved: all from the lowest on that does not stand where it should."""
    moved = tuple(move for move in case.levels if not move.stands)
    if not moved:
        return None
    at = case.levels.index(moved[0])
    foot = _upon(case.levels[at - 1]) if at else foot
    choice = await choose_rebase(pool, moved[0], foot, use_onto=use_onto)
    open_question = case.abandoned or isinstance(case.outcome.merged, Unknown)
    return RestackAdvice(target=foot, moves=moved, choice=evolve(choice, open=choice.open or open_question))


def _upon(move: PullMove) -> RebaseTarget:
    """Stand on a level that stays where it is."""
    pull = move.pull
    branch = "" if pull.from_fork else pull.head.branch
    return RebaseTarget(ref=pull_ref(pull.ref.number), name=str(pull.ref), sha=move.head, branch=branch)


def _below(
    pool: CommitPool, lower: Sequence[PullRequest], pasts: Mapping[int, PullHistory], fates: Mapping[int, MergeOutcome]
) -> LowerPulls:
    """Gather what is known of those that something stands on, the nearest first."""
    nearest = list(reversed(lower))
    kept = [(pull, fates[pull.ref.number]) for pull in nearest if pull.ref.number in fates]
    return LowerPulls(
        heads=tuple(sha for pull in nearest for sha in pasts[pull.ref.number].heads),
        present=tuple(filter(None, (pool.get_head(pull) for pull in nearest))),
        hidden=any(pasts[pull.ref.number].hidden for pull in lower),
        landed=tuple((pool.get_head(pull), fate.before) for pull, fate in kept if fate.kept and pool.get_head(pull)),
    )


async def _pasts(forge: Forge, pulls: tuple[PullRequest, ...], base: PullRequest) -> dict[int, PullHistory]:
    others = [pull for pull in pulls if pull.ref != base.ref]
    found = await map_concurrently(others, lambda pull: read_history(forge, pull))
    return {pull.ref.number: one for pull, one in zip(others, found, strict=True)}
