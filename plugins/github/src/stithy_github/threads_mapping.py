"""Map GitHub's JSON to threads: GraphQL has threads, REST has comments only."""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from attrs import evolve

from stithy_core.spi import NOT_REPORTED, Maybe, Reaction, ReviewComment, Thread, Unknown
from stithy_github.addresses import to_api_url
from stithy_github.comments_mapping import minimized_reason, to_review_comment
from stithy_github.mapping import to_reactions, to_time, to_user, to_user_or_none

BEGINNING = datetime.min.replace(tzinfo=UTC)
WITHOUT_REACTIONS = Unknown("threads are read without reactions, except those to their first comment")
THUMBS = {"THUMBS_UP": "+1", "THUMBS_DOWN": "-1"}
"""The emoji for which GraphQL's word is not REST's word in capitals."""
WHOLE_FILE = ("FILE", "file")
GRAPHQL_LINES = (("line", "startLine"), ("originalLine", "originalStartLine"))
REST_LINES = (("line", "start_line"), ("original_line", "original_start_line"))

Row = Mapping[str, Any]
TOO_OLD = "its GraphQL API is too old"
"""Why a server does not report what is minimized."""


def to_thread(raw: Row, rows: Iterable[Row], cut: str = "") -> Thread:
    """Map a thread of GraphQL with its comments.

    Args:
        raw: The thread's JSON, of the fragment `Talk`.
        rows: The JSON of its comments on all pages; null stands for one that the token may not see.
        cut: Why comments are missing, if any are.
    """
    comments = sort_by_time(_map_review_comment(row) for row in rows if row)
    return build_thread(raw, comments, _first_comment(raw).get("diffHunk") or "", cut)


def build_thread(raw: Row, comments: Iterable[ReviewComment], hunk: str, cut: str = "") -> Thread:
    """Build a thread of GraphQL from its state and its mapped comments.

    Args:
        raw: The thread's JSON, of the fragment `Standing` at least.
        comments: All comments, oldest first.
        hunk: The lines of the diff around the thread.
        cut: Why comments are missing, if any are.
    """
    line, start = _map_lines(raw, raw.get("subjectType"), GRAPHQL_LINES)
    return Thread(
        id=raw["id"],
        path=raw["path"],
        line=line,
        resolved=raw["isResolved"],
        comments=_add_reactions(comments, _first_comment(raw)),
        side=raw["diffSide"],
        start_line=start,
        outdated=raw["isOutdated"],
        resolved_by=to_user_or_none(raw.get("resolvedBy")),
        hunk=hunk,
        cut=cut,
    )


def _first_comment(raw: Row) -> Row:
    """Return the JSON of a thread's first comment; empty if the token may not see it."""
    nodes = raw["opening"]["nodes"]
    return (nodes[0] if nodes else None) or {}


def _add_reactions(comments: Iterable[ReviewComment], opening: Row) -> tuple[ReviewComment, ...]:
    """Add the reactions to the first comment; the other comments are read without."""
    reactions, first = map_reactions(opening.get("reactionGroups") or ()), get_rest_id(opening)
    return tuple(evolve(one, reactions=reactions) if one.id == first else one for one in comments)


def map_reactions(groups: Sequence[Row]) -> Maybe[tuple[Reaction, ...]]:
    """Map the count of each emoji; older servers do not report it."""
    if not groups or any("reactors" not in group for group in groups):
        return NOT_REPORTED
    return to_reactions({_map_emoji(group["content"]): group["reactors"]["totalCount"] for group in groups})


def _map_emoji(word: str) -> str:
    """Return REST's word for an emoji of GraphQL's."""
    return THUMBS.get(word) or word.lower()


def _map_review_comment(raw: Row) -> ReviewComment:
    return ReviewComment(
        **map_comment_fields(raw, "pulls/comments"),
        reactions=WITHOUT_REACTIONS,
        review=get_rest_id(raw.get("pullRequestReview") or {}),
        pending=raw["state"] == "PENDING",
        commit=(raw.get("originalCommit") or {}).get("oid") or "",
    )


