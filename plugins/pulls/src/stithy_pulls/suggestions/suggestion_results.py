"""The result of `get_review_suggestions` (PULL-71), with additional fields."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, Page, Unknown, excerpt
from stithy_pulls.documents.document_quotes import DocumentQuote, format_quotes
from stithy_pulls.facts.risk_facts import RiskLevel
from stithy_pulls.facts.short_names import format_short
from stithy_pulls.suggestions.breaking_changes import BreakingChange
from stithy_pulls.suggestions.review_checklist import ChecklistSection

NAMED = 5


@frozen(kw_only=True)
class PullMetadata:
    """Title, description, author and labels of the pull request."""

    title: Annotated[str, Meta(cut=True)]
    description: Annotated[str, Meta(cut=True, rest="pull_request_read with method=get")]
    author: str
    labels: tuple[str, ...]


@frozen(kw_only=True)
class ReviewFile:
    """A file to review.

    Args:
        path: The current path.
        previous_path: The former path, if it was renamed.
        status: added, modified, deleted or renamed (PULL-72).
        additions: Added lines.
        deletions: Removed lines.
        risk_level: low below 2 points, high from 5 points on.
        risk_score: The sum of the points of its facts; each kind weighs once.
        diff_excerpt: Hunks of the diff, those with facts first. The text after `@@` names the function or class.
        lines_shown: The number of diff lines shown.
        lines_left_out: The number of diff lines omitted.
        focus_points: Facts, each with its line.
    """

    path: Annotated[str, Meta(cut=False)]
    previous_path: Annotated[str | None, Meta(cut=False)]
    status: Literal["added", "modified", "deleted", "renamed"]
    additions: int
    deletions: int
    risk_level: RiskLevel
    risk_score: int
    diff_excerpt: Annotated[Maybe[str] | None, Meta(cut=True, rest="pull_request_read with method=get_diff")]
    lines_shown: int | None
    lines_left_out: int | None
    focus_points: tuple[str, ...]

    def render(self) -> Iterator[str]:
        """Yield the file, its facts and its lines."""
        yield f"- {excerpt(self.path)} ({self.status}, +{self.additions} -{self.deletions}, risk {self.risk_level})"
        for point in self.focus_points:
            yield f"  * {excerpt(point)}"
        if isinstance(self.diff_excerpt, str):
            for line in self.diff_excerpt.split("\n"):
                yield f"    {' '.join(line.splitlines())}"  # other line separators must not split a line of the diff
        elif self.diff_excerpt is not None:
            yield f"    lines unknown: {self.diff_excerpt.reason}"
        if self.lines_left_out:
            yield f"    … {self.lines_left_out:,} lines of this file omitted"


@frozen(kw_only=True)
class ReviewContext:
    """Related issues, pull requests and breaking changes.

    Args:
        related_issues: Numbers of issues in this repository.
        mentioned_prs: Numbers of pull requests in this repository.
        mentioned_elsewhere: Those in other repositories, as `owner/repo#n`.
        mentioned_unknown: Those that may be either: the forge did not answer, or there are too many.
        breaking_changes_detected: True only if a commit message says so, or a public name was removed.
        breaking_changes: The breaking changes, the certain ones first.
    """

    related_issues: tuple[int, ...]
    mentioned_prs: tuple[int, ...]
    mentioned_elsewhere: tuple[str, ...]
    mentioned_unknown: tuple[str, ...] | None
    breaking_changes_detected: Maybe[bool]
    breaking_changes: tuple[BreakingChange, ...]


@frozen(kw_only=True)
class ReviewSuggestions:
    """What a reviewer should check.

    Args:
        pr: The pull request under its current name.
        found_by: git or forge.
        metadata: Title, description, author and labels.
        context: Related issues, pull requests and breaking changes.
        documents: Quotes of the project's documents about the changed files and their folders, if any.
        review_checklist: Questions that the diff raises, and no others.
        files: The files, the riskiest first.
        left_out_files: Lock, generated and vendored files by role: they need no review line by line.
        notes: Further information.
    """

    pr: str
    found_by: Literal["git", "forge"]
    metadata: PullMetadata
    context: ReviewContext
    documents: tuple[DocumentQuote, ...] | None
    review_checklist: tuple[ChecklistSection, ...]
    files: Page[ReviewFile]
    left_out_files: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Yield the title, the questions, and the files with their facts and lines."""
        yield f"{self.pr} by {excerpt(self.metadata.author, 80)}: {excerpt(self.metadata.title)}"
        yield from self._format_context()
        yield from format_quotes(self.documents or ())
        for section in self.review_checklist:
            for item in section.items:
                yield f"? {section.category}: {item.question} {excerpt(item.guidance, 300)}"
        for kind, paths in self.left_out_files.items():
            more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
            yield f"Omitted ({kind}): {', '.join(excerpt(path) for path in paths[:NAMED])}{more}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"
        for file in self.files:
            yield from file.render()

    def _format_context(self) -> Iterator[str]:
        here = self.context
        numbers = [f"issue #{number}" for number in here.related_issues]
        numbers += [f"pull request {format_short(self.pr, number)}" for number in here.mentioned_prs]
        if named := [*numbers, *here.mentioned_elsewhere, *(here.mentioned_unknown or ())]:
            yield f"Mentions: {', '.join(map(excerpt, named))}"
        detected = here.breaking_changes_detected
        if isinstance(detected, Unknown):
            yield f"Breaking changes: unknown: {detected.reason}"
        for one in here.breaking_changes[:NAMED]:
            word = "Breaks" if one.certain else "May break"
            yield f"{word} ({one.said_by}): {excerpt(one.evidence)}{f' in {excerpt(one.path)}' if one.path else ''}"
        if (more := len(here.breaking_changes) - NAMED) > 0:
            yield f"and {more} more breaking changes, in breaking_changes"
