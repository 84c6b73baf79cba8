"""The lists that a stream is created from, read concurrently; a list that cannot be read is unknown."""

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from stithy_comments.partial_reads import Reading, attempt, gather, read_with_conversation
from stithy_comments.stream.stream_selection import Selection
from stithy_core.spi import (
    Comment,
    CommentBlock,
    Conversation,
    Event,
    Forge,
    Issue,
    IssueRef,
    Listing,
    Maybe,
    PullRequest,
    PullRequestRef,
    Review,
    Thread,
    Unknown,
)

MOST_EVENTS = 10_000
MOST_BY_BLOCKS = 500
"""Newest comments that are read by blocks; there are a hundred in a block on GitHub."""


@frozen(kw_only=True)
class StreamSources:
    """The lists of a conversation; those that were not requested are None.

    Args:
        subject: The pull request, or the issue.
        comments: The general comments.
        reviews: The reviews.
        threads: The review threads.
        timeline: The events.
        unread: The number of older general comments that were not read, since the newest suffice.
    """

    subject: Issue
    comments: Maybe[Listing[Comment]] | None = None
    reviews: Maybe[Listing[Review]] | None = None
    threads: Maybe[Listing[Thread]] | None = None
    timeline: Maybe[Listing[Event]] | None = None
    unread: int = 0

    def lists(self) -> dict[str, Maybe[Listing[Any]]]:
        """Return the requested lists by name."""
        named = {name: getattr(self, name) for name in ("comments", "reviews", "threads", "timeline")}
        return {name: listing for name, listing in named.items() if listing is not None}

    def cuts(self) -> Iterator[str]:
        """Iterate over the reasons why lists are incomplete."""
        for name, listing in self.lists().items():
            if not isinstance(listing, Unknown) and listing.cut:
                yield f"{name}: {listing.cut}"
        for thread in () if self.threads is None or isinstance(self.threads, Unknown) else self.threads:
            if thread.cut:
                yield f"thread {thread.id}{f' on {thread.path}' if thread.path else ''}: {thread.cut}"

    def faults(self) -> Iterator[str]:
        """Iterate over the reasons why lists could not be read."""
        for name, listing in self.lists().items():
            if isinstance(listing, Unknown):
                yield f"{name} could not be read: {listing.reason}"


async def read_stream_sources(forge: Forge, ref: IssueRef, selection: Selection) -> StreamSources:
    """Read the lists that a selection needs.

    Args:
        forge: The forge.
        ref: A pull request, or a number that may be an issue's; an issue has no review threads.
        selection: The requested part.

    Raises:
        ForgeError: The pull request or issue cannot be read, or all of its lists cannot.
    """
    if isinstance(ref, PullRequestRef):
        known = ref
        if selection.suits_conversation and (together := await read_with_conversation(forge, ref)):
            return await _complete(forge, *together, selection.most)
        return await _read(forge, known, selection, lambda: forge.pull_requests.get(known))
    issue = await forge.issues.get(ref)
    pull = forge.names.create_pull_request_ref(ref.repository, ref.number)
    return await _read(forge, pull if issue.is_pull_request else ref, selection, lambda: _return_issue(issue))


async def _complete(forge: Forge, pull: PullRequest, found: Conversation, most: int) -> StreamSources:
    """Return the lists of a conversation with at least the `most` newest general comments."""
    comments = await attempt(lambda: _read_newest(forge, pull.ref, found.newest, most))()
    sources = StreamSources(subject=pull, comments=comments, reviews=found.reviews, threads=found.threads)
    total = found.newest.comments.total
    if isinstance(comments, Unknown) or comments.cut or total is None:
        return sources
    return evolve(sources, unread=max(0, total - len(comments)))


async def _read_newest(forge: Forge, ref: PullRequestRef, newest: CommentBlock, most: int) -> Listing[Comment]:
    """Return at least the `most` newest comments: by blocks if these are few, otherwise all.

    A block has the cursor of the one before it, so they are read one after the other; pages of all are read at once.
    """
    if newest.before and most > MOST_BY_BLOCKS:
        return await forge.comments.list(ref)
    comments, before = newest.comments, newest.before
    while before and len(comments) < most:
        block = await forge.comments.block(ref, before=before)
        comments, before = Listing((*block.comments, *comments), cut=block.comments.cut or comments.cut), block.before
    return comments


async def _read(forge: Forge, ref: IssueRef, selection: Selection, subject: Reading[Issue]) -> StreamSources:
    readings = _list_reads(forge, ref, selection)
    found, lists = await gather(subject, readings, one_of=readings)
    return StreamSources(subject=found, **lists)


async def _return_issue(issue: Issue) -> Issue:
    return issue


def _list_reads(forge: Forge, ref: IssueRef, selection: Selection) -> dict[str, Reading[Any]]:
    found: dict[str, Reading[Any]] = {}
    if "issue" in selection.include:
        found["comments"] = lambda: forge.comments.list(ref, since=selection.since)
    if isinstance(ref, PullRequestRef):
        found |= _list_review_reads(forge, ref, selection)
    if "timeline" in selection.include:
        found["timeline"] = lambda: forge.issues.timeline(ref, most=MOST_EVENTS)
    return found


def _list_review_reads(forge: Forge, ref: PullRequestRef, selection: Selection) -> dict[str, Reading[Any]]:
    found: dict[str, Reading[Any]] = {}
    if selection.wants_verdicts or selection.wants_review_events:
        found["reviews"] = lambda: forge.reviews.list(ref)
    if "review" in selection.include:
        found["threads"] = lambda: forge.threads.list(ref)
    return found
