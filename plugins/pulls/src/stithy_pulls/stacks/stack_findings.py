"""Read a stack with git: the path, the outcome of merged levels, and the moves that are needed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from attrs import evolve, frozen

from stithy_core.spi import Context, Forge, PullRequest, Unknown, map_concurrently
from stithy_pulls.conflicts.merge_tree import PartialFetchUnsupported
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.fork_point import LowerPulls
from stithy_pulls.stacks.merge_outcome import MergeOutcome, find_merge_outcome
from stithy_pulls.stacks.merge_plan import plan_merges
from stithy_pulls.stacks.move_plan import OpenLevel, RebaseTarget, choose_rebase_target, plan_moves
from stithy_pulls.stacks.rebase_strategy import RebaseChoice, choose_rebase
from stithy_pulls.stacks.stack_case import (
    NewCommits,
    RestackAdvice,
    Retarget,
    StackCase,
    find_retarget,
    list_new_commits,
)
from stithy_pulls.stacks.stack_links import have_same_branch
from stithy_pulls.stacks.stack_path import StackPath, trace_path
from stithy_pulls.stacks.stack_survey import PullHistory, StackSurvey, read_history
from stithy_pulls.stacks.upstack import trace_upstack
from stithy_pulls.tools import ManageStackedPrs


@frozen(kw_only=True)
class StackFindings:
    """What git found.

    Args:
        repository: The cached repository.
        survey: The pull requests from the API; the upper one may have been found by git.
        paths: The path down from the upper pull request, then those from others that stand on the base.
        case: What must be done; None if the two are not stacked, or are stacked in a circle.
        news: The new commits of the branch that the lowest move is rebased onto.
        notes: Further information.
    """

    repository: GitRepository
    survey: StackSurvey
    paths: tuple[StackPath, ...]
    case: StackCase | None = None
    news: NewCommits | None = None
    notes: tuple[str, ...] = ()

    @property
    def path(self) -> StackPath:
        """The path down from the upper pull request."""
        return self.paths[0]

    def list_below(self) -> tuple[PullRequest, ...]:
        """Return all pull requests that another one of the stack stands on, the lowest first."""
        below = [pull for path in self.paths for pull in path.levels[:-1]]
        return tuple({pull.ref.number: pull for pull in below}.values())


async def find_stack(
    ctx: Context, forge: Forge, survey: StackSurvey, args: ManageStackedPrs, repository: GitRepository
) -> StackFindings:
    """Find the paths down, what happened to lower pull requests, and what each level is rebased onto."""
    pool = CommitPool(ctx, repository, survey.base.ref.repository)
    found, base_past = await _find_paths(pool, forge, survey, upstack=args.upstack or not survey.named)
    base = found.survey.base
    if found.path.circle or found.survey.upper is None or found.path.find_index(base) < 0:
        return found
    histories = {base.ref.number: base_past} | await _read_histories(forge, found.list_below(), base)
    notes = (note for one in histories.values() for note in one.notes)
    found = evolve(found, notes=tuple(dict.fromkeys((*found.notes, *notes))))
    try:
        return await _follow_levels(pool, found, histories, args)
    except PartialFetchUnsupported:
        await pool.refetch_all_files()
        return await _follow_levels(pool, found, histories, args)


async def _find_paths(
    pool: CommitPool, forge: Forge, survey: StackSurvey, *, upstack: bool
) -> tuple[StackFindings, PullHistory]:
    """Return the path of the upper pull request, those of all others on the base if requested, and the base's past."""
    pulls = [survey.base] if survey.upper is None else [survey.base, survey.upper]
    await pool.fetch_heads(pulls)
    pool.require_head(survey.dependent)
    base_past, *own_past = await map_concurrently(pulls, lambda pull: read_history(forge, pull))
    paths, notes = list[StackPath](), base_past.notes
    if own_past:
        paths.append(await trace_path(survey, pool, base_past, own_past[0].bases))
    if upstack and not any(path.circle for path in paths):
        others, more = await trace_upstack(survey, pool, base_past)
        paths += [path for path in others if not any(one.find_index(path.levels[-1]) >= 0 for one in paths)]
        notes = (*notes, *more)
    if not survey.named and paths:
        survey = evolve(survey, dependent=paths[0].levels[-1])
    found = tuple(paths) or (StackPath(levels=(survey.base,), found={}),)
    return StackFindings(repository=pool.repository, survey=survey, paths=found, notes=notes), base_past


async def _follow_levels(
    pool: CommitPool, found: StackFindings, histories: Mapping[int, PullHistory], args: ManageStackedPrs
) -> StackFindings:
    """Find the outcome of lower pull requests, and what each level above the base is rebased onto."""
    base, dependent = found.survey.base, found.survey.dependent
    settled = [pull for pull in found.list_below() if pull.state != "open" or pull.ref == base.ref]
    outcomes = {pull.ref.number: await find_merge_outcome(pool, pull) for pull in settled}
    case = StackCase(base=base, dependent=dependent, outcome=outcomes[base.ref.number])
    if dependent.state != "open" and len(found.paths) == 1:
        return evolve(found, case=case)
    levels, retargets = await _list_levels(pool, found, histories, outcomes, args.onto_base)
    moves = await plan_moves(pool, levels)
    case = evolve(case, levels=moves, retargets=retargets)
    advice = await (_plan_merges(pool, case) if args.merge else _create_advice(pool, case, use_onto=args.use_onto))
    if advice is None:
        return evolve(found, case=case)
    return evolve(found, case=evolve(case, advice=advice), news=await list_new_commits(pool, advice.moves[0]))


