"""Everything that is said on a pull request, read at once; what cannot be read is unknown, and the rest stands."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from attrs import frozen

from stithy_comments.gathering import Failed, attempt
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
    each,
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
    readings: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: forge.pull_requests.get(ref),
        attempt(forge.identity.me),
        attempt(lambda: forge.threads.of(ref)),
        attempt(lambda: forge.reviews.of(ref)),
        attempt(lambda: forge.comments.of(ref)),
        attempt(lambda: forge.comments.minimized(ref)),
    )
    names = ("pull", "me", "threads", "reviews", "comments", "minimized")
    given = dict(zip(names, await each(readings, lambda reading: reading()), strict=True))
    found = Sources(**given, resolving=await _resolving(forge))
    failed = [listing for listing in found.listings().values() if isinstance(listing, Failed)]
    if len(failed) == len(found.listings()) and failed[0].error:
        raise failed[0].error
    return found


async def _resolving(forge: Forge) -> Support:
    """Ask once in a server's life whether it resolves threads; one that does not answer that does not, for now."""
    found = await attempt(lambda: forge.supports(Threads.resolve))()
    return Support(supported=False, reason=found.reason, remedy=found.remedy) if isinstance(found, Unknown) else found
