"""The command `stithy stack`: shows the plan for a stack, and carries it out in the user's clone."""

import re
import shlex
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from stithy_core.spi import Scope, ToolAnswer, UserError
from stithy_pulls.pulls_settings import PullsSettings
from stithy_pulls.stack_runs.clone_lock import hold_clone_lock
from stithy_pulls.stack_runs.journal_creation import create_journal
from stithy_pulls.stack_runs.run_journal import JournalFile, RunJournal
from stithy_pulls.stack_runs.stack_display import format_heads, format_plan
from stithy_pulls.stack_runs.stack_reversal import StackReversal
from stithy_pulls.stack_runs.stack_runner import UNDO_REFS, StackRunner
from stithy_pulls.stack_runs.user_clone import UserClone, open_clone
from stithy_pulls.stacks.stack_plan import PlanStore, create_plan_store

DONE, FAILED, WRONG = 0, 1, 2
TOOL = "manage_stacked_prs"
ACTIONS = ("run", "push", "continue", "abort", "undo")
EPILOG = """\b
Exit codes:
  0  done; nothing to do counts, too
  1  a step stopped at a conflict or an error, or this cannot be done now
  2  the command line or the settings are wrong
"""


@click.command(epilog=EPILOG)
@click.argument("pr", required=False)
@click.option("--merge", is_flag=True, help="Merge the new base into each branch: no force push.")
@click.option("--run", "run", is_flag=True, help="Rebase in a worktree of its own, and show the result.")
@click.option("--push", "push", is_flag=True, help="Push what --run has shown, and clean up.")
@click.option("--continue", "continue", is_flag=True, help="Go on after a conflict, an error or a kill.")
@click.option("--abort", "abort", is_flag=True, help="Discard a run that was not pushed.")
@click.option("--undo", "undo", is_flag=True, help="Restore all branches, also after the push.")
def stack(pr: str | None, *, merge: bool, **actions: bool) -> None:
    """Rebase the pull requests that stand on PR, which was merged, squashed or rewritten.

    Without an option, the plan is shown and nothing is done. PR is owner/repo#123, its URL, or #123 in a clone; the
    other options are about the last run in this clone.
    """


def run(scope: Scope, words: Sequence[str]) -> Awaitable[int]:
    """Read the options, and return the coroutine that returns the exit code."""
    options = stack.make_context("stithy stack", list(words)).params
    chosen = [action for action in ACTIONS if options[action]]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    action, pr = next(iter(chosen), ""), options["pr"]
    if action in {"", "run"} and pr is None:
        raise click.UsageError("a pull request is missing: stithy stack PR")
    if options["merge"] and action not in {"", "run"}:
        raise click.UsageError(f"--merge and --{action} exclude each other: the run has its mode")
    return _perform(scope, action, pr, merge=options["merge"])


async def _perform(scope: Scope, action: str, pr: str | None, *, merge: bool) -> int:
    if action in {"", "run"}:
        assert pr is not None
        return await _plan(scope, pr, carry_out=action == "run", merge=merge)
    with _open_run(scope) as runner:
        if runner is None:
            raise UserError("no run of `stithy stack` is recorded in this clone", suggestion="stithy stack PR --run")
        return await _resume(scope, action, runner)


async def _plan(scope: Scope, pr: str, *, carry_out: bool, merge: bool) -> int:
    """Show the plan, or carry it out."""
    store, answer = await _call_tool(scope, pr, merge=merge)
    plan = store.plan
    if answer.is_error or plan is None or plan.case.advice is None:
        click.echo(answer.text, err=answer.is_error)
        return FAILED if answer.is_error else DONE
    next_step = "" if carry_out else f"stithy stack {_quote(pr)}{' --merge' if merge else ''} --run"
    for line in format_plan(answer.structured, plan, next_step):
        click.echo(line)
    if not carry_out:
        return DONE
    clone = _open_user_clone(scope)
    with hold_clone_lock(_get_path(clone, "lock")) as lock:
        file = JournalFile(_get_path(clone, "json"))
        _check_ended(file.read())
        clone.delete_refs(UNDO_REFS)
        runner = _create_runner(clone, file, create_journal(plan, pr, clone.common), lock)
        file.write(runner.journal)
        return _show_heads(runner)


