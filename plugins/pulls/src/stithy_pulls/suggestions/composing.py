"""From what was found to the answer: what is shown of it, and what is said to be missing."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from attrs import frozen

from stithy_core.spi import Maybe, Page, PullRequest, Unknown
from stithy_pulls.code.touching import TouchedCode
from stithy_pulls.diffs.names import classify_file
from stithy_pulls.diffs.records import ChangedFile, PullDiff
from stithy_pulls.documents.reading import DocumentQuotes
from stithy_pulls.documents.rendering import format_quote_notes
from stithy_pulls.facts.gathering import NOT_READ
from stithy_pulls.facts.records import Fact, score_risk
from stithy_pulls.suggestions.breaking import find_breaking_changes, is_breaking
from stithy_pulls.suggestions.checklist import build_checklist
from stithy_pulls.suggestions.excerpts import DiffExcerpt, allocate_excerpts
from stithy_pulls.suggestions.focusing import ReviewFocus
from stithy_pulls.suggestions.mentions import IssueMentions
from stithy_pulls.suggestions.results import PullMetadata, ReviewContext, ReviewFile, ReviewSuggestions

MOST_POINTS = 8
MOST_BREAKS = 15
MOST_NAMED = 20
MOST_LABELS = 20


@frozen(kw_only=True)
class ReviewStudy:
    """All that was found.

    Args:
        pull: The pull request.
        diff: What it changes.
        code: Which definitions.
        facts: By path.
        messages: Its title and those of its commits.
        unread_commits: Why there are more of these; empty where they are all.
        mentions: What it names.
        quotes: What the project's documents say of it.
        focus: What is wanted.
        most: How many lines of diff; None for no diff.
    """

    pull: PullRequest
    diff: PullDiff
    code: Maybe[TouchedCode]
    facts: Mapping[str, Sequence[Fact]]
    messages: Sequence[str]
    unread_commits: str
    mentions: IssueMentions
    quotes: DocumentQuotes
    focus: ReviewFocus
    most: int | None

    def wanted(self, path: str) -> list[Fact]:
        """Give the facts about a file that are wanted, the heaviest first."""
        facts = [fact for fact in self.facts.get(path, ()) if self.focus.wants_fact(fact)]
        return sorted(facts, key=lambda fact: -fact.points)


def build_suggestions(study: ReviewStudy) -> ReviewSuggestions:
    """Put the answer together."""
    facts = {change.path: study.wanted(change.path) for change in study.diff.changes}
    ranked = _ranked(study, facts)
    shown = allocate_excerpts(ranked, facts, study.most) if study.most is not None else {}
    files = [_file(change, facts[change.path], shown.get(change.path)) for change in ranked]
    asked = [fact for found in (*facts.values(), study.wanted("")) for fact in found]
    return ReviewSuggestions(
        pr=str(study.pull.ref),
        found_by=study.diff.found_by,
        metadata=_metadata(study.pull),
        context=_surroundings(study),
        documents=study.quotes.quotes or None,
        review_checklist=tuple(build_checklist(asked)),
        files=Page(files, key=_key),
        left_out_files=_left_out(study.diff),
        notes=tuple(_notes(study, ranked)) or None,
    )


def _ranked(study: ReviewStudy, facts: Mapping[str, Sequence[Fact]]) -> list[ChangedFile]:
    """Give the files to read: a lock file, say, only where there is something to say of it."""
    files = [
        change
        for change in study.diff.changes
        if study.focus.shows_file(change.path, facts[change.path])
        and (classify_file(change.path) not in NOT_READ or facts[change.path])
    ]
    return sorted(files, key=lambda change: (-score_risk(facts[change.path]).score, -change.size, change.path))


def _file(change: ChangedFile, facts: Sequence[Fact], shown: DiffExcerpt | None) -> ReviewFile:
    risk = score_risk(facts)
    left = len(facts) - MOST_POINTS
    points = [fact.format_with_line() for fact in facts[:MOST_POINTS]] + ([f"{left} more facts"] if left > 0 else [])
    text = shown.text if shown and shown.text and classify_file(change.path) not in NOT_READ else None
    return ReviewFile(
        path=change.path,
        previous_path=change.previous_path or None,
        status=change.status,  # type: ignore[arg-type]
        additions=change.additions,
        deletions=change.deletions,
        risk_level=risk.level,
        risk_score=risk.score,
        diff_excerpt=change.hunks if shown and isinstance(change.hunks, Unknown) else text,
        lines_shown=shown.shown if text and shown else None,
        lines_left_out=shown.lines - shown.shown if shown and shown.lines > shown.shown else None,
        focus_points=tuple(points),
    )


def _key(file: ReviewFile) -> str:
    return blake2b(file.path.encode(errors="surrogateescape"), digest_size=8).hexdigest()


def _metadata(pull: PullRequest) -> PullMetadata:
    labels = tuple(label.name for label in pull.labels[:MOST_LABELS])
    return PullMetadata(title=pull.title, description=pull.body, author=pull.author.login, labels=labels)


def _surroundings(study: ReviewStudy) -> ReviewContext:
    found = find_breaking_changes(study.messages, study.code, study.diff.changes)
    return ReviewContext(
        related_issues=study.mentions.issues,
        mentioned_prs=study.mentions.pulls,
        mentioned_elsewhere=study.mentions.elsewhere,
        mentioned_unknown=study.mentions.unasked or None,
        breaking_changes_detected=is_breaking(found, study.code, study.diff.changes, study.unread_commits),
        breaking_changes=tuple(found[:MOST_BREAKS]),
    )


def _left_out(diff: PullDiff) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for change in diff.changes:
        if (role := classify_file(change.path)) in NOT_READ:
            found.setdefault(role, []).append(change.path)
    return {role: tuple(paths[:MOST_NAMED]) for role, paths in found.items()}


def _notes(study: ReviewStudy, ranked: Sequence[ChangedFile]) -> Iterator[str]:
    diff = study.diff
    if study.pull.state != "open":
        yield "It is merged." if study.pull.merged else "It is closed."
    if not diff.changes:
        yield "It changes no file."
    if diff.cut:
        yield f"Only {len(diff.changes):,} files were read: {diff.cut}"
    yield from diff.notes
    yield from format_quote_notes(study.quotes)
    if study.unread_commits:
        yield f"Not all commits were read: {study.unread_commits}"
    if study.focus.unknown:
        yield f"No rule here is about {', '.join(study.focus.unknown)}: nothing was chosen by it."
    unread = [change for change in diff.changes if classify_file(change.path) in NOT_READ]
    listed = {change.path for change in ranked} | {change.path for change in unread}
    if beside := len(diff.changes) - len(listed):
        yield f"{beside} files have nothing to do with focus_areas, and are not listed."
    if len(unread) > MOST_NAMED:
        yield f"{len(unread)} lock, generated or vendored files changed."
