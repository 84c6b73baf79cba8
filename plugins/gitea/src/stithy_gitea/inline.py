"""Review threads, built from inline comments: the API has only the comments of each review, in random order.

A thread is the comments at one path, side and line as stored, which never change. Its first comment is its root, and
the thread is resolved when that is: docs/forge-behaviour/gitea.md#reviews-and-inline-comments.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from stithy_core.spi import NOT_REPORTED, Maybe, PullRequestRef, ReviewComment, Thread, Unknown, map_concurrently
from stithy_gitea.mapping import comment_fields, to_user
from stithy_gitea.places import Place, place_of, places_of
from stithy_gitea.reviews import PENDING, read_inline, read_reviews
from stithy_gitea.subjects import read_pull

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = Mapping[str, Any]
Remark = tuple[ReviewComment, Row]


@frozen(kw_only=True)
class PullRequestReviews:
    """A pull request and its reviews, read once for a call.

    Args:
        pr: The pull request.
        pull: The JSON of the pull request.
        reviews: The JSON of its reviews.
    """

    pr: PullRequestRef
    pull: Row
    reviews: Sequence[Row]

    @property
    def commented(self) -> list[Row]:
        """The reviews with inline comments."""
        return [review for review in self.reviews if review.get("comments_count") != 0]


async def read_pull_request_reviews(forge: "Forge", pr: PullRequestRef) -> PullRequestReviews:
    """Read a pull request and its reviews, concurrently.

    Raises:
        NotFound: The pull request does not exist.
    """
    readings: tuple[Callable[..., Awaitable[Any]], ...] = (read_pull, read_reviews)
    pull, reviews = await map_concurrently(readings, lambda read: read(forge, pr))
    return PullRequestReviews(pr=pr, pull=pull, reviews=reviews)


async def read_threads(forge: "Forge", talk: PullRequestReviews) -> tuple[Thread, ...]:
    """Return all threads, sorted by path, line and time."""
    return _threads(talk, await _read(forge, talk.pr, talk.commented))


async def find_thread(forge: "Forge", talk: PullRequestReviews, name: str) -> Thread | None:
    """Return the current thread of a comment; reviews that are known not to belong to it are not read."""
    pr, reviews, places = talk.pr, talk.commented, await places_of(forge)
    found = await _read(forge, pr, [review for review in reviews if not places.has_all_comments(pr, review)])
    place = places.find(pr, reviews, name)
    if place is None:
        return None
    read = {review["id"] for review, _ in found}
    others = [review for review in reviews if review["id"] not in read and places.has_comment_at(pr, review, place)]
    found += await _read(forge, pr, others)
    return next((thread for thread in _threads(talk, found) if thread.named(name)), None)


def to_review_comment(row: Row, review: Row) -> ReviewComment:
    """Map an inline comment.

    Its own `commit_id` is the commit that last changed the line, in which the line may have another number. The
    location refers to the head at the time, which is the review's.
    """
    return ReviewComment(
        review=str(row.get("pull_request_review_id") or ""),
        pending=review.get("state") == PENDING,
        commit=review.get("commit_id") or row.get("commit_id") or "",
        **comment_fields(row),
    )


def resolver_of(row: Row) -> dict[str, Any]:
    """Return whether a thread is resolved, and by whom, from its first comment.

    A null `resolver` means an open thread; without the field, the server does not report it.
    """
    if "resolver" not in row:
        return {"resolved": NOT_REPORTED, "resolved_by": None}
    resolver = row["resolver"]
    return {"resolved": resolver is not None, "resolved_by": to_user(resolver) if resolver else None}


async def _read(forge: "Forge", pr: PullRequestRef, reviews: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    rows = await map_concurrently(reviews, lambda review: read_inline(forge, pr, review))
    return list(zip(reviews, rows, strict=True))


def _threads(talk: PullRequestReviews, found: Iterable[tuple[Row, Iterable[Row]]]) -> tuple[Thread, ...]:
    head = (talk.pull.get("head") or {}).get("sha") or ""
    places: dict[Place, list[Remark]] = defaultdict(list)
    for review, rows in found:
        for row in rows:
            places[place_of(row)].append((to_review_comment(row, review), row))
    return tuple(sorted((_thread(place, remarks, head) for place, remarks in places.items()), key=_order))


def _thread(place: Place, remarks: Iterable[Remark], head: str) -> Thread:
    path, side, line = place
    # Published comments come first: a draft is the root only of a thread that has nothing else.
    ordered = sorted(remarks, key=lambda pair: (pair[0].pending, pair[0].created_at, int(pair[0].id)))
    root, row = ordered[0]
    return Thread(
        id=root.id,
        path=path,
        line=line or None,
        side=side,
        comments=tuple(comment for comment, _ in ordered),
        outdated=_is_outdated(root.commit, head),
        hunk=row.get("diff_hunk") or "",
        **resolver_of(row),
    )


def _is_outdated(commit: str, head: str) -> Maybe[bool]:
    if commit and commit == head:
        return False
    return Unknown(
        f"the API does not report whether the code changed when the head moved from {commit[:10]} to {head[:10]}",
        "Compare the two commits.",
    )


def _order(thread: Thread) -> tuple[object, ...]:
    root = thread.comments[0]
    return thread.path, thread.line or 0, root.created_at, int(root.id)
