"""The result of `manage_stacked_prs` (PULL-31), with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, Page, Unknown, excerpt
from stithy_pulls.stacks.fork_point import DropReason
from stithy_pulls.stacks.merge_outcome import Confidence, MergeMethod
from stithy_pulls.stacks.merge_plan import MergePrediction
from stithy_pulls.stacks.rebase_replay import Outcome
from stithy_pulls.stacks.stack_path import LinkEvidence

Risk = Literal["low", "medium", "high"]


@frozen(kw_only=True)
class StackLevel:
    """A pull request of the stack.

    Args:
        pr: The pull request.
        title: Its title.
        state: open, merged or closed.
        branch: Its head branch.
        base: Its base branch.
        stands_by: How it was found to be based on the one below: by the base branch, by its history, or by
            an event that names a former base.
        stands_on: The one below; omitted if the levels are one path.
    """

    pr: str
    title: str
    state: str
    branch: Annotated[str, Meta(cut=False)]
    base: Annotated[str, Meta(cut=False)]
    stands_by: LinkEvidence | None = None
    stands_on: str | None = None


@frozen(kw_only=True)
class StackInfo:
    """How the two pull requests are related. `matches` compares branch names only, in one repository."""

    base_branch: Annotated[str, Meta(cut=False)]
    dependent_base: Annotated[str, Meta(cut=False)]
    matches: bool
    visualization: Annotated[str, Meta(cut=False)]
    mermaid: Annotated[str, Meta(cut=False)]
    levels: tuple[StackLevel, ...]


@frozen(kw_only=True)
class CommitLine:
    """A new commit below."""

    sha: str
    message: str
    author: str
    date: str


@frozen(kw_only=True)
class ChangeSummary:
    """The new commits that the lowest rebased pull request does not have.

    Args:
        new_commits_in_base: Their number.
        commits: The newest of them.
        files_changed: The first files that they change.
        files_total: The number of files that they change.
        potential_conflicts: Files in which own commits would conflict.
    """

    new_commits_in_base: int
    commits: tuple[CommitLine, ...]
    files_changed: tuple[str, ...]
    files_total: int
    potential_conflicts: tuple[str, ...]


@frozen(kw_only=True)
class OwnCommit:
    """An own commit, and the predicted result of its rebase.

    Args:
        sha: The commit.
        pr: Its pull request.
        message: Its subject.
        author: Its author.
        date: The author time, ISO 8601.
        files: The first files that it changes.
        files_total: The number of files that it changes.
        predicted: clean, conflict, or empty if the new base already has its change; omitted if it is not rebased.
        conflicting_files: The files in conflict.
        signed: True if it is signed; the rebased commit will not have this signature.
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
        """Return the commit as a line of text."""
        outcome = self.predicted
        what = f"unknown: {outcome.reason}" if isinstance(outcome, Unknown) else outcome or "unchanged"
        where = f" in {', '.join(excerpt(path) for path in self.conflicting_files)}" if self.conflicting_files else ""
        return f"- {self.sha[:12]} {excerpt(self.message, 80)}: {what}{where}"


@frozen(kw_only=True)
class DroppedCommit:
    """A commit of a pull request that its new head will not have.

    Args:
        sha: The commit.
        pr: Its pull request.
        message: Its subject.
        author: Its author.
        why: below (a commit of the pull request below), copy (same change as `of`), contained (its whole change is
            below), earlier version (an older version of `of`, with different content), taken out (a former head below
            had it, the current one does not), merge (a rebase replays no merge commit), or empty (the new base already
            has its change).
        of: The SHA of the lower commit that it is a version of.
    """

    sha: str
    pr: str
    message: str
    author: str
    why: DropReason | Literal["empty"]
    of: str | None = None

    def format_line(self) -> str:
        """Return the commit as a line of text."""
        of = f" of {self.of[:12]}" if self.of else ""
        return f"- dropped: {self.sha[:12]} {excerpt(self.message, 80)}: {self.why}{of}"


@frozen(kw_only=True)
class MergeEvidence:
    """What happened to the base, with the evidence of the forge and of git."""

    method: Maybe[MergeMethod] | None
    commit: str | None
    confidence: Confidence
    evidence: tuple[str, ...]
    lost: str | None


@frozen(kw_only=True)
class PredictedMerge:
    """A merge of the new base into the branch of a pull request.

    Args:
        pr: The pull request.
        predicted: clean or conflict.
        conflicting_files: The files in conflict.
    """

    pr: str
    predicted: Maybe[MergePrediction]
    conflicting_files: tuple[str, ...]


