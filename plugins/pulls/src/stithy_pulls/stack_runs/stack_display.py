"""What `stithy stack` prints: the plan as a picture, and the heads that a push would send."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from stithy_core.spi import Unknown, excerpt, format_count
from stithy_pulls.stack_runs.stack_runner import StackRunner
from stithy_pulls.stacks.move_plan import PullMove
from stithy_pulls.stacks.stack_plan import StackPlan


def format_plan(found: Mapping[str, Any], plan: StackPlan, next_step: str = "") -> Iterator[str]:
    """Yield the reason, the picture of the stack, what happens to each pull request, and what to weigh.

    Args:
        found: The answer of the tool.
        plan: The same as records; something is rebased.
        next_step: The command that carries it out; empty if that is done now.
    """
    summary = found["summary"]
    yield f"{summary['reason']} (risk: {summary['risk_level']})"
    yield ""
    yield found["stack_info"]["visualization"]
    yield ""
    for move in plan.case.moves:
        yield f"{move.pull.ref.short} {move.pull.head.branch}: {_describe_move(move, plan)}"
    for row in found.get("dropped", ()):
        if row["why"] != "below":
            yield f"  dropped: {row['sha'][:12]} {excerpt(row['message'], 80)} ({row['why']})"
    for retarget in plan.case.retargets:
        yield f"Before the push, change the base of {retarget.pull.ref} to {retarget.branch}."
    for fact in found.get("rebase_strategy", {}).get("considerations", ()):
        yield f"- {excerpt(fact, 300)}"
    for note in found.get("notes", ()):
        yield f"Note: {excerpt(note, 400)}"
    if next_step:
        yield ""
        yield f"Nothing was changed. To do it: {next_step}"


def _describe_move(move: PullMove, plan: StackPlan) -> str:
    below = next((f"#{one.pull.ref.number}" for one in plan.case.moves if one.pull.ref.number == move.below), "")
    own = format_count(len(move.fork_point.own), "own commit")
    merge = plan.case.advice.find_merge(move) if plan.case.advice else None
    if merge is not None:
        stops = "may stop" if isinstance(merge.outcome, Unknown) else "will stop"
        return f"{own}, {below or move.target.name} is merged in; {_describe_stop(merge.conflicts, stops)}"
    files = dict.fromkeys(path for step in move.steps for path in step.conflicts)
    unsure = any(isinstance(step.outcome, Unknown) for step in move.steps)
    return f"{own} onto {below or move.target.name}; {_describe_stop(files, 'will stop', unsure=unsure)}"


def _describe_stop(files: Iterable[str], stops: str, *, unsure: bool = False) -> str:
    if names := ", ".join(excerpt(path) for path in files):
        return f"{stops} at a conflict in {names}"
    return "may stop at a conflict" if unsure or stops == "may stop" else "no conflict"


def format_heads(runner: StackRunner) -> Iterator[str]:
    """Yield the old and new head of each branch, what is missing in it, and what a push would send."""
    journal = runner.journal
    yield ""
    for move in journal.moves:
        pushed = "" if move.pushed else " (no step pushes it)"
        yield f"#{move.number} {move.branch}: {move.old[:12]} -> {move.new[:12]}{pushed}"
        for missing in runner.list_missing(move):
            yield f"  MISSING in the new head: {missing}"
    for task in journal.tasks:
        yield f"Before the push: {task}"
    for step in journal.steps:
        if step.phase == "push":
            yield f"Will run: {step.line}"
    yield "Nothing was pushed. To push: stithy stack --push   To discard: stithy stack --abort"
