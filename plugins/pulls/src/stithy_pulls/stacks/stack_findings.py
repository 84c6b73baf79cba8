"""Read a stack with git: the path, the outcome of merged levels, and the moves that are needed."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from stithy_core.spi import Context, Forge, PullRequest, Unknown, map_concurrently
from stithy_pulls.conflicts.merge_tree import PartialFetchUnsupported
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.fork_point import LowerPulls
from stithy_pulls.stacks.merge_outcome import MergeOutcome, find_merge_outcome
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget, choose_rebase_target, plan_moves
from stithy_pulls.stacks.rebase_strategy import choose_rebase
from stithy_pulls.stacks.stack_case import NewCommits, RestackAdvice, StackCase, find_retarget, list_new_commits
from stithy_pulls.stacks.stack_links import get_own_branch
from stithy_pulls.stacks.stack_path import StackPath, trace_path
from stithy_pulls.stacks.stack_survey import PullHistory, StackSurvey, read_history
from stithy_pulls.tools import ManageStackedPrs


@frozen(kw_only=True)
class StackFindings:
    """What git found.

    Args:
        repository: The cached repository.
        path: The path down from the upper pull request.
        case: What must be done; None if the two are not stacked, or are stacked in a circle.
        news: The new commits of the branch that the lowest move is rebased onto.
        notes: Further information.
    """

    repository: GitRepository
    path: StackPath
    case: StackCase | None = None
    news: NewCommits | None = None
    notes: tuple[str, ...] = ()


async def find_stack(
    ctx: Context, forge: Forge, survey: StackSurvey, args: ManageStackedPrs, repository: GitRepository
) -> StackFindings:
    """Find the path down, what happened to lower pull requests, and what each level is rebased onto."""
    pool = CommitPool(ctx, repository, survey.base.ref.repository)
    await pool.fetch_heads([survey.base, survey.dependent])
    pool.require_head(survey.dependent)
    base_past, own_past = await map_concurrently(
        (survey.base, survey.dependent), lambda pull: read_history(forge, pull)
    )
    path = await trace_path(survey, pool, base_past, own_past.bases)
    found = StackFindings(repository=repository, path=path, notes=base_past.notes)
    if path.circle or path.find_index(survey.base) < 0:
        return found
    histories = {survey.base.ref.number: base_past} | await _read_histories(
        forge, path.list_below(survey.dependent), survey.base
    )
    found = evolve(found, notes=tuple(note for one in histories.values() for note in one.notes))
    try:
        return await _follow_levels(pool, found, survey, histories, args)
    except PartialFetchUnsupported:
        await pool.refetch_all_files()
        return await _follow_levels(pool, found, survey, histories, args)


async def _follow_levels(
    pool: CommitPool,
    found: StackFindings,
    survey: StackSurvey,
    histories: Mapping[int, PullHistory],
    args: ManageStackedPrs,
) -> StackFindings:
    """Find the outcome of lower pull requests, and what each level above the base is rebased onto."""
    path = found.path
    below = path.list_below(survey.dependent)
    settled = [pull for pull in below if pull.state != "open" or pull.ref == survey.base.ref]
    outcomes = {pull.ref.number: await find_merge_outcome(pool, pull) for pull in settled}
    case = StackCase(base=survey.base, dependent=survey.dependent, outcome=outcomes[survey.base.ref.number])
    above = [pull for pull in path.levels[path.find_index(survey.base) + 1 :] if pull.state == "open"]
    if survey.dependent.state != "open":
        return evolve(found, case=case)
    target = await choose_rebase_target(pool, path, outcomes, above[0], args.onto_base)
    trunk = pool.get_branch_tip(path.levels[0].base.branch) or target.sha
    lower_pulls = {pull.ref.number: _describe_lower(pool, path.list_below(pull), histories, outcomes) for pull in above}
    levels = tuple(await plan_moves(pool, above, lower_pulls, trunk, target))
    gone = pool.is_branch_missing(above[0].base.branch)
    retarget = find_retarget(path, above[0], target, requested=args.onto_base is not None, gone=gone)
    case = evolve(case, levels=levels, retarget=retarget)
    advice = await _create_advice(pool, case, target, use_onto=args.use_onto)
    if advice is None:
        return evolve(found, case=case)
    return evolve(
        found, case=evolve(case, advice=advice), news=await list_new_commits(pool, advice.moves[0], advice.target)
    )


async def _create_advice(
    pool: CommitPool, case: StackCase, target: RebaseTarget, *, use_onto: bool | None
) -> RestackAdvice | None:
    """Return what is rebased: everything from the lowest level that is not on its target."""
    moved = tuple(move for move in case.levels if not move.stands)
    if not moved:
        return None
    at = case.levels.index(moved[0])
    target = _target_level(case.levels[at - 1]) if at else target
    choice = await choose_rebase(pool, moved[0], target, use_onto=use_onto)
    open_question = case.abandoned or isinstance(case.outcome.merged, Unknown)
    return RestackAdvice(target=target, moves=moved, choice=evolve(choice, open=choice.open or open_question))


def _target_level(move: PullMove) -> RebaseTarget:
    """Return a level that stays in place as the target."""
    pull = move.pull
    return RebaseTarget(source=move.source, name=str(pull.ref), sha=move.head, branch=get_own_branch(pull))


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
