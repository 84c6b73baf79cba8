"""The handler of `get_pull_request_conversation`, and its result."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve, frozen

from stithy_comments.kept_reads import format_changed, read_for_page
from stithy_comments.settings import CommentsSettings
from stithy_comments.stream.merged_stream import ConversationStream, merge_sources
from stithy_comments.stream.stream_items import NormalizedComment, format_page_key
from stithy_comments.stream.stream_selection import ALL, KEY_EVENTS, Selection, format_utc
from stithy_comments.stream.stream_sources import StreamSources, read_stream_sources
from stithy_comments.stream.summary import ConversationSummary, summarize_stream
from stithy_comments.suggested_code import excerpt_with_code
from stithy_comments.text_format import UrlPatterns, format_lines
from stithy_comments.tools.stream_tool import GetConversation
from stithy_core.spi import Context, InvalidArguments, Listing, Maybe, Page, Unknown

SHORT = 10
"""Characters of a commit's SHA that are shown."""
SHOWN = 600
"""Characters of a body that are shown; `pull_request_read` returns the whole."""


@frozen(kw_only=True)
class SourceCounts:
    """Number of objects read, by list; unknown if a list could not be read, None if it was not requested."""

    comments: Maybe[int] | None = None
    reviews: Maybe[int] | None = None
    threads: Maybe[int] | None = None
    timeline: Maybe[int] | None = None


@frozen(kw_only=True)
class ConversationResult:
    """The result of `get_pull_request_conversation`.

    Args:
        total: The number of items within the bounds; None if a list could not be read completely.
        read: The number of objects in the forge's lists.
        left_out: What exists and is left out, with the reason.
        changed: True if it changed since the previous page.
        summary: The summary of all items within the bounds, also those beyond `max_items`; on the first page only.
    """

    pull_request: str
    total: int | None
    read: SourceCounts
    left_out: tuple[str, ...] | None
    changed: bool | None = None
    comments: Page[NormalizedComment]
    summary: ConversationSummary | None = None

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: the summary, then one line per item with its facts and an excerpt."""
        rows = list(self.comments)
        commit = _find_usual_commit(rows)
        count = f"{len(rows)} of {self.total if self.total is not None else 'an unknown number of'} items"
        reviewed = f"; reviews are of {commit[:SHORT]} unless marked" if commit else ""
        yield f"{'No items' if self.total == 0 else count} on {self.pull_request}{reviewed}"
        if self.summary:
            yield self.summary.text
        yield from format_lines(f"Left out: {reason}" for reason in self.left_out or ())
        yield from format_lines(line for row in rows for line in _format_item(row, commit))
        yield from format_lines(_format_addresses(rows))
        yield from format_changed(changed=self.changed)


def create_conversation_result(stream: ConversationStream, summary: ConversationSummary | None) -> ConversationResult:
    """Create the tool's result from a stream."""
    counts = {name: _count(listing) for name, listing in stream.sources.lists().items()}
    return ConversationResult(
        pull_request=str(stream.sources.subject.ref),
        total=stream.total,
        read=SourceCounts(**counts),
        left_out=tuple(stream.describe_omissions(f'events=["{ALL}"]')) or None,
        comments=Page([entry.row for entry in stream.newest], key=format_page_key, total=stream.total),
        summary=summary,
    )


def _count(listing: Maybe[Listing[Any]]) -> Maybe[int]:
    return listing if isinstance(listing, Unknown) else len(listing)


def _find_usual_commit(rows: Iterable[NormalizedComment]) -> str:
    """Return the commit of most reviews and review comments; empty without any."""
    commits = Counter(row.commit_id for row in rows if row.commit_id and row.type == "review")
    return commits.most_common(1)[0][0] if commits else ""


def _format_item(row: NormalizedComment, usual: str) -> Iterator[str]:
    facts = ", ".join((row.type, _login(row), *_facts(row, usual)))
    return excerpt_with_code(f"- [{row.id}] {facts}: ", row.body, SHOWN)


