"""The result of `manage_stacked_prs`: the schema of PULL-31, with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, Page, Unknown, excerpt
from stithy_pulls.stacks.fork_point import DropReason
from stithy_pulls.stacks.merge_outcome import Confidence, MergeMethod
from stithy_pulls.stacks.rebase_replay import Outcome
from stithy_pulls.stacks.stack_path import LinkEvidence

Risk = Literal["low", "medium", "high"]


@frozen(kw_only=True)
class StackLevel:
    """A pull request of the stack, the lowest first.

    Args:
        pr: Which one.
        title: As its author wrote it.
        state: open, merged or closed.
        branch: From where.
        base: Into what.
        stands_by: How it was found to stand on the one before: by the name of its base, by its history, or by an event
            that says that its base was another.
    """

    pr: str
    title: str
    state: str
    branch: Annotated[str, Meta(cut=False)]
    base: Annotated[str, Meta(cut=False)]
    stands_by: LinkEvidence | None = None


@frozen(kw_only=True)
class StackInfo:
    """How the two stand to each other; `matches` is about the names of their branches alone, in one repository."""

    base_branch: Annotated[str, Meta(cut=False)]
    dependent_base: Annotated[str, Meta(cut=False)]
    matches: bool
    visualization: Annotated[str, Meta(cut=False)]
    mermaid: Annotated[str, Meta(cut=False)]
    levels: tuple[StackLevel, ...]


@frozen(kw_only=True)
class CommitLine:
    """A commit that is new below."""

    sha: str
    message: str
    author: str
    date: str


@frozen(kw_only=True)
class ChangeSummary:
    """What is new where the dependent one is to stand.

    Args:
        new_commits_in_base: How many commits it does not have yet.
        commits: The newest of them.
        files_changed: In them; the first ones.
        files_total: How many in all.
        potential_conflicts: Files in which its own commits would conflict.
    """

    new_commits_in_base: int
    commits: tuple[CommitLine, ...]
    files_changed: tuple[str, ...]
    files_total: int
    potential_conflicts: tuple[str, ...]


@frozen(kw_only=True)
class OwnCommit:
    """A commit of an author's own, and what a rebase would make of it.

    Args:
        sha: Which one.
        pr: Of which pull request.
        message: Its first line.
        author: Who wrote it.
        date: When.
        files: What it changes; the first ones.
        files_total: How many in all.
        predicted: clean, conflict, or empty where the new base has all of it; none where it stays where it is.
        conflicting_files: Where it would stop.
        signed: True where it carries a signature, which its new version will not have.
    """

    sha: str
    pr: str
    message: str
    author: str
    date: str
    files: tuple[str, ...] = ()
    files_total: int | None = None
    predicted: Maybe[Outcome] | None = None
    conflicting_files: tuple[str, ...] = ()
    signed: bool | None = None

    def format_line(self) -> str:
        """Give it in a line."""
        told = self.predicted
        what = f"not known: {told.reason}" if isinstance(told, Unknown) else told or "stays"
        where = f" in {', '.join(excerpt(path) for path in self.conflicting_files)}" if self.conflicting_files else ""
        return f"- {self.sha[:12]} {excerpt(self.message, 80)}: {what}{where}"


@frozen(kw_only=True)
class DroppedCommit:
    """A commit of a pull request that its new head will not have.

    Args:
        sha: Which one.
        pr: Of which pull request.
        message: Its first line.
        author: Who wrote it.
        why: below (it is a commit of the one below), copy (it changes what `of` changes), contained (all that it
            changes is below), earlier version (of `of`, older and with another content), taken out (a former head of
            the one below had it, the present one has not), merge (no rebase replays one), or empty (the new base has
            all of it).
        of: The SHA of the commit below that it is a version of.
    """

    sha: str
    pr: str
    message: str
    author: str
    why: DropReason | Literal["empty"]
    of: str | None = None

    def format_line(self) -> str:
        """Return it as one line of text."""
        of = f" of {self.of[:12]}" if self.of else ""
        return f"- dropped: {self.sha[:12]} {excerpt(self.message, 80)}: {self.why}{of}"


@frozen(kw_only=True)
class MergeEvidence:
    """How sure it is what became of the base: the forge's word and git's."""

    method: Maybe[MergeMethod] | None
    commit: str | None
    confidence: Confidence
    evidence: tuple[str, ...]
    lost: str | None


@frozen(kw_only=True)
class RebaseStrategy:
    """What to do, and why."""

    recommended: Literal["regular", "onto"]
    reason: str
    regular_command: str | None
    onto_command: str | None
    ai_should_decide: bool
    considerations: tuple[str, ...]


@frozen(kw_only=True)
class StackCommand:
    """A step: a line for a shell in a clone, a call of a tool, or behind `//` what somebody must do."""

    step: int
    type: Literal["git", "ci_wait", "test", "fix", "verification"]
    command: Annotated[str, Meta(cut=False)]
    description: str
    estimated_duration: str | None = None
    can_automate: bool
    skip_if: str | None = None
    retry_on_failure: bool | None = None
    max_retries: int | None = None


@frozen(kw_only=True)
class Automation:
    """Nothing is begun here: an agent runs the steps."""

    enabled: bool
    status: Literal["not_started"] = "not_started"


@frozen(kw_only=True)
class Summary:
    """What it comes to."""

    action_required: Maybe[bool]
    reason: str
    estimated_total_time: Maybe[str]
    risk_level: Risk


@frozen(kw_only=True)
class ManagedStack:
    """A stack, what became of its base, and how to put it in order.

    Args:
        base_pr: The earlier one, under its present name.
        dependent_pr: The later one.
        found_by: git or forge.
        is_stacked: Whether the later one stands on the earlier one, at whatever distance.
        stack_info: Their branches, and a picture.
        changes_detected: Whether there is something new below.
        change_summary: What.
        upstream_merge_detected: Whether the base was merged, as the forge says.
        squash_merge: Whether its commits became one other commit.
        merge_evidence: What says so.
        last_upstream_commit: The last commit before the own ones of the lowest pull request that is moved.
        upstream_confidence: How sure that is.
        rebase_strategy: What to do, where there is something to do.
        commands: The steps, of which none may be left out, for a POSIX shell in any clone with the whole history.
        recovery: How to break off, and how to undo.
        own_commits: The authors' own, with what would become of each; of many those that do not go by themselves.
        own_commits_total: How many there are.
        dropped: The commits that the new heads will not have, with why; of many those to look at come first.
        dropped_total: How many there are.
        automation: That nothing was done.
        summary: What it comes to.
        notes: What else somebody should know.
    """

    base_pr: str
    dependent_pr: str
    found_by: Literal["git", "forge"]
    is_stacked: Maybe[bool]
    stack_info: StackInfo
    changes_detected: Maybe[bool]
    change_summary: ChangeSummary | None
    upstream_merge_detected: Maybe[bool]
    squash_merge: Maybe[bool]
    merge_evidence: MergeEvidence | None
    last_upstream_commit: Maybe[str] | None
    upstream_confidence: Confidence | None
    rebase_strategy: Maybe[RebaseStrategy] | None
    commands: Page[StackCommand]
    recovery: tuple[Annotated[str, Meta(cut=False)], ...]
    own_commits: tuple[OwnCommit, ...]
    own_commits_total: int
    dropped: tuple[DroppedCommit, ...]
    dropped_total: int
    automation: Automation
    summary: Summary
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Give the verdict, the picture, the own commits, the strategy and the steps."""
        yield f"{self.dependent_pr} on {self.base_pr}: {self.summary.reason} (risk: {self.summary.risk_level})"
        yield self.stack_info.visualization
        yield from self._base()
        for commit in self.own_commits:
            yield commit.format_line()
        if left := self.own_commits_total - len(self.own_commits):
            yield f"… and {left} more own commits"
        yield from self._dropped()
        strategy = self.rebase_strategy
        if isinstance(strategy, RebaseStrategy):
            decide = "; decide yourself" if strategy.ai_should_decide else ""
            yield f"Recommended: {strategy.recommended}{decide}. {strategy.reason}"
            for fact in strategy.considerations:
                yield f"- {excerpt(fact, 300)}"
        for command in self.commands:
            yield f"{command.step}. [{command.type}] {command.command}"
        for line in self.recovery:
            yield f"Undo: {line}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"

    def _dropped(self) -> Iterator[str]:
        """Name each one, those of the base itself in one line."""
        below = [commit for commit in self.dropped if commit.why == "below"]
        for commit in self.dropped:
            if commit.why != "below":
                yield commit.format_line()
        if below:
            names = ", ".join(commit.sha[:12] for commit in below)
            yield f"- dropped, commits of the one below: {names}"
        if left := self.dropped_total - len(self.dropped):
            yield f"… and {left} more dropped commits"

    def _base(self) -> Iterator[str]:
        if self.merge_evidence is not None:
            yield f"The base: {'; '.join(self.merge_evidence.evidence)}"
            if self.merge_evidence.lost:
                yield f"The base was taken back: {self.merge_evidence.lost}"
        if isinstance(self.last_upstream_commit, str):
            yield f"Own commits begin after {self.last_upstream_commit} (confidence: {self.upstream_confidence})"
