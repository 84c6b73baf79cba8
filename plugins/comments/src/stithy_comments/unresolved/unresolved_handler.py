"""The handler of `find_unresolved_comments` (PULL-20)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from stithy_comments.bots import same_identity
from stithy_comments.kept_reads import PageSource, format_changed, read_for_page
from stithy_comments.settings import CommentsSettings
from stithy_comments.text_format import UrlPatterns, format_lines
from stithy_comments.tools.unresolved_tool import FindUnresolved, UnresolvedKind
from stithy_comments.unresolved.action_commands import CommandFactory, CommandPatterns
from stithy_comments.unresolved.unresolved_advice import format_advice
from stithy_comments.unresolved.unresolved_entries import FORMS, UnresolvedEntry, create_entry
from stithy_comments.unresolved.unresolved_items import UnresolvedItem, UnresolvedItems
from stithy_comments.unresolved.unresolved_sources import (
    UnresolvedSources,
    find_gaps,
    read_earlier_comments,
    read_unresolved_sources,
)
from stithy_core.spi import Context, Forge, ForgeError, Hint, Maybe, Page, Unknown, format_count

MOST_AUTHORS, MOST_FILES = 30, 20
OTHERS = "(others)"
ENOUGH = 60
"""Items of a page; few answers can have more."""
MOST_BLOCKS = 20
"""Blocks of comments that one call reads beyond the newest: a request each, one after the other."""
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
        unread_comments: The number of older general comments that further pages read.
        changed: True if the pull request changed since the previous page.
    """

    pr: str
    total_unresolved: Maybe[int]
    comments: Page[UnresolvedEntry]
    resolution_unknown: Page[UnresolvedEntry] | None
    action_commands: CommandPatterns
    summary: UnresolvedSummary
    read: Mapping[str, Maybe[int]]
    unread_comments: int | None = None
    changed: bool | None = None

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text: one or two per entry, then how to act on them."""
        return format_lines(self._lines())

    def _lines(self) -> Iterator[str]:
        shown, unclear = list(self.comments), list(self.resolution_unknown or ())
        every = [*shown, *unclear]
        patterns = UrlPatterns.find(entry.named_url for entry in every)
        yield f"{self._count()} on {self.pr}{self._kinds()}"
        for entry in shown:
            yield from entry.lines(patterns)
        if count := self.summary.resolution_unknown:
            yield f"In addition, {format_count(count, 'thread')} with unknown resolution:"
        for entry in unclear:
            yield from entry.lines(patterns)
        yield from self._describe_page(every)
        if left := self.summary.left_out:
            yield "Not listed: " + ", ".join(format_count(count, why.replace("_", " ")) for why, count in left.items())
        yield from format_advice(self.action_commands, every)
        yield from patterns.lines()
        yield from format_changed(changed=self.changed)

    def _count(self) -> str:
        least = sum(self.summary.by_type.values())
        if isinstance(self.total_unresolved, Unknown):
            bound = self.total_unresolved.reason.partition(":")[0].capitalize()
            return f"{bound} unresolved" if least else "No known unresolved comments"
        return f"{least} unresolved" if least else "No unresolved comments"

    def _kinds(self) -> str:
        kinds = self.summary.by_type
        counts = [format_count(kinds[kind], name) for kind, name in FORMS.items() if kind in kinds]
        bots = [f"{self.summary.bot_comments} by bots"] if self.summary.bot_comments else []
        return f": {', '.join(counts + bots)}" if counts else ""

    def _describe_page(self, shown: Sequence[UnresolvedEntry]) -> Iterator[str]:
        """Iterate over the line with the number of each kind on this page; none if all are, and all were read."""
        unclear = {"review_comment": self.summary.resolution_unknown or 0}
        whole = Counter(self.summary.by_type) + Counter(unclear)
        here = Counter(entry.type for entry in shown)
        if whole != here or self.unread_comments:
            kinds = [(kind, name) for kind, name in FORMS.items() if whole[kind]]
            parts = [f"{here[kind]} of {format_count(whole[kind], name)}" for kind, name in kinds]
            yield Hint(f"This page has {', '.join(parts) or 'no comments'}{self._describe_unread()}")

    def _describe_unread(self) -> str:
        """Return how many comments were not read, if others follow."""
        if not self.unread_comments:
            return ""
        how = "not read yet, with the cursor" if self.comments.partial else "not read"
        return f"; {format_count(self.unread_comments, 'older comment')} {how}"


async def find_unresolved(ctx: Context, args: FindUnresolved) -> UnresolvedResult:
    """Return the unresolved comments of a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    found = await read_for_page(
        ctx,
        forge,
        ref,
        "unresolved",
        lambda: read_unresolved_sources(forge, ref),
        subject_of=lambda sources: sources.pull,
        parts=lambda sources: sources.listings().values(),
    )
    sources, asks, listed, continues = await _read_enough(ctx, forge, found, args)
    present = sources.pull.ref
    alias = "" if args.pr.startswith(str(ref.repository)) else forge.config.alias
    chosen, unclear = [ask for ask in listed if not ask.is_unclear], [ask for ask in listed if ask.is_unclear]
    commands = CommandFactory(forge, sources.pull, alias, sources.resolving)
    entries, others = [*map(create_entry, chosen)], [*map(create_entry, unclear)]
    total = _total(sources, args, len(entries), others, continues=continues)
    return UnresolvedResult(
        pr=str(present),
        total_unresolved=total,
        comments=_page(entries, partial=continues),
        resolution_unknown=_page(others) if others else None,
        action_commands=await commands.create(listed),
        summary=_summary(chosen, entries, total, len(others), asks.left_out),
        read={name: _length(listing) for name, listing in sources.listings().items()},
        unread_comments=_count_unread(sources, args),
        changed=found.changed or None,
    )