def map_comment_fields(raw: Row, path: str) -> dict[str, Any]:
    """Map the fields that all comments of GraphQL have, for a `Comment`; the id is REST's number.

    Args:
        raw: The comment.
        path: Where REST has comments of this kind, below the path of a repository.
    """
    return {
        "id": get_rest_id(raw),
        "body": raw["body"],
        "author": to_user(raw.get("author")),
        "created_at": to_time(raw["createdAt"]),
        "updated_at": to_time(raw["updatedAt"]),
        "url": raw["url"],
        "association": raw["authorAssociation"],
        "api_url": to_api_url(raw["url"], f"{path}/{get_rest_id(raw)}"),
        "minimized": _map_minimized(raw),
    }


def _map_minimized(raw: Row) -> Maybe[str]:
    """Map why a comment is minimized; older servers do not report it."""
    return (
        minimized_reason(raw.get("minimizedReason"), minimized=raw["isMinimized"])
        if "isMinimized" in raw
        else NOT_REPORTED
    )


def map_minimized_rows(rows: Iterable[Row | None]) -> dict[str, str] | None:
    """Map why comments and reviews are minimized, by id; None if the server is too old to report it."""
    readable = [row for row in rows if row]
    if any("isMinimized" not in row for row in readable):
        return None
    minimized = [row for row in readable if row["isMinimized"]]
    return {get_rest_id(row): minimized_reason(row.get("minimizedReason"), minimized=True) for row in minimized}


def get_rest_id(raw: Row) -> str:
    """Return the number that REST uses as id, as text: it exceeds 32 bits."""
    number = raw.get("fullDatabaseId") or raw.get("databaseId")
    return "" if number is None else str(number)


def to_threads(rows: Iterable[Row], unknown: Unknown, pending: Container[str] = ()) -> list[Thread]:
    """Group the comments of REST into threads: each reply names the first comment.

    Args:
        rows: All review comments of a pull request.
        unknown: Why `resolved` and `outdated` are unknown.
        pending: The ids of pending reviews.
    """
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.get("in_reply_to_id") or row["id"], []).append(row)
    return [_build_rest_thread(group, unknown, pending) for group in groups.values()]


def _build_rest_thread(rows: Sequence[Row], unknown: Unknown, pending: Container[str]) -> Thread:
    """Build a thread of REST; its id is that of its oldest comment, which takes replies."""
    root = min(rows, key=lambda row: row["id"])
    line, start = _map_lines(root, root.get("subject_type"), REST_LINES)
    return Thread(
        id=str(root["id"]),
        path=root["path"],
        line=line,
        resolved=unknown,
        comments=sort_by_time(
            to_review_comment(row, pending=str(row.get("pull_request_review_id")) in pending) for row in rows
        ),
        side=root.get("side") or "RIGHT",
        start_line=start,
        outdated=unknown,
        hunk=root.get("diff_hunk") or "",
    )


def _map_lines(raw: Row, subject: str | None, names: Sequence[tuple[str, str]]) -> tuple[int | None, int | None]:
    """Return the last and first line; the original ones if the code has changed since. A thread on a file has none."""
    if subject in WHOLE_FILE:
        return None, None
    line, start = next((pair for pair in names if raw.get(pair[0]) is not None), names[-1])
    return raw.get(line), raw.get(start)


def sort_by_time(comments: Iterable[ReviewComment]) -> tuple[ReviewComment, ...]:
    """Sort comments by time, and by id within a second."""
    return tuple(sorted(comments, key=lambda comment: (comment.created_at, int(comment.id or 0))))


def sort_by_place(threads: Iterable[Thread]) -> tuple[Thread, ...]:
    """Sort threads by path, line and time; a thread without a line comes first."""
    return tuple(sorted(threads, key=lambda thread: thread.sort_key))
