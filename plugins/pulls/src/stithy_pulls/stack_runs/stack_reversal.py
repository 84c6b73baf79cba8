"""Cancels a run before its push, and undoes one after it: everything is as the journal has it from before."""

from attrs import define

from stithy_core.spi import UserError
from stithy_pulls.stack_runs.stack_runner import UNDO_REFS, StackRunner


@define
class StackReversal:
    """The end of a run that is not wanted. Each part can be repeated after a kill."""

    runner: StackRunner

    def cancel(self) -> None:
        """Remove everything that the run created.

        Raises:
            UserError: It may have pushed.
        """
        if self.runner.journal.is_push_begun:
            text = f"the run for {self.runner.journal.pr} has pushed, or tried to"
            raise UserError(text, suggestion="To restore the branches: stithy stack --undo")
        self._remove_all()

    def undo(self) -> None:
        """Restore the branches of the forge, then the user's own ones, and remove everything that the run created.

        Raises:
            UserError: The forge refuses, because somebody pushed after the run or does not allow it. Then nothing local
                was changed.
        """
        journal, runner = self.runner.journal, self.runner
        if journal.is_push_begun:
            if not journal.reversals:
                text = "the push cannot be undone: it made new versions of pull requests"
                raise UserError(text, suggestion="The forge keeps the former versions: choose them there.")
            self._restore_refs()
            for line in journal.reversals:
                done = runner.clone.run_line(line, runner.lock)
                if done.status:
                    text = f"the branches of the forge cannot be restored:\n{done.text.strip()}"
                    raise UserError(text, suggestion="If somebody pushed after the run, their commits are kept.")
                runner.say(done.text.strip())
            if journal.go_back and (text := runner.clone.run_line(journal.go_back, runner.lock).text.strip()):
                runner.say(text)
        self._remove_all()

    def _restore_refs(self) -> None:
        """Store the new heads again: the lines read them, and the last step of a run removed them."""
        self.runner.clone.store_refs({move.result: move.new for move in self.runner.journal.moves})

    def _remove_all(self) -> None:
        self.runner.remove_worktree()
        self.runner.clone.delete_refs(UNDO_REFS)
        self.runner.restore_point.discard()
        self.runner.file.delete()
