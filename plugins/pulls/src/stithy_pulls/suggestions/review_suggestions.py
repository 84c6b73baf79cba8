"""The tool `get_review_suggestions`: rank the files of a diff, select hunks, and build the result (PULL-70)."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from attrs import frozen

from stithy_core.spi import (
    Context,
    ForgeError,
    Maybe,
    Page,
    PullRequest,
    Unknown,
    Unsupported,
    or_unknown,
)
from stithy_pulls.code.published_code import read_exports
from stithy_pulls.code.touched_definitions import TouchedCode, compare_definitions, read_versions, select_parsable
from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, PullDiff
from stithy_pulls.diffs.diff_range import DiffRange
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.diffs.pull_diff import read_diff
from stithy_pulls.documents.document_quotes import DocumentQuotes, find_quotes, format_quote_notes
from stithy_pulls.facts.fact_rules import NOT_READ, collect_facts, select_whole_files
from stithy_pulls.facts.risk_facts import Fact, Risk, score_risk
from stithy_pulls.facts.secret_masking import LineMasker, mask_secrets
from stithy_pulls.facts.told_facts import is_told
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import list_all_paths
from stithy_pulls.impact.file_categories import CATEGORIES, categorize_file
from stithy_pulls.suggestions.breaking_changes import find_breaking_changes, is_breaking
from stithy_pulls.suggestions.issue_mentions import IssueMentions, find_mentions
from stithy_pulls.suggestions.review_checklist import build_checklist
from stithy_pulls.suggestions.suggestion_results import PullMetadata, ReviewContext, ReviewFile, ReviewSuggestions
from stithy_pulls.tools import GetReviewSuggestions

FORGE_ERRORS = (ForgeError, Unsupported)
"""Errors of optional requests: the answer is then unknown in parts."""

MEANT = {
    "security": {"security", "dependencies"},
    "api": {"api"},
    "breaking": {"api"},
    "compatibility": {"api"},
    "database": {"database"},
    "migrations": {"database"},
    "data": {"database"},
    "dependencies": {"dependencies"},
    "supply chain": {"dependencies", "security"},
    "tests": {"tests"},
    "testing": {"tests"},
    "infrastructure": {"infrastructure", "security"},
    "ci": {"infrastructure"},
    "maintenance": {"maintenance"},
    "maintainability": {"maintenance", "size"},
    "size": {"size"},
}
"""The topics of facts that a caller's word selects."""


@frozen
class ReviewFocus:
    """What the caller wants to see.

    Args:
        about: Topics of facts; empty for all.
        categories: Categories of files.
        unknown: Words that match no topic and no category.
    """

    about: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        """Whether nothing is excluded. That includes a focus with unknown words only."""
        return not self.about and not self.categories

    def wants_fact(self, fact: Fact) -> bool:
        """Return whether a fact is in focus."""
        return (
            self.is_all or fact.focus in self.about or bool(fact.path and categorize_file(fact.path) in self.categories)
        )

    def shows_file(self, path: str, facts: Sequence[Fact]) -> bool:
        """Return whether a file is in focus, given its facts that are in focus."""
        return self.is_all or bool(facts) or categorize_file(path) in self.categories


def parse_focus(words: Sequence[str] | None) -> ReviewFocus:
    """Parse the words of the caller."""
    given_words = [word.strip().lower() for word in words or ()]
    return ReviewFocus(
        about=frozenset(about for word in given_words for about in MEANT.get(word, ())),
        categories=frozenset(word for word in given_words if word in CATEGORIES),
        unknown=tuple(word for word in given_words if word not in MEANT and word not in CATEGORIES),
    )


SHARES = 4
"""In the first round, one file gets at most this fraction of all lines."""
LONGEST = 300
"""Characters of a line."""


@frozen
class DiffExcerpt:
    """Lines of one file: the text, the number of lines shown, and the number of all lines."""

    text: str = ""
    shown: int = 0
    lines: int = 0


