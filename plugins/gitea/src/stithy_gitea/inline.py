"""From inline comments to threads: the API knows only the comments of each review, in random order.

A thread is what stands at one place: the path, the side and the line as they are stored, which never change. Its first
comment is its root, and the thread is resolved when that is (field notes on the API, section 7).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import Maybe, PullRequestRef, ReviewComment, Thread, Unknown, each
from stithy_gitea.mapping import said, to_user
from stithy_gitea.reviews import PENDING, read_inline, read_reviews
from stithy_gitea.subjects import read_pull

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = Mapping[str, Any]
Place = tuple[str, str, int]
Remark = tuple[ReviewComment, Row]


async def read_threads(forge: "Forge", pr: PullRequestRef) -> tuple[Thread, ...]:
    """Read all threads, by path, line and time.

    Raises:
        NotFound: There is no such pull request.
    """
    reviews = [review for review in await read_reviews(forge, pr) if review.get("comments_count") != 0]
    found = await each(reviews, lambda review: read_inline(forge, pr, review))
    places: dict[Place, list[Remark]] = defaultdict(list)
    for review, rows in zip(reviews, found, strict=True):
        for row in rows:
            places[place_of(row)].append((to_review_comment(row, review), row))
    head = ((await read_pull(forge, pr)).get("head") or {}).get("sha") if places else ""
    threads = [_thread(place, remarks, head or "") for place, remarks in places.items()]
    return tuple(sorted(threads, key=_order))


def place_of(row: Row) -> Place:
    """Read where a comment stands: both positions are lines of a file, and the one that is not used is 0."""
    if old := row.get("original_position"):
        return row.get("path") or "", "LEFT", old
    return row.get("path") or "", "RIGHT", row.get("position") or 0


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
    """Read from a thread's first comment whether the thread is resolved, and by whom."""
    resolver = row.get("resolver")
    return {"resolved": resolver is not None, "resolved_by": to_user(resolver) if resolver else None}


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
