"""From inline comments to threads: the API knows only the comments of each review, in random order.

A thread is what stands at one place: the path, the side and the line as they are stored, which never change. Its first
comment is its root, and the thread is resolved when that is: docs/forge-behaviour/gitea.md#reviews-and-inline-comments.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from stithy_core.spi import NOT_REPORTED, Maybe, PullRequestRef, ReviewComment, Thread, Unknown, map_concurrently
from stithy_gitea.mapping import said, to_user
from stithy_gitea.places import Place, place_of, places_of
from stithy_gitea.reviews import PENDING, read_inline, read_reviews
from stithy_gitea.subjects import read_pull

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = Mapping[str, Any]
Remark = tuple[ReviewComment, Row]


@frozen(kw_only=True)
class Talk:
    """A pull request and its reviews, read once for a call.

    Args:
        pr: Which.
        pull: The JSON of the pull request.
        reviews: The JSON of its reviews.
    """

    pr: PullRequestRef
    pull: Row
    reviews: Sequence[Row]

    @property
    def commented(self) -> list[Row]:
        """The reviews that brought comments to the diff."""
        return [review for review in self.reviews if review.get("comments_count") != 0]


async def read_talk(forge: "Forge", pr: PullRequestRef) -> Talk:
    """Read a pull request and its reviews, at once.

    Raises:
        NotFound: There is no such pull request.
    """
    readings: tuple[Callable[..., Awaitable[Any]], ...] = (read_pull, read_reviews)
    pull, reviews = await map_concurrently(readings, lambda read: read(forge, pr))
    return Talk(pr=pr, pull=pull, reviews=reviews)


async def read_threads(forge: "Forge", talk: Talk) -> tuple[Thread, ...]:
    """Read all threads, by path, line and time."""
    return _threads(talk, await _read(forge, talk.pr, talk.commented))


async def find_thread(forge: "Forge", talk: Talk, name: str) -> Thread | None:
    """Read the thread in which a comment stands, as it is now, and of other reviews only what is not known yet."""
    pr, reviews, places = talk.pr, talk.commented, await places_of(forge)
    found = await _read(forge, pr, [review for review in reviews if not places.knows(pr, review)])
    place = places.of(pr, reviews, name)
    if place is None:
        return None
    read = {review["id"] for review, _ in found}
    held = [review for review in reviews if review["id"] not in read and places.holds(pr, review, place)]
    found += await _read(forge, pr, held)
    return next((thread for thread in _threads(talk, found) if thread.named(name)), None)


def to_review_comment(row: Row, review: Row) -> ReviewComment:
    """Read a comment in the diff.

    Its own `commit_id` is of the commit that last changed the line, in which the line may have had another number; the
    place is that in the head at the time, which is the review's.
    """
    return ReviewComment(
        review=str(row.get("pull_request_review_id") or ""),
        pending=review.get("state") == PENDING,
        commit=review.get("commit_id") or row.get("commit_id") or "",
        **said(row),
    )


def resolver_of(row: Row) -> dict[str, Any]:
    """Read from a thread's first comment whether the thread is resolved, and by whom.

    A resolver of null is that of an open thread; where the field is missing, the server does not tell.
    """
    if "resolver" not in row:
        return {"resolved": NOT_REPORTED, "resolved_by": None}
    resolver = row["resolver"]
    return {"resolved": resolver is not None, "resolved_by": to_user(resolver) if resolver else None}


async def _read(forge: "Forge", pr: PullRequestRef, reviews: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    rows = await map_concurrently(reviews, lambda review: read_inline(forge, pr, review))
    return list(zip(reviews, rows, strict=True))


def _threads(talk: Talk, found: Iterable[tuple[Row, Iterable[Row]]]) -> tuple[Thread, ...]:
    head = (talk.pull.get("head") or {}).get("sha") or ""
    places: dict[Place, list[Remark]] = defaultdict(list)
    for review, rows in found:
        for row in rows:
            places[place_of(row)].append((to_review_comment(row, review), row))
    return tuple(sorted((_thread(place, remarks, head) for place, remarks in places.items()), key=_order))


def _thread(place: Place, remarks: Iterable[Remark], head: str) -> Thread:
    path, side, line = place
    # What others see comes first: a draft of one's own opens a thread only where there is nothing else.
    ordered = sorted(remarks, key=lambda pair: (pair[0].pending, pair[0].created_at, int(pair[0].id)))
    root, row = ordered[0]
    return Thread(
        id=root.id,
        path=path,
        line=line or None,
        side=side,
        comments=tuple(comment for comment, _ in ordered),
        outdated=_outdated(root.commit, head),
        hunk=row.get("diff_hunk") or "",
        **resolver_of(row),
    )


def _outdated(commit: str, head: str) -> Maybe[bool]:
    if commit and commit == head:
        return False
    return Unknown(
        f"the API does not say whether the code changed when the head moved from {commit[:10]} to {head[:10]}",
        "Compare the two commits.",
    )


def _order(thread: Thread) -> tuple[object, ...]:
    root = thread.comments[0]
    return thread.path, thread.line or 0, root.created_at, int(root.id)
