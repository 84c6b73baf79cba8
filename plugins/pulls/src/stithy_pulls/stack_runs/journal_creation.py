"""Turn the plan of a stack into the journal of a run."""

from pathlib import Path

from stithy_core.spi import excerpt
from stithy_pulls.stack_runs.run_journal import JournalMove, JournalStep, RunJournal
from stithy_pulls.stacks.move_plan import PullMove
from stithy_pulls.stacks.restack_steps import StepScript, build_script, list_push_reversals, list_pushed
from stithy_pulls.stacks.restack_worktree import plan_worktree
from stithy_pulls.stacks.stack_plan import StackPlan
from stithy_pulls.stacks.stack_results import StackCommand


def create_journal(plan: StackPlan, asked: str, common: Path) -> RunJournal:
    """Return the journal of a run that has not begun.

    Args:
        plan: What must be done; something is rebased.
        asked: What the user called the pull request.
        common: The common git directory of the clone.
    """
    advice = plan.case.advice
    assert advice is not None
    place, pushed = plan_worktree(advice.moves), list_pushed(advice, plan.terms)
    script = build_script(plan.case, plan.terms)
    moves = {move.pull.ref.number: move for move in advice.moves}
    return RunJournal(
        pr=plan.base,
        asked=asked,
        folder=str(common / f"stithy-{place.name}"),
        refs=f"refs/stithy/{place.name}",
        moves=[_create_move(move, place.result(move), pushed=move in pushed) for move in moves.values()],
        steps=_create_steps(script, list(moves)),
        reversals=list(list_push_reversals(advice, plan.terms)),
        go_back=place.go_back(pushed) if pushed else "",
        tasks=[_format_task(row) for row in script.rows if row.type == "verification"],
    )


def _create_move(move: PullMove, result: str, *, pushed: bool) -> JournalMove:
    return JournalMove(
        number=move.pull.ref.number,
        pr=str(move.pull.ref),
        branch=move.pull.head.branch,
        old=move.head,
        own=[step.entry.sha for step in move.list_steps() if step.outcome != "empty"],
        result=result,
        pushed=pushed,
    )


def _create_steps(script: StepScript, numbers: list[int]) -> list[JournalStep]:
    """Return the shell lines; those of the moves follow each other, two for each."""
    steps, order = [], iter(number for number in numbers for _ in ("move", "store"))
    for row, phase in zip(script.rows, script.phases, strict=True):
        if phase:
            number = next(order) if phase in {"move", "store"} else 0
            steps.append(JournalStep(phase=phase, line=row.command, text=row.description, number=number))
    return steps


def _format_task(row: StackCommand) -> str:
    return excerpt(row.command.removeprefix("// "), 400)
