"""Reading what a stream is made of, all at once; what cannot be read is unknown, and the rest stands."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from stithy_comments.gathering import Reading, gather
from stithy_comments.stream.selection import Selection
from stithy_core.spi import (
    Comment,
    Event,
    Forge,
    Listing,
    Maybe,
    PullRequest,
    PullRequestRef,
    Review,
    Thread,
    Unknown,
)

MOST_EVENTS = 10_000


@frozen(kw_only=True)
class Sources:
    """What was read; None stands for what nobody asked for.

    Args:
        pull: The pull request.
        comments: The general conversation.
        reviews: The verdicts.
        threads: The conversations in the diff.
        timeline: What happened.
    """

    pull: PullRequest
    comments: Maybe[Listing[Comment]] | None = None
    reviews: Maybe[Listing[Review]] | None = None
    threads: Maybe[Listing[Thread]] | None = None
    timeline: Maybe[Listing[Event]] | None = None

    def lists(self) -> dict[str, Maybe[Listing[Any]]]:
        """Give what was asked for, by name."""
        named = {name: getattr(self, name) for name in ("comments", "reviews", "threads", "timeline")}
        return {name: listing for name, listing in named.items() if listing is not None}

    def cuts(self) -> Iterator[str]:
        """Say of what was read why there is more."""
        for name, listing in self.lists().items():
            if not isinstance(listing, Unknown) and listing.cut:
                yield f"{name}: {listing.cut}"
        for thread in () if self.threads is None or isinstance(self.threads, Unknown) else self.threads:
            if thread.cut:
                yield f"thread {thread.id} on {thread.path}: {thread.cut}"

    def faults(self) -> Iterator[str]:
        """Say of what could not be read why."""
        for name, listing in self.lists().items():
            if isinstance(listing, Unknown):
                yield f"{name} could not be read: {listing.reason}"


async def read(forge: Forge, ref: PullRequestRef, selection: Selection) -> Sources:
    """Read what a selection needs.

    Raises:
        ForgeError: The pull request cannot be read, or nothing else of it.
    """
    readings = _readings(forge, ref, selection)
    pull, found = await gather(lambda: forge.pull_requests.get(ref), readings, one_of=readings)
    return Sources(pull=pull, **found)


def _readings(forge: Forge, ref: PullRequestRef, selection: Selection) -> dict[str, Reading[Any]]:
    found: dict[str, Reading[Any]] = {}
    if "issue" in selection.include:
        found["comments"] = lambda: forge.comments.of(ref, since=selection.since)
    if "review" in selection.include or selection.wants_review_events:
        found["reviews"] = lambda: forge.reviews.of(ref)
    if "review" in selection.include:
        found["threads"] = lambda: forge.threads.of(ref)
    if "timeline" in selection.include:
        found["timeline"] = lambda: forge.issues.timeline(ref, most=MOST_EVENTS)
    return found