def allocate_excerpts(
    changes: Sequence[ChangedFile], facts: Mapping[str, Sequence[Fact]], most: int
) -> Mapping[str, DiffExcerpt]:
    """Distribute the lines among the files.

    Args:
        changes: The files, the most important first.
        facts: By path.
        most: The number of diff lines in all.
    """
    share = max(most // min(max(len(changes), 1), SHARES), 1)
    given_words: dict[str, int] = {}
    left = most
    for limit in (share, most):  # the second round gives unused lines to the first files
        for change in changes:
            wanted = min(_count_lines(change), limit) - given_words.get(change.path, 0)
            more = max(min(wanted, left), 0)
            given_words[change.path] = given_words.get(change.path, 0) + more
            left -= more
    return {
        change.path: _create_excerpt(change, facts.get(change.path, ()), given_words[change.path]) for change in changes
    }


def _get_hunks(change: ChangedFile) -> Sequence[DiffHunk]:
    return change.hunks if isinstance(change.hunks, tuple) else ()


def _count_lines(change: ChangedFile) -> int:
    return sum(len(hunk.lines) + 1 for hunk in _get_hunks(change))


def _create_excerpt(change: ChangedFile, facts: Sequence[Fact], most: int) -> DiffExcerpt:
    """Select the hunks with the heaviest facts, and return them in their order."""
    hunks = list(enumerate(_get_hunks(change)))
    ranked = sorted(hunks, key=lambda one: (-_weigh_hunk(one[1], facts), one[0]))
    taken: dict[int, int] = {}
    left = most
    for place, hunk in ranked:
        if left > 1:
            taken[place] = min(len(hunk.lines), left - 1)
            left -= taken[place] + 1
    text = "\n".join(
        line for place, hunk in hunks if place in taken for line in _format_hunk(hunk, taken[place], change.path)
    )
    shown = sum(taken.values()) + len(taken)
    return DiffExcerpt(text, shown, _count_lines(change))


def _weigh_hunk(hunk: DiffHunk, facts: Sequence[Fact]) -> int:
    first, last = hunk.new_start, hunk.new_start + hunk.new_count
    return sum(fact.points + 1 for fact in facts if fact.line and first <= fact.line < last)


def _format_hunk(hunk: DiffHunk, most: int, path: str) -> Iterator[str]:
    masking = LineMasker(path)
    yield mask_secrets(hunk.header, path)
    for line in hunk.lines[:most]:
        text = masking.mask_line(line.text)
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}… [{len(text)} chars]"
        yield f"{line.kind.value}{text}"
    if most < len(hunk.lines):
        yield "…"


MOST_POINTS = 8
MOST_BREAKS = 15
MOST_NAMED = 20
MOST_LABELS = 20


