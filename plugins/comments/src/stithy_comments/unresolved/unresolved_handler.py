"""The handler of `find_unresolved_comments` (PULL-20)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from stithy_comments.bots import same_identity
from stithy_comments.settings import CommentsSettings
from stithy_comments.text_format import format_lines
from stithy_comments.tools.unresolved_tool import FindUnresolved
from stithy_comments.unresolved.action_commands import CommandFactory
from stithy_comments.unresolved.unresolved_entries import UnresolvedEntry, create_entry
from stithy_comments.unresolved.unresolved_items import UnresolvedItem, UnresolvedItems
from stithy_comments.unresolved.unresolved_sources import UnresolvedSources, read_unresolved_sources
from stithy_core.spi import Context, Maybe, Page, Unknown, format_count

NAMES = {"review_comment": "thread", "review": "review", "issue_comment": "comment"}
MOST_AUTHORS, MOST_FILES = 30, 20
OTHERS = "(others)"
ORDERS: Mapping[str, Callable[[UnresolvedItem], Any]] = {
    "chronological": lambda _: (),
    "by_file": lambda ask: (not ask.path, ask.path, ask.line or 0),
    "by_author": lambda ask: ask.author.login.lower(),
}


@frozen(kw_only=True)
class UnresolvedSummary:
    """Counts of all `comments`, also of those on other pages (PULL-24).

    `total_comments` is unknown if `total_unresolved` is; the other counts are then those of the known entries.
    `resolution_unknown` counts the list of that name. `by_author` and `by_file` have the most frequent ones, and
    the sum of the rest as `(others)`. `left_out` counts comments and threads that are not listed, by reason.
    """

    total_comments: Maybe[int]
    by_author: Mapping[str, int]
    by_type: Mapping[str, int]
    by_file: Mapping[str, int]
    bot_comments: int
    human_comments: int
    with_reactions: Maybe[int]
    resolution_unknown: int | None
    left_out: Mapping[str, int]


@frozen(kw_only=True)
class UnresolvedResult:
    """The result of `find_unresolved_comments`.

    Args:
        total_unresolved: The number of `comments` on all pages; unknown if some may be missing.
        comments: The unresolved comments.
        resolution_unknown: Threads of which the forge does not report whether they are resolved; None without such.
        read: The number of threads, reviews and comments that were read.
    """

    pr: str
    total_unresolved: Maybe[int]
    comments: Page[UnresolvedEntry]
    resolution_unknown: Page[UnresolvedEntry] | None
    summary: UnresolvedSummary
    read: Mapping[str, Maybe[int]]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one or two per entry, then how to act on them."""
        return format_lines(self._lines())

    def _lines(self) -> Iterator[str]:
        shown, unclear = list(self.comments), list(self.resolution_unknown or ())
        yield f"{self._count()} on {self.pr}{self._kinds()}"
        for entry in shown:
            yield from entry.lines()
        if count := self.summary.resolution_unknown:
            yield f"In addition, {format_count(count, 'thread')} with unknown resolution:"
        for entry in unclear:
            yield from entry.lines()
        if left := self.summary.left_out:
            yield "Not listed: " + ", ".join(format_count(count, why.replace("_", " ")) for why, count in left.items())
        yield from _format_advice([*shown, *unclear])

    def _count(self) -> str:
        least = sum(self.summary.by_type.values())
        if isinstance(self.total_unresolved, Unknown):
            return f"At least {least} unresolved" if least else "No known unresolved comments"
        return f"{least} unresolved" if least else "No unresolved comments"

    def _kinds(self) -> str:
        kinds = self.summary.by_type
        counts = [format_count(kinds[kind], name) for kind, name in NAMES.items() if kind in kinds]
        bots = [f"{self.summary.bot_comments} by bots"] if self.summary.bot_comments else []
        return f": {', '.join(counts + bots)}" if counts else ""