def _format_addresses(rows: Sequence[NormalizedComment]) -> Iterator[str]:
    """Iterate over the lines with the URLs: a pattern for each kind of items, and those of the items with another."""
    named = [(_name_kind(row), row.id, row.html_url) for row in rows]
    patterns = UrlPatterns.find(named)
    yield from patterns.lines()
    others = {url: name for kind, name, url in reversed(named) if not patterns.cover(kind, name, url)}
    yield from (f"URL of {name}: {url}" for url, name in reversed(others.items()))
    whole = [row for row in rows if len(row.body) > SHOWN]
    if whole:
        yield f"A whole text: pull_request_read with id=ID and method={'|'.join(dict.fromkeys(map(_reader, whole)))}"


def _name_kind(row: NormalizedComment) -> str:
    return "review comment" if row.type == "review" and row.file_path is not None else row.type


def _reader(row: NormalizedComment) -> str:
    return {"review": "get_reviews", "issue": "get_comments"}.get(_name_kind(row), "get_review_comments")


def _login(row: NormalizedComment) -> str:
    login = row.author.login
    name = str(login.shown if isinstance(login, Unknown) else login)
    return f"{name} (bot)" if row.author.type == "Bot" else name


def _facts(row: NormalizedComment, usual: str) -> Iterator[str]:
    created, updated = row.created_at, row.updated_at
    if not isinstance(created, Unknown):
        yield format_utc(created)
    if not isinstance(updated, Unknown) and updated != created:
        yield f"updated {format_utc(updated)}"
    if row.commit_id and (row.commit_id != usual or row.type != "review"):
        yield f"commit {row.commit_id[:SHORT]}"
    if row.review_state is not None and not isinstance(row.review_state, Unknown):
        yield row.review_state
    if row.file_path is not None:
        yield row.file_path if row.line is None else f"{row.file_path}:{row.line}"
    if row.in_reply_to_id is not None:
        yield f"answers {row.in_reply_to_id}"


async def get_conversation(ctx: Context, args: GetConversation) -> ConversationResult:
    """Return the conversation of a pull request as one stream."""
    selection = _selection(args, ctx.settings(CommentsSettings).bots)
    forge, ref = await ctx.pull_request(args.pr)
    # The lists that the selection needs, and what the forge itself leaves out of them.
    reviews = selection.wants_verdicts, selection.wants_review_events
    wanted = (tuple(selection.include), *reviews, selection.since, selection.suits_conversation and selection.most)
    found = await read_for_page(
        ctx,
        forge,
        ref,
        ("stream", wanted),
        lambda: read_stream_sources(forge, ref, selection),
        subject_of=lambda sources: sources.subject,
        parts=lambda sources: sources.lists().values(),
    )
    page = await ctx.thread(_create_page, found.value, selection, args, summed=ctx.after is None)
    return evolve(page, changed=found.changed or None)


def _create_page(
    sources: StreamSources, selection: Selection, args: GetConversation, *, summed: bool
) -> ConversationResult:
    stream = merge_sources(sources, selection)
    return create_conversation_result(
        stream, summarize_stream(stream, args.summarize, args.summary_budget_chars) if summed else None
    )


def _selection(args: GetConversation, bots: Collection[str]) -> Selection:
    """Create the selection from the tool's arguments.

    Raises:
        InvalidArguments: Two arguments contradict each other.
    """
    if args.events is not None and "timeline" not in args.include:
        raise _contradiction("events", "requires timeline in include", list(args.events))
    if args.since and args.until and args.until < args.since:
        raise _contradiction("until", "must not be before since", args.until.isoformat())
    return Selection(
        include=args.include,
        events=KEY_EVENTS if args.events is None else args.events,
        since=args.since,
        until=args.until,
        most=args.max_items,
        bots=bots,
        whole=args.summarize != "none",
    )


def _contradiction(argument: str, problem: str, value: object) -> InvalidArguments:
    message = f"{argument} {problem}"
    row = {"path": argument, "given": str(value), "allowed": "what the other arguments allow", "message": message}
    return InvalidArguments(message, suggestion="Correct the arguments.", details={"errors": [row]})
