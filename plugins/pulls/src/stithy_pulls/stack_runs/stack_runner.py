"""Carries out the steps of a journal: the local ones, and after they were shown, the push and the clean-up."""

import shlex
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from attrs import define

from stithy_core.spi import UserError, format_count
from stithy_pulls.stack_runs.restore_point import RestorePoint
from stithy_pulls.stack_runs.run_journal import LOCAL, JournalFile, JournalMove, JournalStep, RunJournal
from stithy_pulls.stack_runs.user_clone import ShellOutcome, UserClone
from stithy_pulls.stacks.restack_steps import StepPhase
from stithy_pulls.stacks.restack_worktree import CONFIGURED

UNDO_REFS = "refs/stithy/undo"
"""Old heads, which nothing else may have after a push: `--undo` needs their commits."""

IN_WORKTREE: frozenset[StepPhase] = frozenset({"move", "store"})
FINISHING: frozenset[StepPhase] = frozenset({"follow", "clean"})

INTERRUPTED = {130, 137, 141, 143}
"""What a shell returns if a signal ended its command. git returns 128 for an error."""

CONTINUE = {
    "rebase-merge": (*CONFIGURED, "rebase", "--continue"),
    "rebase-apply": (*CONFIGURED, "rebase", "--continue"),
    "sequencer": ("cherry-pick", "--continue"),
    "CHERRY_PICK_HEAD": ("cherry-pick", "--continue"),
    "MERGE_HEAD": ("commit", "--no-edit", "--no-verify"),
}
"""The files that show an unfinished operation, in this order, and how git continues it."""


class StepStopped(UserError):
    """A step ended at a conflict or an error; the journal has what was done."""


