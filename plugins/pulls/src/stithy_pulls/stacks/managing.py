"""`manage_stacked_prs`: from two pull requests to the steps that put them in order (PULL-30)."""

from functools import partial

from attrs import evolve

from stithy_core.spi import Context, Unsupported
from stithy_pulls.git.faults import GitError
from stithy_pulls.git.opening import with_repository
from stithy_pulls.git.remotes import find_remote
from stithy_pulls.offers import ManageStackedPrs
from stithy_pulls.stacks.answering import build_answer
from stithy_pulls.stacks.estimates import measure_ci_duration
from stithy_pulls.stacks.finding import find_stack
from stithy_pulls.stacks.results import ManagedStack
from stithy_pulls.stacks.steps import StepTerms, find_remotes
from stithy_pulls.stacks.survey import survey_stack
from stithy_pulls.stacks.without import answer_stack_from_forge, answer_unstacked


async def manage_stack(ctx: Context, args: ManageStackedPrs) -> ManagedStack:
    """Look at a stack, and say how to put it in order."""
    forge, known = await survey_stack(ctx, args.base_pr, args.dependent_pr)
    terms = StepTerms(auto_fix=args.auto_fix, max_iterations=args.max_iterations)
    try:
        work = partial(find_stack, ctx, forge, known, args)
        found = await with_repository(ctx, forge, known.base.ref.repository, work)
    except (GitError, Unsupported) as fault:
        return answer_stack_from_forge(known, fault, terms)
    if found.case is None:
        return answer_unstacked(known, found.path, terms, found.notes)
    moved = found.case.moves
    pace = await measure_ci_duration(forge, [known.base, *(move.pull for move in moved)])
    home = await find_remote(forge, known.base.ref.repository)
    terms = evolve(terms, pace=pace, home=home, remotes=await find_remotes(forge, moved))
    return build_answer(known, found, found.case, terms)
