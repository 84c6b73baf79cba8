"""The handler of `find_unresolved_comments` (PULL-20)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from stithy_comments.bots import same_identity
from stithy_comments.settings import CommentsSettings
from stithy_comments.text_format import format_lines
from stithy_comments.tools.unresolved_tool import FindUnresolved, UnresolvedKind
from stithy_comments.unresolved.action_commands import CommandFactory, CommandPatterns
from stithy_comments.unresolved.unresolved_advice import find_url_patterns, format_advice
from stithy_comments.unresolved.unresolved_entries import FORMS, UnresolvedEntry, create_entry
from stithy_comments.unresolved.unresolved_items import UnresolvedItem, UnresolvedItems
from stithy_comments.unresolved.unresolved_sources import UnresolvedSources, read_unresolved_sources
from stithy_core.spi import Context, Hint, Maybe, Page, Unknown, format_count

MOST_AUTHORS, MOST_FILES = 30, 20
OTHERS = "(others)"
KINDS: Mapping[str, UnresolvedKind] = {"review_comment": "threads", "review": "reviews", "issue_comment": "comments"}
ORDERS: Mapping[str, Callable[[UnresolvedItem], Any]] = {
    "chronological": lambda _: (),
    "by_file": lambda ask: (not ask.path, ask.path, ask.line or 0),
    "by_author": lambda ask: ask.author.login.lower(),
}
"""The orders within a kind."""


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
    with_reactions: int
    resolution_unknown: int | None
    left_out: Mapping[str, int]


@frozen(kw_only=True)
class UnresolvedResult:
    """The result of `find_unresolved_comments`.

    Args:
        total_unresolved: The number of `comments` on all pages; unknown if some may be missing.
        comments: The unresolved comments: threads, reviews that request changes, other reviews, general comments.
        resolution_unknown: Threads of which the forge does not report whether they are resolved; None without such.
        action_commands: The commands for all entries.
        read: The number of threads, reviews and comments that were read.
    """

    pr: str
    total_unresolved: Maybe[int]
    comments: Page[UnresolvedEntry]
    resolution_unknown: Page[UnresolvedEntry] | None
    action_commands: CommandPatterns
    summary: UnresolvedSummary
    read: Mapping[str, Maybe[int]]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one or two per entry, then how to act on them."""
        return format_lines(self._lines())

    def _lines(self) -> Iterator[str]:
        shown, unclear = list(self.comments), list(self.resolution_unknown or ())
        every = [*shown, *unclear]
        patterns = find_url_patterns(every)
        with_urls = patterns is None
        yield f"{self._count()} on {self.pr}{self._kinds()}"
        for entry in shown:
            yield from entry.lines(with_url=with_urls)
        if count := self.summary.resolution_unknown:
            yield f"In addition, {format_count(count, 'thread')} with unknown resolution:"
        for entry in unclear:
            yield from entry.lines(with_url=with_urls)
        yield from self._describe_page(every)
        if left := self.summary.left_out:
            yield "Not listed: " + ", ".join(format_count(count, why.replace("_", " ")) for why, count in left.items())
        yield from format_advice(self.action_commands, every)
        if patterns:
            yield "URL: " + ", ".join(patterns)

    def _count(self) -> str:
        least = sum(self.summary.by_type.values())
        if isinstance(self.total_unresolved, Unknown):
            return f"At least {least} unresolved" if least else "No known unresolved comments"
        return f"{least} unresolved" if least else "No unresolved comments"

    def _kinds(self) -> str:
        kinds = self.summary.by_type
        counts = [format_count(kinds[kind], name) for kind, name in FORMS.items() if kind in kinds]
        bots = [f"{self.summary.bot_comments} by bots"] if self.summary.bot_comments else []
        return f": {', '.join(counts + bots)}" if counts else ""

    def _describe_page(self, shown: Sequence[UnresolvedEntry]) -> Iterator[str]:
        """Iterate over the line with the number of each kind on this page; none if all are."""
        unclear = {"review_comment": self.summary.resolution_unknown or 0}
        whole = Counter(self.summary.by_type) + Counter(unclear)
        here = Counter(entry.type for entry in shown)
        if whole != here:
            kinds = [(kind, name) for kind, name in FORMS.items() if whole[kind]]
            parts = [f"{here[kind]} of {format_count(whole[kind], name)}" for kind, name in kinds]
            yield Hint(f"This page has {', '.join(parts)}")


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
    entries, others = [*map(create_entry, chosen)], [*map(create_entry, unclear)]
    total = _total(sources, len(entries), others)
    return UnresolvedResult(
        pr=str(present),
        total_unresolved=total,
        comments=_page(entries),
        resolution_unknown=_page(others) if others else None,
        action_commands=await commands.create(listed),
        summary=_summary(chosen, entries, total, len(others), asks.left_out),
        read={name: _length(listing) for name, listing in sources.listings().items()},
    )


def _page(entries: Sequence[UnresolvedEntry]) -> Page[UnresolvedEntry]:
    return Page(entries, key=lambda entry: entry.key)


def _select_items(asks: UnresolvedItems, args: FindUnresolved) -> list[UnresolvedItem]:
    """Return the items that the caller wants, sorted, and count the others as left out."""
    chosen = []
    for ask in asks.all:
        if KINDS[ask.kind] not in args.kinds:
            asks.left_out[f"unrequested_{FORMS[ask.kind]}"] += 1
        elif ask.is_bot and not args.include_bots:
            asks.left_out["bot_comment"] += 1
        elif any(same_identity(ask.author.login, name) for name in args.exclude_authors):
            asks.left_out["excluded_comment"] += 1
        else:
            chosen.append(ask)
    return sorted(chosen, key=lambda ask: (ask.rank, ORDERS[args.sort](ask), ask.sort_key))


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
        with_reactions=sum(entry.reactions is not None for entry in entries),
        resolution_unknown=unclear or None,
        left_out=dict(sorted(left_out.items())),
    )


def _most(counts: Counter[str], most: int) -> dict[str, int]:
    """Return the most frequent names with their counts, and the sum of the others."""
    if len(counts) <= most:
        return dict(counts.most_common())
    first = dict(counts.most_common(most - 1))
    return first | {OTHERS: counts.total() - sum(first.values())}
