"""The lists that unresolved items come from, read concurrently; a list that cannot be read is unknown."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from stithy_comments.partial_reads import Reading, attempt, gather
from stithy_core.spi import (
    Comment,
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


@frozen(kw_only=True)
class UnresolvedSources:
    """The lists of a pull request.

    Args:
        pull: The pull request.
        me: The token's user.
        threads: The review threads.
        reviews: The reviews.
        comments: The general comments.
        minimized: The reasons why comments are minimized, by comment id.
        resolving: Whether the forge can resolve threads.
    """

    pull: PullRequest
    me: Maybe[User]
    threads: Maybe[Listing[Thread]]
    reviews: Maybe[Listing[Review]]
    comments: Maybe[Listing[Comment]]
    minimized: Maybe[Mapping[str, str]]
    resolving: Support

    def listings(self) -> dict[str, Maybe[Listing[Any]]]:
        """Return the three lists by their names in the result."""
        return {"threads": self.threads, "reviews": self.reviews, "general_comments": self.comments}

    def gaps(self) -> Iterable[str]:
        """Iterate over the reasons why lists are incomplete."""
        for name, listing in self.listings().items():
            reason = listing.reason if isinstance(listing, Unknown) else listing.cut
            if reason:
                yield f"{name.replace('_', ' ')}: {reason}"


async def read_unresolved_sources(forge: Forge, ref: PullRequestRef) -> UnresolvedSources:
    """Read all lists of a pull request.

    Raises:
        ForgeError: The pull request cannot be read, or all three lists cannot.
    """
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