async def _read_enough(
    ctx: Context, forge: Forge, found: PageSource[UnresolvedSources], args: FindUnresolved
) -> tuple[UnresolvedSources, UnresolvedItems, list[UnresolvedItem], bool]:
    """Return the lists, read further if they have too few items for a page, with their items and the selected ones.

    One more block of comments is read for a page, and others only if none of it is unresolved, up to `MOST_BLOCKS`.
    The last value is whether a further page continues after them: a page needs an item for that.

    Raises:
        ForgeError: A block cannot be read, and nothing was found before it.
    """
    sources, seen, blocks = found.value, None, 0
    while True:
        asks = UnresolvedItems(sources, ctx.settings(CommentsSettings).bots)
        listed = _select_items(asks, args)
        seen = len(listed) if seen is None else seen  # where the last item seen is gone, what a block adds is new
        left = _count_behind(listed, ctx.after, seen)
        more = _has_more(sources, args)
        whole = sources, asks, listed, more and left > 0
        if not more or left >= ENOUGH or (left and blocks) or blocks == MOST_BLOCKS:
            return whole
        try:
            sources = await read_earlier_comments(forge, sources)
        except ForgeError:
            if not left:
                raise
            return whole  # it makes a page, and the next one reads on
        found.keep(sources)
        blocks += 1


def _has_more(sources: UnresolvedSources, args: FindUnresolved) -> bool:
    """Return whether comments that were not read may belong to the list."""
    return bool(sources.before) and "comments" in args.kinds


def _count_unread(sources: UnresolvedSources, args: FindUnresolved) -> int | None:
    comments = sources.comments
    if not _has_more(sources, args) or isinstance(comments, Unknown) or comments.total is None:
        return None
    return comments.total - len(comments)


def _count_behind(listed: Sequence[UnresolvedItem], after: str | None, seen: int) -> int:
    """Return the number of items behind the last one seen; if that is gone, of those behind the first `seen` ones."""
    if after is None:
        return len(listed)
    keys = [item.key for item in listed]
    return max(0, len(keys) - (keys.index(after) + 1 if after in keys else seen))


def _page(entries: Sequence[UnresolvedEntry], *, partial: bool = False) -> Page[UnresolvedEntry]:
    return Page(entries, key=lambda entry: entry.key, partial=partial)


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
    return sorted(chosen, key=lambda ask: (ask.rank, ask.block, ORDERS[args.sort](ask), ask.sort_key))


def _total(
    sources: UnresolvedSources,
    args: FindUnresolved,
    count: int,
    unclear: Sequence[UnresolvedEntry],
    *,
    continues: bool,
) -> Maybe[int]:
    """Return the number of items on all pages; unknown if a list that decides it is incomplete.

    Threads alone depend on no other list. A review may be answered in a comment, so that there are at most as many
    unanswered ones as were found if comments are missing.
    """
    listings = sources.listings()
    if set(args.kinds) == {"threads"}:
        listings = {"threads": sources.threads}
    if gaps := dict(find_gaps(listings)):
        own = any(name.removeprefix("general_") in args.kinds for name in gaps)
        failed = [listing.remedy for listing in listings.values() if isinstance(listing, Unknown)]
        rest = "Call again with nextCursor." if continues else f"Read the rest on its page: {sources.pull.url}"
        remedy = next(filter(None, failed), rest)
        named = "; ".join(f"{name.replace('_', ' ')}: {gap}" for name, gap in gaps.items())
        bound = f"at {'least' if own else 'most'} {count}"
        return Unknown(f"{bound}: some lists could not be read completely ({named})", remedy)
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
