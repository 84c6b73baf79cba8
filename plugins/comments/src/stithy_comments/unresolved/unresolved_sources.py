"""The lists that unresolved items come from, read concurrently; a list that cannot be read is unknown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from stithy_comments.partial_reads import Reading, attempt, gather, read_with_conversation
from stithy_core.spi import (
    Comment,
    CommentBlock,
    Forge,
    Listing,
    Maybe,
    PullRequest,
    PullRequestRef,
    Review,
    Support,
    Thread,
    Threads,
    Unknown,
    User,
)

BLOCK = 100
"""Comments of a block."""


@frozen(kw_only=True)
class UnresolvedSources:
    """The lists of a pull request.

    Args:
        pull: The pull request.
        me: The token's user.
        threads: The review threads.
        reviews: The reviews.
        comments: The general comments.
        minimized: The reasons why reviews and comments are minimized, by id. Comments that were read by blocks have
            their own.
        resolving: Whether the forge can resolve threads.
        by_blocks: Whether the comments are read by blocks of `BLOCK`, the newest first.
        before: The cursor of the comments before those that were read; empty if all were.
    """

    pull: PullRequest
    me: Maybe[User]
    threads: Maybe[Listing[Thread]]
    reviews: Maybe[Listing[Review]]
    comments: Maybe[Listing[Comment]]
    minimized: Maybe[Mapping[str, str]]
    resolving: Support
    by_blocks: bool = False
    before: str = ""

    def listings(self) -> dict[str, Maybe[Listing[Any]]]:
        """Return the three lists by their names in the result."""
        return {"threads": self.threads, "reviews": self.reviews, "general_comments": self.comments}


def find_gaps(listings: Mapping[str, Maybe[Listing[Any]]]) -> Iterator[tuple[str, str]]:
    """Iterate over the names of incomplete lists, each with the reason."""
    for name, listing in listings.items():
        if reason := listing.reason if isinstance(listing, Unknown) else listing.cut:
            yield name, reason


async def read_unresolved_sources(forge: Forge, ref: PullRequestRef) -> UnresolvedSources:
    """Read the lists of a pull request; of the comments at least the newest.

    Raises:
        ForgeError: The pull request cannot be read, or all three lists cannot.
    """
    together = await read_with_conversation(forge, ref)
    if together is None:
        return await _read_lists(forge, ref)
    pull, found = together
    return UnresolvedSources(
        pull=pull,
        me=found.viewer,
        threads=found.threads,
        reviews=found.reviews,
        comments=_mark_as_cut(found.newest),
        minimized=found.minimized,
        resolving=await _resolving(forge),
        by_blocks=bool(found.newest.before),
        before=found.newest.before,
    )


async def read_earlier_comments(forge: Forge, sources: UnresolvedSources) -> UnresolvedSources:
    """Read the block of comments before those that were read; `sources.before` is not empty."""
    block = await forge.comments.block(sources.pull.ref, before=sources.before)
    later = () if isinstance(sources.comments, Unknown) else sources.comments.items
    return evolve(sources, comments=_mark_as_cut(block, later), before=block.before)


def _mark_as_cut(block: CommentBlock, later: Sequence[Comment] = ()) -> Listing[Comment]:
    """Return the comments of a block and those after it; `cut` says so if there are others before."""
    comments, total = (*block.comments, *later), block.comments.total
    whole = "" if total is None else f" of {total:,}"
    cut = f"only the newest {len(comments):,}{whole} were read" if block.before else ""
    return Listing(comments, total=total, cut=cut)


async def _read_lists(forge: Forge, ref: PullRequestRef) -> UnresolvedSources:
    """Read each list by itself."""
    readings: dict[str, Reading[Any]] = {
        "me": forge.identity.me,
        "threads": lambda: forge.threads.list(ref),
        "reviews": lambda: forge.reviews.list(ref),
        "comments": lambda: forge.comments.list(ref),
        "minimized": lambda: forge.comments.minimized(ref),
    }
    lists = "threads", "reviews", "comments"
    pull, found = await gather(lambda: forge.pull_requests.get(ref), readings, one_of=lists)
    return UnresolvedSources(pull=pull, **found, resolving=await _resolving(forge))


async def _resolving(forge: Forge) -> Support:
    """Return whether the forge can resolve threads; not for now if it does not answer. The forge keeps the answer."""
    found = await attempt(lambda: forge.supports(Threads.resolve))()
    return Support(supported=False, reason=found.reason, remedy=found.remedy) if isinstance(found, Unknown) else found
