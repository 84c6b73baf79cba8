"""The result of `get_review_suggestions`: the schema of PULL-71, with additional fields."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, Page, Unknown, excerpt
from stithy_pulls.documents.document_quotes import DocumentQuote, format_quotes
from stithy_pulls.facts.risk_facts import RiskLevel
from stithy_pulls.suggestions.breaking_changes import BreakingChange
from stithy_pulls.suggestions.review_checklist import ChecklistSection

NAMED = 5


@frozen(kw_only=True)
class PullMetadata:
    """What its author says of it."""

    title: Annotated[str, Meta(cut=True)]
    description: Annotated[str, Meta(cut=True, rest="pull_request_read with method=get")]
    author: str
    labels: tuple[str, ...]


@frozen(kw_only=True)
class ReviewFile:
    """A file to look at.

    Args:
        path: Where it is.
        previous_path: Where it was, if it was renamed.
        status: As PULL-72 names it.
        additions: Lines.
        risk_level: low below 2 points, high from 5 on.
        risk_score: The sum of the points of the facts about it; each kind weighs once.
        diff_excerpt: Hunks of the diff, those with facts first chosen; what they stand in is behind each `@@`.
        lines_shown: How many lines of the diff that has.
        lines_left_out: How many it has not.
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
        """Give the file, its facts and its lines."""
        yield f"- {excerpt(self.path)} ({self.status}, +{self.additions} -{self.deletions}, risk {self.risk_level})"
        for point in self.focus_points:
            yield f"  * {excerpt(point)}"
        if isinstance(self.diff_excerpt, str):
            for line in self.diff_excerpt.split("\n"):
                yield f"    {' '.join(line.splitlines())}"  # whatever else ends a line elsewhere ends none here
        if self.lines_left_out:
            yield f"    … {self.lines_left_out:,} lines of this file are not shown"


@frozen(kw_only=True)
class ReviewContext:
    """What belongs to it.

    Args:
        related_issues: Numbers in this repository.
        mentioned_prs: Likewise.
        mentioned_elsewhere: In other repositories, as `owner/repo#n`.
        mentioned_unknown: What may be an issue or a pull request: nobody could tell, or too many were named.
        breaking_changes_detected: True only where a commit says so or a public name is gone.
        breaking_changes: What was found, the certain ones first.
    """

    related_issues: tuple[int, ...]
    mentioned_prs: tuple[int, ...]
    mentioned_elsewhere: tuple[str, ...]
    mentioned_unknown: tuple[str, ...] | None
    breaking_changes_detected: Maybe[bool]
    breaking_changes: tuple[BreakingChange, ...]


@frozen(kw_only=True)
class ReviewSuggestions:
    """What a reviewer should look at.

    Args:
        pr: Under its present name.
        found_by: git or forge.
        metadata: What its author says.
        context: What belongs to it.
        documents: What the project's documents say of the changed files and their folders, where they do.
        review_checklist: Questions to which the diff gives cause, and no others.
        files: The riskiest first.
        left_out_files: By what they are, lock, generated or vendored files: nobody reads those line by line.
        notes: What else somebody should know.
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
        """Give what it is, what to ask, and the files with their facts and lines."""
        yield f"{self.pr} by {excerpt(self.metadata.author, 80)}: {excerpt(self.metadata.title)}"
        yield from self._context()
        yield from format_quotes(self.documents or ())
        for section in self.review_checklist:
            for item in section.items:
                yield f"? {section.category}: {item.question} {excerpt(item.guidance, 300)}"
        for kind, paths in self.left_out_files.items():
            more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
            yield f"Not shown ({kind}): {', '.join(excerpt(path) for path in paths[:NAMED])}{more}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"
        for file in self.files:
            yield from file.render()

    def _context(self) -> Iterator[str]:
        here = self.context
        numbers = [f"issue #{number}" for number in here.related_issues]
        numbers += [f"pull request #{number}" for number in here.mentioned_prs]
        if named := [*numbers, *here.mentioned_elsewhere, *(here.mentioned_unknown or ())]:
            yield f"Named: {', '.join(map(excerpt, named))}"
        detected = here.breaking_changes_detected
        if isinstance(detected, Unknown):
            yield f"Breaking changes: not known: {detected.reason}"
        for one in here.breaking_changes[:NAMED]:
            word = "Breaks" if one.certain else "May break"
            yield f"{word} ({one.said_by}): {excerpt(one.evidence)}{f' in {excerpt(one.path)}' if one.path else ''}"
