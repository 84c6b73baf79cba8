"""The journal of a run: what is planned, what is done, and what was there before. It is written before each step."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias

from attrs import asdict, define, field

from stithy_core.spi import UserError
from stithy_core.spi.file_replacement import replace_file
from stithy_pulls.stacks.restack_steps import StepPhase

FORMAT = 1

StepState: TypeAlias = Literal["planned", "running", "continuing", "stopped", "failed", "done"]
"""`running` and `continuing` outlive a kill; `stopped` is at a conflict, `failed` at any other error."""

LOCAL: frozenset[StepPhase] = frozenset({"check", "fetch", "move", "store"})


@define
class JournalStep:
    """A shell line of the plan.

    Args:
        phase: What it does.
        line: The line.
        text: What it does, in words.
        number: The pull request that it moves; 0 for other steps.
        state: How far it is.
    """

    phase: StepPhase
    line: str
    text: str
    number: int = 0
    state: StepState = "planned"


@define
class JournalMove:
    """A pull request that is moved.

    Args:
        number: Its number.
        pr: Its name.
        branch: The name of its branch.
        old: Its head before.
        own: The SHAs of the own commits that its new head must have.
        result: The ref that stores its new head.
        pushed: Whether a step pushes it to its branch.
        new: Its new head, once it is stored.
    """

    number: int
    pr: str
    branch: str
    old: str
    own: list[str]
    result: str
    pushed: bool
    new: str = ""


@define
class RunJournal:
    """All about one run.

    Args:
        pr: The pull request that the run was started for.
        asked: What the user called it: the name may lead to another forge without the alias.
        folder: The worktree of the run.
        refs: The prefix of the refs of the run.
        moves: The pull requests that are moved.
        steps: The shell lines in order.
        reversals: Lines that push the old heads.
        go_back: The line that moves the user's own branches back; empty if none is pushed.
        tasks: What a person must do before the push.
        shown: The new heads as they were shown, by number; only these are pushed.
        admin: The git directory of the worktree, for a restore point.
    """

    pr: str
    asked: str
    folder: str
    refs: str
    moves: list[JournalMove]
    steps: list[JournalStep]
    reversals: list[str]
    go_back: str
    tasks: list[str]
    shown: dict[str, str] = field(factory=dict)
    admin: str = ""

    def list_open(self, phases: frozenset[StepPhase]) -> Iterator[JournalStep]:
        """Yield the steps of some phases that are not done."""
        return (step for step in self.steps if step.phase in phases and step.state != "done")

    @property
    def is_local_done(self) -> bool:
        """Whether all steps before the push are done."""
        return not any(self.list_open(LOCAL))

    @property
    def is_push_begun(self) -> bool:
        """Whether a push was started, so that the forge may have new heads."""
        return any(step.phase == "push" and step.state != "planned" for step in self.steps)

    @property
    def is_finished(self) -> bool:
        """Whether every step is done."""
        return all(step.state == "done" for step in self.steps)


@define
class JournalFile:
    """The file of the journal in the common git directory of a clone."""

    path: Path

    def write(self, journal: RunJournal) -> None:
        """Write the journal as a whole: a kill leaves the former one or this."""
        replace_file(self.path, json.dumps({"format": FORMAT, **asdict(journal)}, indent=1).encode())

    def read(self) -> RunJournal | None:
        """Return the journal; None without one.

        Raises:
            UserError: Another version of stithy wrote it, or it is damaged.
        """
        try:
            found = json.loads(self.path.read_bytes())
            return _read_journal(found)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            text = f"the journal {self.path} cannot be read: {error}"
            raise UserError(text, suggestion="Another version of stithy may have written it: use that one.") from error

    def delete(self) -> None:
        """Delete the journal."""
        self.path.unlink(missing_ok=True)


def _read_journal(found: dict[str, Any]) -> RunJournal:
    if found.pop("format") != FORMAT:
        raise ValueError("its format is unknown")
    steps = [JournalStep(**row) for row in found.pop("steps")]
    moves = [JournalMove(**row) for row in found.pop("moves")]
    return RunJournal(steps=steps, moves=moves, **found)