@define
class StackRunner:
    """One run in a clone, whose lock is held.

    Args:
        clone: The clone.
        file: The file of the journal.
        journal: The run.
        lock: The descriptor of the lock.
        say: Prints a line.
    """

    clone: UserClone
    file: JournalFile
    journal: RunJournal
    lock: int
    say: Callable[[str], None]

    @property
    def worktree(self) -> Path:
        """The worktree of the run."""
        return Path(self.journal.folder)

    @property
    def restore_point(self) -> RestorePoint:
        """The copy of what git knows of the worktree."""
        return RestorePoint(self.clone, self.clone.common / "stithy-restore", self.worktree)

    def prepare_heads(self) -> None:
        """Carry out all steps before the push that are not done.

        Raises:
            StepStopped: A step ended at a conflict or an error.
        """
        for step in list(self.journal.list_open(LOCAL)):
            if step.state in {"stopped", "continuing"}:
                self._continue_step(step)
            else:
                self._run_step(step)

    def push(self) -> None:
        """Push the new heads, then move the user's own branches and remove the worktree.

        Raises:
            StepStopped: A step failed.
            UserError: A new head is not the one that was shown.
        """
        steps = list(self.journal.list_open(frozenset({"push"})))
        if steps:
            self.check_shown()
        for step in steps:
            self._run_step(step)
        self.finish()

    def finish(self) -> None:
        """Carry out the steps after the push."""
        for step in list(self.journal.list_open(FINISHING)):
            if step.phase == "clean" and step.state != "planned":  # its line does not expect a part of it to be done
                self.remove_worktree()
                self._record(step, "done")
            else:
                self._run_step(step)
        self.restore_point.discard()

    def check_shown(self) -> None:
        """Check that what is pushed was shown.

        Raises:
            UserError: It was not.
        """
        for move in self.journal.moves:
            if self.clone.find_ref(move.result) != self.journal.shown.get(str(move.number)):
                text = f"the new head of {move.pr} is not the one that was shown"
                raise UserError(text, suggestion="Show it again: stithy stack --continue.")

    def pin_old_heads(self) -> None:
        """Keep the old heads, whatever happens to the branches."""
        self.clone.store_refs({f"{UNDO_REFS}/{move.number}": move.old for move in self.journal.moves})

    def remove_worktree(self) -> None:
        """Remove the worktree and the refs of the run, however much of them exists."""
        if self.worktree.exists():
            done = self.clone.run_git("worktree", "remove", "--force", "--force", str(self.worktree))
            if done.status:  # a kill left only a part of it
                shutil.rmtree(self.worktree)
        self.clone.read("worktree", "prune")
        self.clone.delete_refs(self.journal.refs)

    def _record(self, step: JournalStep, state: str) -> None:
        step.state = state  # type: ignore[assignment]
        self.file.write(self.journal)

    def _run_step(self, step: JournalStep) -> None:
        """Run a step; one that was killed begins again from where it began."""
        if step.state == "running":
            self._reset_step(step)
        if step.phase in IN_WORKTREE:
            self.journal.admin = self.restore_point.take()
        self._record(step, "running")
        self.say(f"{step.text.partition(';')[0]} …")
        self._end_step(step, self.clone.run_line(step.line, self.lock))

    def _reset_step(self, step: JournalStep) -> None:
        if step.phase == "fetch":
            self.remove_worktree()
        elif step.phase in IN_WORKTREE:
            self.restore_point.restore(self.journal.admin)
        if step.phase == "store":
            self.clone.delete_refs(self._get_move(step).result)

    def _end_step(self, step: JournalStep, done: ShellOutcome) -> None:
        if done.status < 0 or done.status in INTERRUPTED:  # the step begins again, as after a kill
            what = "stithy stack --continue, or --abort" if step.phase in LOCAL else "stithy stack --push, or --undo"
            raise StepStopped(f"this step was interrupted: {step.text}", suggestion=what)
        if done.status:
            operation = self._find_operation() if step.phase == "move" else ""
            self._record(step, "stopped" if operation else "failed")
            raise self._create_stop(step, done, operation)
        if step.phase == "fetch":
            self.pin_old_heads()
        if step.phase == "store":
            self._store_head(self._get_move(step), done)
        if step.phase == "follow" and done.text.strip():
            self.say(done.text.strip())
        self._record(step, "done")

    def _create_stop(self, step: JournalStep, done: ShellOutcome, operation: str) -> StepStopped:
        if not operation:
            again = "--push" if step.phase in {"push", *FINISHING} else "--continue"
            what = f"Correct the cause, then: stithy stack {again}"
            return StepStopped(f"this step failed: {step.text}\n{done.text.strip()}", suggestion=what)
        files = self._list_unmerged()
        name = self._get_move(step).pr
        text = f"{name} has {format_count(len(files), 'file')} with conflicts: {', '.join(files)}"
        what = (
            f"In {self.worktree}: resolve them and `git add` each, then: stithy stack --continue\n"
            "To discard everything: stithy stack --abort"
        )
        return StepStopped(text if files else f"{name} stopped: {done.text.strip()}", suggestion=what)

    def _continue_step(self, step: JournalStep) -> None:
        """Continue an operation of git after a person resolved its conflicts."""
        if step.state == "continuing":
            self.restore_point.restore(self.journal.admin)
        operation = self._find_operation()
        if not operation:
            return self._accept_finished(step)
        if files := self._list_unmerged():
            text = f"conflicts are not resolved: {', '.join(files)}"
            raise StepStopped(text, suggestion=f"In {self.worktree}: `git add` each, then: stithy stack --continue")
        self.journal.admin = self.restore_point.take()
        self._record(step, "continuing")
        self.say(f"Continue: {step.text.partition(';')[0]} …")
        line = shlex.join(("git", *self._choose_continuation(operation)))
        done = self.clone.run_line(line, self.lock, self.worktree)
        return self._end_step(step, done)

    def _choose_continuation(self, operation: str) -> tuple[str, ...]:
        """Return how git continues. A pick whose change is already there is skipped, as a rebase does by itself."""
        words = CONTINUE[operation]
        is_empty = not self.clone.run_git("diff", "--cached", "--quiet", "HEAD", folder=self.worktree).status
        return ("cherry-pick", "--skip") if words[0] == "cherry-pick" and is_empty else words

    def _accept_finished(self, step: JournalStep) -> None:
        """Record a step that a person finished with git itself; one that they cancelled runs again."""
        move = self._get_move(step)
        if self.clone.read("rev-parse", "HEAD", folder=self.worktree) == move.old:
            step.state = "planned"
            return self._run_step(step)
        return self._record(step, "done")  # the next step checks that it stands on its new base

    def _find_operation(self) -> str:
        """Return the file that shows an unfinished rebase, cherry-pick or merge; empty without one."""
        admin = Path(self.clone.read("rev-parse", "--absolute-git-dir", folder=self.worktree))
        return next((name for name in CONTINUE if (admin / name).exists()), "")

    def _list_unmerged(self) -> list[str]:
        text = self.clone.read("diff", "--name-only", "-z", "--diff-filter=U", folder=self.worktree)
        return list(filter(None, text.split("\0")))

    def _store_head(self, move: JournalMove, done: ShellOutcome) -> None:
        move.new = self.clone.find_ref(move.result)
        self.say(done.text.rstrip())

    def _get_move(self, step: JournalStep) -> JournalMove:
        return next(move for move in self.journal.moves if move.number == step.number)

    def list_missing(self, move: JournalMove) -> list[str]:
        """Return the own commits of which the new head has no version, each as SHA and subject.

        A rebase keeps author, time and subject. A person may have left one out while resolving a conflict.
        """
        line = "--format=%an%x00%ae%x00%at%x00%s"
        rows = Counter(self.clone.read("log", line, move.new, "--not", move.old).split("\n"))
        missing = []
        for sha in move.own:
            if not self.clone.run_git("merge-base", "--is-ancestor", sha, move.new).status:
                continue
            identity = self.clone.read("show", "-s", line, sha)
            if not rows[identity]:
                missing.append(f"{sha[:12]} {identity.rpartition(chr(0))[2]}")
            rows[identity] -= 1
        return missing
