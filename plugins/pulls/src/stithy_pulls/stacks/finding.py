"""What git finds of a stack."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from stithy_core.spi import Context, Forge, PullRequest, Unknown, map_concurrently
from stithy_pulls.conflicts.merging import Unfetched
from stithy_pulls.git.fetching import fetch_whole, pull_ref
from stithy_pulls.git.repository import Repository
from stithy_pulls.offers import ManageStackedPrs
from stithy_pulls.stacks.case import Advice, Case, retarget_of
from stithy_pulls.stacks.changes import News, news_of
from stithy_pulls.stacks.ground import Ground
from stithy_pulls.stacks.merges import Fate, fate_of
from stithy_pulls.stacks.path import Path, climb
from stithy_pulls.stacks.plan import Footing, Move, footing, moves
from stithy_pulls.stacks.strategy import choose
from stithy_pulls.stacks.survey import Past, Survey, past
from stithy_pulls.stacks.upstream import Below


@frozen(kw_only=True)
class Findings:
    """What git found.

    Args:
        repository: The cache that was read.
        path: The way down from the dependent pull request.
        case: What is to be done; None where it does not stand on the base, or in a circle.
        news: What is new where the lowest that is moved is to stand.
        notes: What else somebody should know.
    """

    repository: Repository
    path: Path
    case: Case | None = None
    news: News | None = None
    notes: tuple[str, ...] = ()


async def find(ctx: Context, forge: Forge, known: Survey, args: ManageStackedPrs, repository: Repository) -> Findings:
    """Find the way down, what became of what is below, and what each level must be moved onto."""
    ground = Ground(ctx, repository, known.base.ref.repository)
    await ground.gather([known.base, known.dependent])
    ground.needed(known.dependent)
    base_past, own_past = await map_concurrently((known.base, known.dependent), lambda pull: past(forge, pull))
    path = await climb(known, ground, base_past, own_past.bases)
    found = Findings(repository=repository, path=path, notes=base_past.notes)
    if path.circle or path.place(known.base) < 0:
        return found
    pasts = {known.base.ref.number: base_past} | await _pasts(forge, path.below(known.dependent), known.base)
    found = evolve(found, notes=tuple(note for one in pasts.values() for note in one.notes))
    try:
        return await _followed(ground, found, known, pasts, args)
    except Unfetched:
        await fetch_whole(ctx, repository, ground.tips)
        return await _followed(ground, found, known, pasts, args)


async def _followed(
    ground: Ground, found: Findings, known: Survey, pasts: Mapping[int, Past], args: ManageStackedPrs
) -> Findings:
    """Follow what became of those below, and what each level above the base must be moved onto."""
    path = found.path
    below = path.below(known.dependent)
    told = [pull for pull in below if pull.state != "open" or pull.ref == known.base.ref]
    fates = {pull.ref.number: await fate_of(ground, pull) for pull in told}
    case = Case(base=known.base, dependent=known.dependent, fate=fates[known.base.ref.number])
    above = [pull for pull in path.levels[path.place(known.base) + 1 :] if pull.state == "open"]
    if known.dependent.state != "open":
        return evolve(found, case=case)
    foot = await footing(ground, path, fates, above[0], args.onto_base)
    trunk = ground.branch(path.levels[0].base.branch) or foot.sha
    known_below = {pull.ref.number: _below(ground, path.below(pull), pasts, fates) for pull in above}
    levels = tuple(await moves(ground, above, known_below, trunk, foot))
    gone = ground.lacks(above[0].base.branch)
    retarget = retarget_of(path, above[0], foot, asked=args.onto_base is not None, gone=gone)
    case = evolve(case, levels=levels, retarget=retarget)
    advice = await _advice(ground, case, foot, args.use_onto)
    if advice is None:
        return evolve(found, case=case)
    return evolve(found, case=evolve(case, advice=advice), news=await news_of(ground, advice.moves[0], advice.foot))


async def _advice(ground: Ground, case: Case, foot: Footing, use_onto: bool | None) -> Advice | None:  # noqa: FBT001 -- a value, not a switch
    """Say what is moved: all from the lowest on that does not stand where it should."""
    moved = tuple(move for move in case.levels if not move.stands)
    if not moved:
        return None
    at = case.levels.index(moved[0])
    foot = _upon(case.levels[at - 1]) if at else foot
    choice = await choose(ground, moved[0], foot, use_onto=use_onto)
    open_question = case.abandoned or isinstance(case.fate.merged, Unknown)
    return Advice(foot=foot, moves=moved, choice=evolve(choice, open=choice.open or open_question))


def _upon(move: Move) -> Footing:
    """Stand on a level that stays where it is."""
    pull = move.pull
    branch = "" if pull.from_fork else pull.head.branch
    return Footing(ref=pull_ref(pull.ref.number), name=str(pull.ref), sha=move.head, branch=branch)


def _below(ground: Ground, lower: Sequence[PullRequest], pasts: Mapping[int, Past], fates: Mapping[int, Fate]) -> Below:
    """Gather what is known of those that something stands on, the nearest first."""
    nearest = list(reversed(lower))
    kept = [(pull, fates[pull.ref.number]) for pull in nearest if pull.ref.number in fates]
    return Below(
        heads=tuple(sha for pull in nearest for sha in pasts[pull.ref.number].heads),
        present=tuple(filter(None, (ground.head(pull) for pull in nearest))),
        hidden=any(pasts[pull.ref.number].hidden for pull in lower),
        landed=tuple((ground.head(pull), fate.before) for pull, fate in kept if fate.kept and ground.head(pull)),
    )


async def _pasts(forge: Forge, pulls: tuple[PullRequest, ...], base: PullRequest) -> dict[int, Past]:
    others = [pull for pull in pulls if pull.ref != base.ref]
    found = await map_concurrently(others, lambda pull: past(forge, pull))
    return {pull.ref.number: one for pull, one in zip(others, found, strict=True)}
