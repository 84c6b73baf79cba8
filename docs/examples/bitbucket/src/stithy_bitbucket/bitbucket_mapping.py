"""Maps the JSON of Bitbucket Cloud to records, and names to paths of the API."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeAlias
from urllib.parse import quote

from stithy_core import spi

Json: TypeAlias = Mapping[str, Any]
KINDS = {"user": spi.UserKind.PERSON, "team": spi.UserKind.ORGANIZATION, "app_user": spi.UserKind.BOT}
TASK = "task:"
"""Begins the ids of tasks, which are numbered apart from comments."""


def repository_path(repository: spi.RepositoryRef) -> str:
    """Return the path of a repository in the API."""
    return f"/repositories/{quote(str(repository))}"


def pull_path(pr: spi.IssueRef) -> str:
    """Return the path of a pull request in the API."""
    return f"{repository_path(pr.repository)}/pullrequests/{pr.number}"


@contextmanager
def name_missing(what: str) -> Iterator[None]:
    """Name what a request is for, if the API answers that it is missing."""
    try:
        yield
    except spi.NotFound as error:
        text = f"{what} does not exist, or the token may not see it: {error.message}"
        raise spi.NotFound(text, suggestion="Check the name.", details=error.details) from error


async def read_object(forge: spi.Forge, subject: spi.IssueRef | spi.RepositoryRef) -> Json:
    """Read the JSON of a pull request or a repository; the error says which of the two is missing."""
    if isinstance(subject, spi.RepositoryRef):
        with name_missing(f"repository {subject}"):
            found: Json = await forge.http.get(repository_path(subject), shape=dict)
            return found
    try:
        pull: Json = await forge.http.get(pull_path(subject), shape=dict)
    except spi.NotFound as error:
        await read_object(forge, subject.repository)
        raise spi.NotFound(f"pull request {subject} does not exist", suggestion="Check the number.") from error
    return pull


def to_time(text: str) -> datetime:
    """Parse a time."""
    return datetime.fromisoformat(text).astimezone(UTC)


def to_repository_ref(raw: Json) -> spi.RepositoryRef:
    """Map a repository's name."""
    return spi.RepositoryRef(*raw["full_name"].split("/"))


def to_user(raw: Json | None) -> spi.User:
    """Map an account, or None for a deleted one. Nicknames are not unique."""
    if raw is None:
        return spi.User(login="ghost", kind=spi.UserKind.GHOST)
    kind: spi.Maybe[spi.UserKind] = KINDS.get(raw["type"], spi.Unknown(f"an account of the type {raw['type']!r}"))
    return spi.User(login=raw.get("nickname") or raw["display_name"], id=raw["uuid"].strip("{}"), kind=kind)


def to_comment(raw: Json) -> spi.ReviewComment:
    """Map a comment."""
    return spi.ReviewComment(
        id=str(raw["id"]),
        body=raw["content"]["raw"],
        author=to_user(raw["user"]),
        created_at=to_time(raw["created_on"]),
        updated_at=to_time(raw["updated_on"]),
        url=raw["links"]["html"]["href"],
        minimized="deleted" if raw.get("deleted") else "",
        pending=raw.get("pending", False),
    )


def to_thread(root: Json, replies: Sequence[Json]) -> spi.Thread:
    """Map a comment on a file or a line, with its replies, oldest first."""
    place, resolution = root["inline"], root.get("resolution")
    side = "from" if place.get("to") is None and place.get("from") else "to"
    return spi.Thread(
        id=str(root["id"]),
        path=place["path"],
        line=place.get(side),
        start_line=place.get(f"start_{side}"),
        side={"from": "LEFT", "to": "RIGHT"}[side],
        resolved=resolution is not None,
        resolved_by=to_user(resolution["user"]) if resolution else None,
        comments=tuple(map(to_comment, (root, *replies))),
    )


def to_task(raw: Json) -> spi.Thread:
    """Map a task: it can be resolved, and has no place in the code."""
    comment = to_comment({**raw, "id": f"{TASK}{raw['id']}", "user": raw["creator"]})
    done, here = raw["state"] == "RESOLVED", (comment,)
    return spi.Thread(id=comment.id, path=None, line=None, resolved=done, comments=here, takes_replies=False)


def to_pull_request(raw: Json, names: spi.ForgeNames, commits: Mapping[str, Json]) -> spi.PullRequest:
    """Map a pull request; that of a list has no reviewers.

    Args:
        raw: The JSON, with abbreviated hashes.
        names: Creates the reference.
        commits: The commits of `source`, `destination` and `merge_commit`, as far as they were read.
    """

    def to_end(name: str) -> spi.BranchRef:
        end, sha = raw[name], commits[name]["hash"] if name in commits else ""
        home = to_repository_ref(end["repository"]) if end["repository"] else None
        return spi.BranchRef(branch=end["branch"]["name"], commit=sha, repository=home)

    is_merged, merge = raw["state"] == "MERGED", commits.get("merge_commit")
    ended = None if raw["state"] == "OPEN" else to_time(merge["date"] if merge else raw["updated_on"])
    answered = [row["user"]["uuid"] for row in raw.get("participants", ()) if row["state"]]
    requested = tuple(to_user(row) for row in raw.get("reviewers", ()) if row["uuid"] not in answered)
    return spi.PullRequest(
        ref=names.create_pull_request_ref(to_repository_ref(raw["destination"]["repository"]), raw["id"]),
        title=raw["title"],
        body=raw["summary"]["raw"],
        state="closed" if ended else "open",
        author=to_user(raw["author"]),
        locked=False,
        created_at=to_time(raw["created_on"]),
        updated_at=to_time(raw["updated_on"]),
        url=raw["links"]["html"]["href"],
        closed_at=ended,
        draft=raw["draft"],
        merged=is_merged,
        head=to_end("source"),
        base=to_end("destination"),
        archived=False,
        merged_at=ended if is_merged else None,
        merged_by=to_user(raw["closed_by"]) if is_merged else None,
        merge_commit=merge["hash"] if merge else "",
        requested_reviewers=requested if "reviewers" in raw else spi.NOT_REPORTED,
    )
