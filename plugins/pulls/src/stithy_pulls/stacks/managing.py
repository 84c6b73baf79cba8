"""`manage_stacked_prs`: from two pull requests to the steps that put them in order (PULL-30)."""

from functools import partial

from attrs import evolve

from stithy_core.spi import Context, Unsupported
from stithy_pulls.git.faults import NoGit
from stithy_pulls.git.opening import reading
from stithy_pulls.git.remotes import remote_of
from stithy_pulls.offers import ManageStackedPrs
from stithy_pulls.stacks.answering import answer
from stithy_pulls.stacks.estimates import pace_of
from stithy_pulls.stacks.finding import find
from stithy_pulls.stacks.results import ManagedStack
from stithy_pulls.stacks.steps import Terms, remotes_of
from stithy_pulls.stacks.survey import survey
from stithy_pulls.stacks.without import forge_alone, unstacked


async def manage(ctx: Context, args: ManageStackedPrs) -> ManagedStack:
    """Look at a stack, and say how to put it in order."""
    forge, known = await survey(ctx, args.base_pr, args.dependent_pr)
    terms = Terms(auto_fix=args.auto_fix, max_iterations=args.max_iterations)
    try:
        work = partial(find, ctx, forge, known, args)
        found = await reading(ctx, forge, known.base.ref.repository, work)
    except (NoGit, Unsupported) as fault:
        return forge_alone(known, fault, terms)
    if found.case is None:
        return unstacked(known, found.path, terms, found.notes)
    moved = found.case.moves
    pace = await pace_of(forge, [known.base, *(move.pull for move in moved)])
    home = await remote_of(forge, known.base.ref.repository)
    terms = evolve(terms, pace=pace, home=home, remotes=await remotes_of(forge, moved))
    return answer(known, found, found.case, terms)