@frozen(kw_only=True)
class ReviewStudy:
    """All evidence for the result.

    Args:
        pull: The pull request.
        diff: Its diff.
        code: The changed definitions.
        facts: By path.
        messages: Its title and its commit messages.
        unread_commits: Why the list of commits is incomplete; empty if it is complete.
        mentions: The mentioned issues and pull requests.
        quotes: Quotes of the project's documents.
        focus: What the caller wants to see.
        most: Maximum number of diff lines; None for no diff.
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

    def list_facts(self, path: str) -> list[Fact]:
        """Return the facts about a file that are in focus, the heaviest first."""
        facts = [fact for fact in self.facts.get(path, ()) if self.focus.wants_fact(fact)]
        return sorted(facts, key=lambda fact: -fact.points)


def build_suggestions(study: ReviewStudy) -> ReviewSuggestions:
    """Build the result."""
    facts = {change.path: study.list_facts(change.path) for change in study.diff.changes}
    ranked = _rank_files(study, facts)
    shown = allocate_excerpts(ranked, facts, study.most) if study.most is not None else {}
    untold = {
        path: [fact for fact in found if not is_told(fact, study.pull.title)]
        for path, found in (*facts.items(), ("", study.list_facts("")))
    }
    files = [
        _create_file(change, score_risk(facts[change.path]), untold[change.path], shown.get(change.path))
        for change in ranked
    ]
    return ReviewSuggestions(
        pr=str(study.pull.ref),
        found_by=study.diff.found_by,
        metadata=_create_metadata(study.pull),
        context=_create_context(study),
        documents=study.quotes.quotes or None,
        review_checklist=tuple(build_checklist(fact for found in untold.values() for fact in found)),
        files=Page(files, key=_get_key),
        left_out_files=_list_left_out(study.diff),
        notes=tuple(_list_notes(study, ranked)) or None,
    )


def _rank_files(study: ReviewStudy, facts: Mapping[str, Sequence[Fact]]) -> list[ChangedFile]:
    """Return the files to review. Lock, generated and vendored files are included only if they have facts."""
    files = [
        change
        for change in study.diff.changes
        if study.focus.shows_file(change.path, facts[change.path])
        and (classify_file(change.path) not in NOT_READ or facts[change.path])
    ]
    return sorted(files, key=lambda change: (-score_risk(facts[change.path]).score, -change.size, change.path))


def _create_file(change: ChangedFile, risk: Risk, facts: Sequence[Fact], shown: DiffExcerpt | None) -> ReviewFile:
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


def _get_key(file: ReviewFile) -> str:
    return blake2b(file.path.encode(errors="surrogateescape"), digest_size=8).hexdigest()


def _create_metadata(pull: PullRequest) -> PullMetadata:
    labels = tuple(label.name for label in pull.labels[:MOST_LABELS])
    return PullMetadata(title=pull.title, description=pull.body, author=pull.author.login, labels=labels)


def _create_context(study: ReviewStudy) -> ReviewContext:
    found = find_breaking_changes(study.messages, study.code, study.diff.changes)
    return ReviewContext(
        related_issues=study.mentions.issues,
        mentioned_prs=study.mentions.pulls,
        mentioned_elsewhere=study.mentions.elsewhere,
        mentioned_unknown=study.mentions.unasked or None,
        breaking_changes_detected=is_breaking(found, study.code, study.diff.changes, study.unread_commits),
        breaking_changes=tuple(found[:MOST_BREAKS]),
    )


def _list_left_out(diff: PullDiff) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for change in diff.changes:
        if (role := classify_file(change.path)) in NOT_READ:
            found.setdefault(role, []).append(change.path)
    return {role: tuple(paths[:MOST_NAMED]) for role, paths in found.items()}


def _list_notes(study: ReviewStudy, ranked: Sequence[ChangedFile]) -> Iterator[str]:
    diff = study.diff
    if study.pull.state != "open":
        yield "The pull request is merged." if study.pull.merged else "The pull request is closed."
    if not diff.changes:
        yield "The pull request changes no file."
    if diff.cut:
        yield f"Only {len(diff.changes):,} files were read: {diff.cut}"
    yield from diff.notes
    yield from format_quote_notes(study.quotes)
    if study.unread_commits:
        yield f"Not all commits were read: {study.unread_commits}"
    if study.focus.unknown:
        yield f"Unknown focus_areas ignored: {', '.join(study.focus.unknown)}."
    unread = [change for change in diff.changes if classify_file(change.path) in NOT_READ]
    listed = {change.path for change in ranked} | {change.path for change in unread}
    if beside := len(diff.changes) - len(listed):
        yield f"{beside} files outside of focus_areas are omitted."
    if len(unread) > MOST_NAMED:
        yield f"{len(unread)} lock, generated or vendored files changed."


async def suggest_review(ctx: Context, args: GetReviewSuggestions) -> ReviewSuggestions:
    """Return what a reviewer needs."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    commits = await or_unknown(forge.changes.commits(pull.ref), on=FORGE_ERRORS)

    async def read(repository: GitRepository, ends: DiffRange, diff: PullDiff) -> tuple[TouchedCode, tuple[str, ...]]:
        parsed = select_parsable(diff.changes)
        exports = await read_exports(repository, ends.merge_base, parsed)
        blobs = await read_versions(repository, parsed, select_whole_files(diff.changes))
        code = await ctx.thread(compare_definitions, parsed, blobs, exports)
        return code, await list_all_paths(repository, ends.head)

    diff, found = await read_diff(ctx, forge, pull, read)
    code, paths = (found, found) if isinstance(found, Unknown) else found
    messages = [] if isinstance(commits, Unknown) else [commit.message for commit in commits]
    study = ReviewStudy(
        pull=pull,
        diff=diff,
        code=code,
        facts=await ctx.thread(collect_facts, diff.changes, code, paths),
        messages=(pull.title, *messages),
        unread_commits=commits.reason if isinstance(commits, Unknown) else commits.cut,
        mentions=await find_mentions(forge, pull, [pull.body, *messages]),
        quotes=await find_quotes(ctx, forge, pull, diff.paths),
        focus=parse_focus(args.focus_areas),
        most=args.max_diff_lines if args.include_diff else None,
    )
    return await ctx.thread(build_suggestions, study)