def _list_open_above(path: StackPath, base: PullRequest) -> list[PullRequest]:
    return [pull for pull in path.levels[path.find_index(base) + 1 :] if pull.state == "open"]


async def _list_levels(
    pool: CommitPool,
    found: StackFindings,
    histories: Mapping[int, PullHistory],
    outcomes: Mapping[int, MergeOutcome],
    onto_base: str | None,
) -> tuple[list[OpenLevel], tuple[Retarget, ...]]:
    """Return the open pull requests above the base, each after the one below, and those that need another base."""
    base, describe = found.survey.base, partial(_describe_lower, pool, histories=histories, outcomes=outcomes)
    levels: dict[int, OpenLevel] = {}
    twins: dict[int, int] = {}
    retargets = []
    for path in found.paths:
        lowest = next(iter(_list_open_above(path, base)), None)
        if lowest is None:
            continue
        known = levels.get(lowest.ref.number)
        target = known.target if known else await choose_rebase_target(pool, path, outcomes, lowest, onto_base)
        assert target is not None  # the lowest one of each path has a target
        if known is None:
            gone = pool.is_branch_missing(lowest.base.branch)
            retargets.append(find_retarget(path, lowest, target, requested=onto_base is not None, gone=gone))
        for level in _follow_path(pool, path, base, target, describe):
            number = level.pull.ref.number
            twin = next((at for at, one in levels.items() if have_same_branch(one.pull, level.pull)), number)
            twins[number] = twin  # two pull requests of one branch move together
            levels.setdefault(twin, evolve(level, below=twins.get(level.below, level.below)))
    return [*levels.values()], tuple(one for one in retargets if one is not None)


def _follow_path(
    pool: CommitPool,
    path: StackPath,
    base: PullRequest,
    target: RebaseTarget,
    describe: Callable[[tuple[PullRequest, ...]], LowerPulls],
) -> Iterator[OpenLevel]:
    """Yield the open pull requests of a path above the base, the lowest first."""
    trunk = pool.get_branch_tip(path.levels[0].base.branch) or target.sha
    below = 0
    for pull in _list_open_above(path, base):
        lower = evolve(describe(path.list_below(pull)), trunk=trunk)
        yield OpenLevel(pull=pull, below=below, target=None if below else target, lower=lower)
        below = pull.ref.number


async def _create_advice(pool: CommitPool, case: StackCase, *, use_onto: bool | None) -> RestackAdvice | None:
    """Return what is rebased: everything from the lowest levels that are not on their targets."""
    moved = tuple(move for move in case.levels if not move.stands)
    if not moved:
        return None
    choice = await choose_rebase(pool, moved[0], moved[0].target, use_onto=use_onto)
    open_question = case.abandoned or isinstance(case.outcome.merged, Unknown)
    return RestackAdvice(moves=moved, choice=evolve(choice, open=choice.open or open_question))


async def _plan_merges(pool: CommitPool, case: StackCase) -> RestackAdvice | None:
    """Return what is merged where: everything from the lowest branches that do not have their targets."""
    merges = await plan_merges(pool, [move for move in case.levels if not move.stands])
    if not merges:
        return None
    numbers = {merge.number for merge in merges}
    moves = tuple(evolve(move, steps=()) for move in case.levels if move.pull.ref.number in numbers)
    reason = (
        f"As merge requests: {moves[0].target.name} is merged into each branch, the lowest first; nothing is rewritten."
    )
    choice = RebaseChoice(way="merge", open=case.abandoned, replayed=0, plain_stops=0, own_stops=0, reason=reason)
    return RestackAdvice(moves=moves, choice=choice, merges=merges)


def _describe_lower(
    pool: CommitPool,
    lower: Sequence[PullRequest],
    histories: Mapping[int, PullHistory],
    outcomes: Mapping[int, MergeOutcome],
) -> LowerPulls:
    """Return what is known of the pull requests below, the nearest first."""
    nearest = list(reversed(lower))
    kept = [(pull, outcomes[pull.ref.number]) for pull in nearest if pull.ref.number in outcomes]
    return LowerPulls(
        heads=tuple(sha for pull in nearest for sha in histories[pull.ref.number].heads),
        present=tuple(filter(None, (pool.get_head(pull) for pull in nearest))),
        hidden=any(histories[pull.ref.number].hidden for pull in lower),
        landed=tuple(
            (pool.get_head(pull), outcome.before) for pull, outcome in kept if outcome.kept and pool.get_head(pull)
        ),
    )


async def _read_histories(forge: Forge, pulls: tuple[PullRequest, ...], base: PullRequest) -> dict[int, PullHistory]:
    others = [pull for pull in pulls if pull.ref != base.ref]
    found = await map_concurrently(others, lambda pull: read_history(forge, pull))
    return {pull.ref.number: one for pull, one in zip(others, found, strict=True)}