async def find_unresolved(ctx: Context, args: FindUnresolved) -> UnresolvedResult:
    """Return the unresolved comments of a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    sources = await read_unresolved_sources(forge, ref)
    present = sources.pull.ref
    alias = "" if args.pr.startswith(str(ref.repository)) else forge.config.alias
    asks = UnresolvedItems(sources, ctx.settings(CommentsSettings).bots)
    listed = _select_items(asks, args)
    chosen, unclear = [ask for ask in listed if not ask.is_unclear], [ask for ask in listed if ask.is_unclear]
    commands = CommandFactory(forge, sources.pull, alias, sources.resolving)
    entries = [create_entry(ask, await commands.create(ask)) for ask in chosen]
    others = [create_entry(ask, await commands.create(ask)) for ask in unclear]
    total = _total(sources, len(entries), others)
    return UnresolvedResult(
        pr=str(present),
        total_unresolved=total,
        comments=_page(entries),
        resolution_unknown=_page(others) if others else None,
        summary=_summary(chosen, entries, total, len(others), asks.left_out),
        read={name: _length(listing) for name, listing in sources.listings().items()},
    )


def _page(entries: Sequence[UnresolvedEntry]) -> Page[UnresolvedEntry]:
    return Page(entries, key=lambda entry: entry.key)


def _select_items(asks: UnresolvedItems, args: FindUnresolved) -> list[UnresolvedItem]:
    """Return the items that the caller wants, sorted, and count the others as left out."""
    chosen = []
    for ask in asks.all:
        if ask.is_bot and not args.include_bots:
            asks.left_out["bot_comment"] += 1
        elif any(same_identity(ask.author.login, name) for name in args.exclude_authors):
            asks.left_out["excluded_comment"] += 1
        else:
            chosen.append(ask)
    chosen.sort(key=lambda ask: ask.sort_key)
    return sorted(chosen, key=ORDERS[args.sort])


def _total(sources: UnresolvedSources, count: int, unclear: Sequence[UnresolvedEntry]) -> Maybe[int]:
    if gaps := list(sources.gaps()):
        failed = [listing.remedy for listing in sources.listings().values() if isinstance(listing, Unknown)]
        remedy = next(filter(None, failed), f"Read the rest on its page: {sources.pull.url}")
        return Unknown(f"at least {count}: some lists could not be read completely ({'; '.join(gaps)})", remedy)
    if unclear:
        why = unclear[0].resolved
        reason, remedy = (why.reason, why.remedy) if isinstance(why, Unknown) else ("", "")
        threads = format_count(len(unclear), "thread")
        return Unknown(f"at least {count}: {threads} with unknown resolution; {reason}", remedy)
    return count


def _length(listing: Maybe[Sequence[Any]]) -> Maybe[int]:
    return listing if isinstance(listing, Unknown) else len(listing)


def _summary(
    chosen: Sequence[UnresolvedItem],
    entries: Sequence[UnresolvedEntry],
    total: Maybe[int],
    unclear: int,
    left_out: Mapping[str, int],
) -> UnresolvedSummary:
    bots = sum(ask.is_bot for ask in chosen)
    return UnresolvedSummary(
        total_comments=total,
        by_author=_most(Counter(ask.author.login for ask in chosen), MOST_AUTHORS),
        by_type=dict(Counter(ask.kind for ask in chosen)),
        by_file=_most(Counter(ask.path for ask in chosen if ask.path), MOST_FILES),
        bot_comments=bots,
        human_comments=len(chosen) - bots,
        with_reactions=_with_reactions(entries),
        resolution_unknown=unclear or None,
        left_out=dict(sorted(left_out.items())),
    )


def _most(counts: Counter[str], most: int) -> dict[str, int]:
    """Return the most frequent names with their counts, and the sum of the others."""
    if len(counts) <= most:
        return dict(counts.most_common())
    first = dict(counts.most_common(most - 1))
    return first | {OTHERS: counts.total() - sum(first.values())}


def _with_reactions(entries: Iterable[UnresolvedEntry]) -> Maybe[int]:
    reactions = [entry.reactions for entry in entries]
    unknown = next((one for one in reactions if isinstance(one, Unknown)), None)
    return sum(one is not None for one in reactions) if unknown is None else unknown


def _format_advice(shown: Sequence[UnresolvedEntry]) -> Iterator[str]:
    """Iterate over the lines that say how to act on the entries, once for each kind."""
    threads = [entry.action_commands for entry in shown if entry.thread_id]
    of_thread = next((one for one in threads if one.replies_in_thread), threads[0] if threads else None)
    of_body = next((entry.action_commands for entry in shown if not entry.thread_id), None)
    either = of_thread or of_body
    if either and not either.reply_call and not either.resolve_call:
        yield either.resolve_condition
    if of_thread and of_thread.reply_call and of_thread.replies_in_thread:
        yield f"To reply to a thread: {of_thread.reply_call.format_text(comment_id='ID')}"
    if of_thread and of_thread.resolve_call:
        yield f"ONLY after verifying the fix: {of_thread.resolve_call.format_text(thread_id='THREAD')}"
    elif of_thread and of_thread.reply_call:
        yield f"Resolving: {of_thread.resolve_condition}"
    if of_body and of_body.reply_call:
        yield f"To reply to a comment or review: {of_body.reply_call.format_text(comment='Re URL: YOUR_RESPONSE_HERE')}"