def _quote(pr: str) -> str:
    """Return a pull request as a shell word: `#12` alone begins a comment."""
    return pr if re.fullmatch(r"[^\W#][\w./:#-]*", pr) else shlex.quote(pr)


def _check_ended(journal: RunJournal | None) -> None:
    if journal is not None and not journal.is_finished:
        ways = "--push or --undo" if journal.is_push_begun else "--continue or --abort"
        text = f"the run for {journal.pr} in this clone is unfinished"
        raise UserError(text, suggestion=f"First: stithy stack {ways}")


async def _resume(scope: Scope, action: str, runner: StackRunner) -> int:
    journal = runner.journal
    if action == "abort":
        StackReversal(runner).cancel()
        click.echo("Discarded. No branch was moved.")
    elif action == "undo":
        if journal.is_push_begun:
            await _check_push_allowed(scope, journal, "restore branches of")
        StackReversal(runner).undo()
        click.echo("Everything is as it was before the run.")
    elif action == "push" or journal.is_push_begun:
        if not journal.shown:
            raise UserError("this run was not shown yet", suggestion="First: stithy stack --continue")
        if any(journal.list_open(frozenset({"push"}))):
            await _check_push_allowed(scope, journal, "push to")
        runner.push()
        click.echo("Pushed. To restore the former heads: stithy stack --undo")
    else:
        return _show_heads(runner)
    return DONE


def _show_heads(runner: StackRunner) -> int:
    """Carry out the steps before the push, and show what it would push."""
    runner.prepare_heads()
    for line in format_heads(runner):
        click.echo(line)
    runner.journal.shown = {str(move.number): move.new for move in runner.journal.moves}
    runner.file.write(runner.journal)
    return DONE


async def _check_push_allowed(scope: Scope, journal: RunJournal, what: str) -> None:
    """Check that the settings of now allow a push.

    Raises:
        UserError: They do not, or cannot be told because the forge does not answer.
    """
    store, answer = await _call_tool(scope, journal.asked)
    if store.config is None:
        raise UserError(answer.text, suggestion="Without an answer of the forge, nothing is pushed.")
    store.config.check_writable()
    if store.config.lockdown:
        text = f"cannot {what} {journal.pr.partition('#')[0]}: lockdown is on for {store.config.alias}"
        raise UserError(text, suggestion="Switch lockdown off, or push by hand: stithy call manage_stacked_prs has it.")


async def _call_tool(scope: Scope, pr: str, *, merge: bool = False) -> tuple[PlanStore, ToolAnswer]:
    store = scope.shared(create_plan_store)
    store.requested = True
    arguments: dict[str, Any] = {"base_pr": pr, "auto_fix": False, "merge": merge}
    return store, await scope.call_tool(TOOL, arguments)


@contextmanager
def _open_run(scope: Scope) -> Iterator[StackRunner | None]:
    """Hold the lock of the clone, and yield its last run; None without one."""
    clone = _open_user_clone(scope)
    with hold_clone_lock(_get_path(clone, "lock")) as lock:
        file = JournalFile(_get_path(clone, "json"))
        journal = file.read()
        yield None if journal is None else _create_runner(clone, file, journal, lock)


def _create_runner(clone: UserClone, file: JournalFile, journal: RunJournal, lock: int) -> StackRunner:
    return StackRunner(clone, file, journal, lock, click.echo)


def _open_user_clone(scope: Scope) -> UserClone:
    program = scope.settings(PullsSettings).git
    if not program:
        text = "the settings switch git off"
        raise UserError(text, suggestion="Set git in [pulls]: the steps are carried out by it.")
    return open_clone(program)


def _get_path(clone: UserClone, ending: str) -> Any:
    return clone.common / f"stithy-stack.{ending}"