@frozen(kw_only=True)
class RebaseStrategy:
    """The recommended way, and why."""

    recommended: Literal["regular", "onto", "merge"]
    reason: str
    regular_command: str | None
    onto_command: str | None
    ai_should_decide: bool
    considerations: tuple[str, ...]


@frozen(kw_only=True)
class StackCommand:
    """A step: a shell line in a clone, a tool call, or after `//` what a person must do."""

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
    """The state of automation: this tool runs no step; an agent does."""

    enabled: bool
    status: Literal["not_started"] = "not_started"


@frozen(kw_only=True)
class Summary:
    """Whether action is required, why, how long it takes, and the risk."""

    action_required: Maybe[bool]
    reason: str
    estimated_total_time: Maybe[str]
    risk_level: Risk


@frozen(kw_only=True)
class ManagedStack:
    """A stack, what happened to its base, and the steps of the rebase.

    Args:
        base_pr: The lower pull request under its current name.
        dependent_pr: The upper pull request under its current name; if none was named, the highest that stands on the
            base, or null without one.
        found_by: git or forge.
        is_stacked: Whether the upper one, or any, is stacked on the lower one, directly or not.
        stack_info: Their branches, and a picture of all.
        changes_detected: Whether there are new commits below.
        change_summary: The new commits below.
        upstream_merge_detected: Whether the forge reports that the base was merged.
        squash_merge: Whether its commits became one other commit.
        merge_evidence: The evidence.
        last_upstream_commit: The last commit before the own commits of the lowest rebased pull request.
        upstream_confidence: The confidence in that commit.
        rebase_strategy: The recommended way, if anything must be rebased.
        commands: The steps, for a POSIX shell in any full clone. No step may be skipped.
        recovery: How to cancel and how to undo the steps.
        own_commits: The own commits, with predicted results; if there are too many, those that need attention.
        own_commits_total: The number of own commits.
        dropped: The commits that the new heads will not have, and why; those that need attention first.
        dropped_total: The number of dropped commits.
        merges: With `merge`, the predicted result of each.
        automation: The state of automation.
        summary: Whether action is required, why, how long it takes, and the risk.
        notes: Further information.
    """

    base_pr: str
    dependent_pr: str | None
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
    merges: tuple[PredictedMerge, ...] | None = None
    automation: Automation
    summary: Summary
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Yield the summary, the picture, the own commits, the strategy and the steps."""
        subject = f"{self.dependent_pr} on {self.base_pr}" if self.dependent_pr else self.base_pr
        yield f"{subject}: {self.summary.reason} (risk: {self.summary.risk_level})"
        yield self.stack_info.visualization
        yield from self._format_base()
        for commit in self.own_commits:
            yield commit.format_line()
        if left := self.own_commits_total - len(self.own_commits):
            yield f"… and {left} more own commits"
        yield from self._format_dropped()
        for merge in self.merges or ():
            outcome = merge.predicted if isinstance(merge.predicted, str) else f"unknown: {merge.predicted.reason}"
            where = f" in {', '.join(excerpt(path) for path in merge.conflicting_files)}"
            yield f"- merge into {merge.pr}: {outcome}{where if merge.conflicting_files else ''}"
        strategy = self.rebase_strategy
        if isinstance(strategy, RebaseStrategy):
            decide = "; your decision" if strategy.ai_should_decide else ""
            yield f"Recommended: {strategy.recommended}{decide}. {strategy.reason}"
            for fact in strategy.considerations:
                yield f"- {excerpt(fact, 300)}"
        for command in self.commands:
            yield f"{command.step}. [{command.type}] {command.command}"
        for line in self.recovery:
            yield f"Undo: {line}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"

    def _format_dropped(self) -> Iterator[str]:
        """Yield a line for each dropped commit; commits of the base share one line."""
        below = [commit for commit in self.dropped if commit.why == "below"]
        for commit in self.dropped:
            if commit.why != "below":
                yield commit.format_line()
        if below:
            names = ", ".join(commit.sha[:12] for commit in below)
            yield f"- dropped, commits of the pull request below: {names}"
        if left := self.dropped_total - len(self.dropped):
            yield f"… and {left} more dropped commits"

    def _format_base(self) -> Iterator[str]:
        if self.merge_evidence is not None:
            yield f"The base: {'; '.join(self.merge_evidence.evidence)}"
            if self.merge_evidence.lost:
                yield f"The base was reverted: {self.merge_evidence.lost}"
        if isinstance(self.last_upstream_commit, str):
            yield f"Own commits start after {self.last_upstream_commit} (confidence: {self.upstream_confidence})"
