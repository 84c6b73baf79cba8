"""From what was found to the answer: what is shown of it, and what is said to be missing."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from attrs import frozen

from stithy_core.spi import Maybe, Page, PullRequest, Unknown
from stithy_pulls.code.touching import Code
from stithy_pulls.diffs.names import role_of
from stithy_pulls.diffs.records import Change, Diff
from stithy_pulls.documents.reading import Quotes
from stithy_pulls.documents.rendering import quote_notes
from stithy_pulls.facts.gathering import NOT_READ
from stithy_pulls.facts.records import Fact, risk_of
from stithy_pulls.suggestions.breaking import breaks, verdict
from stithy_pulls.suggestions.checklist import checklist
from stithy_pulls.suggestions.excerpts import Excerpt, excerpts
from stithy_pulls.suggestions.focusing import Focus
from stithy_pulls.suggestions.mentions import Mentions
from stithy_pulls.suggestions.results import Metadata, ReviewFile, ReviewSuggestions, Surroundings

MOST_POINTS = 8
MOST_BREAKS = 15
MOST_NAMED = 20
MOST_LABELS = 20


@frozen(kw_only=True)
class Study:
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
    diff: Diff
    code: Maybe[Code]
    facts: Mapping[str, Sequence[Fact]]
    messages: Sequence[str]
    unread_commits: str
    mentions: Mentions
    quotes: Quotes
    focus: Focus
    most: int | None

    def wanted(self, path: str) -> list[Fact]:
        """Give the facts about a file that are wanted, the heaviest first."""
        facts = [fact for fact in self.facts.get(path, ()) if self.focus.wants(fact)]
        return sorted(facts, key=lambda fact: -fact.points)


def composed(study: Study) -> ReviewSuggestions:
    """Put the answer together."""
    facts = {change.path: study.wanted(change.path) for change in study.diff.changes}
    ranked = _ranked(study, facts)
    shown = excerpts(ranked, facts, study.most) if study.most is not None else {}
    files = [_file(change, facts[change.path], shown.get(change.path)) for change in ranked]
    asked = [fact for found in (*facts.values(), study.wanted("")) for fact in found]
    return ReviewSuggestions(
        pr=str(study.pull.ref),
        found_by=study.diff.found_by,
        metadata=_metadata(study.pull),
        context=_surroundings(study),
        documents=study.quotes.quotes or None,
        review_checklist=tuple(checklist(asked)),
        files=Page(files, key=_key),
        left_out_files=_left_out(study.diff),
        notes=tuple(_notes(study, ranked)) or None,
    )


def _ranked(study: Study, facts: Mapping[str, Sequence[Fact]]) -> list[Change]:
    """Give the files to read: a lock file, say, only where there is something to say of it."""
    files = [
        change
        for change in study.diff.changes
        if study.focus.shows(change.path, facts[change.path])
        and (role_of(change.path) not in NOT_READ or facts[change.path])
    ]
    return sorted(files, key=lambda change: (-risk_of(facts[change.path]).score, -change.size, change.path))


def _file(change: Change, facts: Sequence[Fact], shown: Excerpt | None) -> ReviewFile:
    risk = risk_of(facts)
    left = len(facts) - MOST_POINTS
    points = [fact.said() for fact in facts[:MOST_POINTS]] + ([f"{left} more facts"] if left > 0 else [])
    text = shown.text if shown and shown.text and role_of(change.path) not in NOT_READ else None
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


def _metadata(pull: PullRequest) -> Metadata:
    labels = tuple(label.name for label in pull.labels[:MOST_LABELS])
    return Metadata(title=pull.title, description=pull.body, author=pull.author.login, labels=labels)


def _surroundings(study: Study) -> Surroundings:
    found = breaks(study.messages, study.code, study.diff.changes)
    return Surroundings(
        related_issues=study.mentions.issues,
        mentioned_prs=study.mentions.pulls,
        mentioned_elsewhere=study.mentions.elsewhere,
        mentioned_unknown=study.mentions.unasked or None,
        breaking_changes_detected=verdict(found, study.code, study.diff.changes, study.unread_commits),
        breaking_changes=tuple(found[:MOST_BREAKS]),
    )


def _left_out(diff: Diff) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for change in diff.changes:
        if (role := role_of(change.path)) in NOT_READ:
            found.setdefault(role, []).append(change.path)
    return {role: tuple(paths[:MOST_NAMED]) for role, paths in found.items()}


def _notes(study: Study, ranked: Sequence[Change]) -> Iterator[str]:
    diff = study.diff
    if study.pull.state != "open":
        yield "It is merged." if study.pull.merged else "It is closed."
    if not diff.changes:
        yield "It changes no file."
    if diff.cut:
        yield f"Only {len(diff.changes):,} files were read: {diff.cut}"
    yield from diff.notes
    yield from quote_notes(study.quotes)
    if study.unread_commits:
        yield f"Not all commits were read: {study.unread_commits}"
    if study.focus.unknown:
        yield f"No rule here is about {', '.join(study.focus.unknown)}: nothing was chosen by it."
    unread = [change for change in diff.changes if role_of(change.path) in NOT_READ]
    listed = {change.path for change in ranked} | {change.path for change in unread}
    if beside := len(diff.changes) - len(listed):
        yield f"{beside} files have nothing to do with focus_areas, and are not listed."
    if len(unread) > MOST_NAMED:
        yield f"{len(unread)} lock, generated or vendored files changed."
