"""`get_review_suggestions`: from a pull request to what a reviewer should look at (PULL-70)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from attrs import frozen

from stithy_core.spi import Context, Forge, IssueRef, Maybe, Page, PullRequest, RepositoryRef, Unknown, map_concurrently
from stithy_pulls.asking import attempted
from stithy_pulls.code.touched_definitions import TouchedCode, compare_definitions, read_versions, select_parsable
from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, PullDiff
from stithy_pulls.diffs.diff_range import DiffRange
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.diffs.pull_diff import read_diff
from stithy_pulls.documents.document_quotes import DocumentQuotes, find_quotes, format_quote_notes
from stithy_pulls.facts.fact_rules import NOT_READ, collect_facts
from stithy_pulls.facts.risk_facts import Fact, score_risk
from stithy_pulls.facts.secret_masking import LineMasker, mask_secrets
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.impact.file_categories import CATEGORIES, categorize_file
from stithy_pulls.suggestions.breaking_changes import find_breaking_changes, is_breaking
from stithy_pulls.suggestions.review_checklist import build_checklist
from stithy_pulls.suggestions.suggestion_results import PullMetadata, ReviewContext, ReviewFile, ReviewSuggestions
from stithy_pulls.tools import GetReviewSuggestions

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
"""Each word with what facts may be about."""


@frozen
class ReviewFocus:
    """What is wanted.

    Args:
        about: Of facts; empty for all.
        categories: Of files.
        unknown: Words that nothing here is about.
    """

    about: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out: also where no word is known, since no rule of ours is about it."""
        return not self.about and not self.categories

    def wants_fact(self, fact: Fact) -> bool:
        """Say whether a fact is about what is wanted."""
        return (
            self.is_all or fact.focus in self.about or bool(fact.path and categorize_file(fact.path) in self.categories)
        )

    def shows_file(self, path: str, facts: Sequence[Fact]) -> bool:
        """Say whether a file is, with the facts about it that are wanted."""
        return self.is_all or bool(facts) or categorize_file(path) in self.categories


def parse_focus(words: Sequence[str] | None) -> ReviewFocus:
    """Read the words."""
    given = [word.strip().lower() for word in words or ()]
    return ReviewFocus(
        about=frozenset(about for word in given for about in MEANT.get(word, ())),
        categories=frozenset(word for word in given if word in CATEGORIES),
        unknown=tuple(word for word in given if word not in MEANT and word not in CATEGORIES),
    )


SHARES = 4
"""One file gets at most this part of all lines, while others wait."""
LONGEST = 300
"""Characters of a line."""


@frozen
class DiffExcerpt:
    """Lines of one file: how many of them are shown, and how many there are."""

    text: str = ""
    shown: int = 0
    lines: int = 0


def allocate_excerpts(
    changes: Sequence[ChangedFile], facts: Mapping[str, Sequence[Fact]], most: int
) -> Mapping[str, DiffExcerpt]:
    """Share the lines out.

    Args:
        changes: The files, the most important first.
        facts: By path.
        most: How many lines of diff there may be.
    """
    share = max(most // min(max(len(changes), 1), SHARES), 1)
    given: dict[str, int] = {}
    left = most
    for limit in (share, most):  # what nobody needed goes to the first ones
        for change in changes:
            wanted = min(_length(change), limit) - given.get(change.path, 0)
            more = max(min(wanted, left), 0)
            given[change.path] = given.get(change.path, 0) + more
            left -= more
    return {change.path: _excerpt(change, facts.get(change.path, ()), given[change.path]) for change in changes}


def _hunks(change: ChangedFile) -> Sequence[DiffHunk]:
    return change.hunks if isinstance(change.hunks, tuple) else ()


def _length(change: ChangedFile) -> int:
    return sum(len(hunk.lines) + 1 for hunk in _hunks(change))


def _excerpt(change: ChangedFile, facts: Sequence[Fact], most: int) -> DiffExcerpt:
    """Take the hunks with the heaviest facts first, and show them in their order."""
    hunks = list(enumerate(_hunks(change)))
    ranked = sorted(hunks, key=lambda one: (-_weight(one[1], facts), one[0]))
    taken: dict[int, int] = {}
    left = most
    for place, hunk in ranked:
        if left > 1:
            taken[place] = min(len(hunk.lines), left - 1)
            left -= taken[place] + 1
    text = "\n".join(
        line for place, hunk in hunks if place in taken for line in _written(hunk, taken[place], change.path)
    )
    shown = sum(taken.values()) + len(taken)
    return DiffExcerpt(text, shown, _length(change))


def _weight(hunk: DiffHunk, facts: Sequence[Fact]) -> int:
    first, last = hunk.new_start, hunk.new_start + hunk.new_count
    return sum(fact.points + 1 for fact in facts if fact.line and first <= fact.line < last)


def _written(hunk: DiffHunk, most: int, path: str) -> Iterator[str]:
    masking = LineMasker(path)
    yield mask_secrets(hunk.header, path)
    for line in hunk.lines[:most]:
        text = masking.mask_line(line.text)
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}… [{len(text)} chars]"
        yield f"{line.kind.value}{text}"
    if most < len(hunk.lines):
        yield "…"


CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
CLOSING = re.compile(r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s*$", re.IGNORECASE)
SHORT = re.compile(r"(?<![\w/.#&-])(?P<repository>[\w.-]+/[\w.-]+)?#(?P<number>\d{1,9})\b")
MOST = 10


@frozen
class IssueMention:
    """Something that was named: `kind` is issue or pull, or empty where the text does not say."""

    ref: IssueRef
    kind: str = ""


@frozen
class IssueMentions:
    """What was named.

    Args:
        issues: Numbers of issues of this repository.
        pulls: Those of pull requests.
        elsewhere: What is in other repositories, as `owner/repo#n`.
        unasked: What was named and may be either, as `#n`.
    """

    issues: tuple[int, ...] = ()
    pulls: tuple[int, ...] = ()
    elsewhere: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


async def find_mentions(forge: Forge, pull: PullRequest, texts: Sequence[str]) -> IssueMentions:
    """Find what texts name, and ask the forge which of it are pull requests.

    Args:
        forge: The forge.
        pull: The pull request; itself is not among them.
        texts: Its description, and its commits' messages.
    """
    home = pull.ref.repository
    named = {one.ref: one for text in texts for one in parse_mentions(text, home, forge.config.url)}
    here = [one for one in named.values() if _same(one.ref.repository, home) and one.ref.number != pull.ref.number]
    kinds = await map_concurrently(here[:MOST], lambda one: _kind(forge, one))
    pairs = list(zip([one.ref.number for one in here], kinds, strict=False))
    return IssueMentions(
        issues=tuple(number for number, kind in pairs if kind == "issue"),
        pulls=tuple(number for number, kind in pairs if kind == "pull"),
        elsewhere=tuple(str(one.ref) for one in named.values() if not _same(one.ref.repository, home))[:MOST],
        unasked=tuple(f"#{number}" for number, kind in pairs if not kind)
        + tuple(f"#{one.ref.number}" for one in here[MOST:]),
    )


def parse_mentions(text: str, home: RepositoryRef, url: str) -> Iterator[IssueMention]:
    """Find what a text names, outside of code; a closing word before it makes it an issue.

    Args:
        text: Markdown.
        home: Which repository `#12` is in.
        url: Where people find the forge.
    """
    bare = CODE.sub(" ", text)
    for found in SHORT.finditer(bare):
        repository = _repository(found["repository"]) if found["repository"] else home
        kind = "issue" if CLOSING.search(bare[max(found.start() - 12, 0) : found.start()]) else ""
        yield IssueMention(IssueRef(repository, int(found["number"])), kind)
    page = re.compile(
        rf"{re.escape(url.rstrip('/'))}/(?P<name>[\w.-]+/[\w.-]+)/(?P<what>issues|pulls?)/(?P<number>\d{{1,9}})\b"
    )
    for found in page.finditer(bare):
        kind = "issue" if found["what"] == "issues" else "pull"
        yield IssueMention(IssueRef(_repository(found["name"]), int(found["number"])), kind)


def _repository(name: str) -> RepositoryRef:
    namespace, _, last = name.rpartition("/")
    return RepositoryRef(namespace, last)


def _same(one: RepositoryRef, other: RepositoryRef) -> bool:
    return str(one).lower() == str(other).lower()


async def _kind(forge: Forge, mention: IssueMention) -> str:
    """Ask which of the two it is; what the text says counts where the forge does not answer."""
    found = await attempted(forge.issues.get(mention.ref))
    if isinstance(found, Unknown):
        return mention.kind
    return "pull" if found.is_pull_request else "issue"


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


async def suggest_review(ctx: Context, args: GetReviewSuggestions) -> ReviewSuggestions:
    """Gather what a reviewer needs."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    commits = await attempted(forge.changes.commits(pull.ref))

    async def read(repository: GitRepository, _: DiffRange, diff: PullDiff) -> TouchedCode:
        parsed = select_parsable(diff.changes)
        return await ctx.thread(compare_definitions, parsed, await read_versions(repository, parsed))

    diff, code = await read_diff(ctx, forge, pull, read)
    messages = [] if isinstance(commits, Unknown) else [commit.message for commit in commits]
    study = ReviewStudy(
        pull=pull,
        diff=diff,
        code=code,
        facts=await ctx.thread(collect_facts, diff.changes, code),
        messages=(pull.title, *messages),
        unread_commits=commits.reason if isinstance(commits, Unknown) else commits.cut,
        mentions=await find_mentions(forge, pull, [pull.body, *messages]),
        quotes=await find_quotes(ctx, forge, pull, diff.paths),
        focus=parse_focus(args.focus_areas),
        most=args.max_diff_lines if args.include_diff else None,
    )
    return await ctx.thread(build_suggestions, study)
