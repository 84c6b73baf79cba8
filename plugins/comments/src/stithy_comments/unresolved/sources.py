"""Everything that is said on a pull request, read at once; what cannot be read is unknown, and the rest stands."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from stithy_comments.gathering import Reading, attempt, gather
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
class Sources:
    """What was read.

    Args:
        pull: The pull request.
        me: The token's user.
        threads: The conversations in the diff.
        reviews: The verdicts.
        comments: The general conversation.
        minimized: What the forge folds away, by id.
        resolving: Whether the forge resolves threads.
    """

    pull: PullRequest
    me: Maybe[User]
    threads: Maybe[Listing[Thread]]
    reviews: Maybe[Listing[Review]]
    comments: Maybe[Listing[Comment]]
    minimized: Maybe[Mapping[str, str]]
    resolving: Support

    def listings(self) -> dict[str, Maybe[Listing[Any]]]:
        """Give the three lists by what they are called in a result."""
        return {"threads": self.threads, "reviews": self.reviews, "general_comments": self.comments}

    def gaps(self) -> Iterable[str]:
        """Say what keeps the lists from being whole."""
        for name, listing in self.listings().items():
            reason = listing.reason if isinstance(listing, Unknown) else listing.cut
            if reason:
                yield f"{name.replace('_', ' ')}: {reason}"


async def read(forge: Forge, ref: PullRequestRef) -> Sources:
    """Read all of it.

    Raises:
        ForgeError: The pull request cannot be read, or none of the lists.
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
    return Sources(pull=pull, **found, resolving=await _resolving(forge))


async def _resolving(forge: Forge) -> Support:
    """Ask once in a server's life whether it resolves threads; one that does not answer that does not, for now."""
    found = await attempt(lambda: forge.supports(Threads.resolve))()
    return Support(supported=False, reason=found.reason, remedy=found.remedy) if isinstance(found, Unknown) else found
