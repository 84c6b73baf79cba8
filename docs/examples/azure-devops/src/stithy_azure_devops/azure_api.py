"""The API: its dialect, its paths, and the mapping of people, pull requests, votes, comments and threads."""

from collections.abc import Awaitable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

from stithy_core import spi

T = TypeVar("T")
Json: TypeAlias = Mapping[str, Any]
Repo: TypeAlias = spi.RepositoryRef
Pull: TypeAlias = spi.PullRequestRef
PREVIEW: dict[str, Any] = {"api-version": "7.1-preview.1"}
"""The version of areas without a released one; it has precedence over that of the header."""
NO_PROJECT, NO_REPOSITORY = "TF200016", "TF401019"
OPEN, RESOLVED = {"active", "pending"}, {"fixed", "wontFix", "closed", "byDesign"}
NO_UPDATE = spi.Unknown("Azure DevOps does not report when a pull request changed last")
NO_STATUS = spi.Unknown("the thread has no status", "Set one on its page.")
NO_TRACKING = spi.Unknown("Azure DevOps tracks threads between two iterations only")


def _find_next_page(page: spi.PageResponse) -> spi.NextPage | None:
    if token := page.headers.get("x-ms-continuationtoken"):
        return spi.NextPage(query={"continuationToken": token})
    return spi.NextPage(query={"$skip": page.read}) if 0 < page.size == len(page.items) else None


def _map_error(response: spi.ErrorResponse) -> spi.ForgeError | None:
    if response.status not in {203, 302}:  # the sign-in page, in place of 401
        return None
    remedy = "Replace the token: it must be of this organization, and have the scope Code (read & write)."
    return spi.Unauthorized("Azure DevOps asks for a sign-in: the token is wrong or expired", suggestion=remedy)


DIALECT = spi.Dialect(
    headers={"Accept": "application/json;api-version=7.1"},
    authorization=partial(spi.basic, user=""),
    paging=spi.Paging(next_page=_find_next_page, size="$top"),
    map_error=_map_error,
)


async def name_missing(subject: Repo | spi.IssueRef, reading: Awaitable[T], what: str = "") -> T:
    """Await a request, and name what is missing: the server names a part of it at most."""
    try:
        return await reading
    except spi.NotFound as error:
        home = subject if isinstance(subject, Repo) else subject.repository
        if str(error.details["message"]).startswith((NO_PROJECT, NO_REPOSITORY)):
            what = f"repository {home}"
        raise spi.NotFound(f"{what or subject} was not found", suggestion=error.suggestion) from error


async def read(forge: spi.Forge, subject: Repo | spi.IssueRef) -> Any:
    """Read the JSON of a repository or a pull request."""
    return await name_missing(subject, forge.http.get(find_path(subject), shape=dict))


def find_path(subject: Repo | spi.IssueRef, area: str = "") -> str:
    """Return the path of a repository or a pull request, or of an area of its project, such as `build/builds`."""
    home, pull = (subject, "") if isinstance(subject, Repo) else (subject.repository, f"/pullRequests/{subject.number}")
    return f"{quote(home.namespace)}/_apis/{area or f'git/repositories/{quote(home.name)}{pull}'}"


def to_time(text: str) -> datetime:
    """Parse a time."""
    return datetime.fromisoformat(text).astimezone(UTC)


def to_user(raw: Json) -> spi.User:
    """Map an identity: a person, or a service such as that of builds."""
    kind = spi.UserKind.BOT if raw.get("descriptor", "").startswith("svc.") else spi.UserKind.PERSON
    return spi.User(login=raw.get("uniqueName") or raw["displayName"], id=raw["id"], kind=kind)


def _find_page(forge: spi.Forge, pr: spi.IssueRef) -> str:
    return f"{forge.config.url}/{forge.names.format_repository_path(pr.repository)}/pullrequest/{pr.number}"


def to_pull_request(forge: spi.Forge, raw: Json) -> spi.PullRequest:
    """Map a pull request; `blocked` depends on policies, which are not in it."""
    home, source = (_to_repository(one["repository"]) for one in (raw, raw.get("forkSource") or raw))
    ref = forge.names.create_pull_request_ref(home, raw["pullRequestId"])
    ended, merged = to_time(raw["closedDate"]) if raw.get("closedDate") else None, raw["status"] == "completed"
    waiting, status = [one for one in raw["reviewers"] if not one["vote"]], raw.get("mergeStatus", "notSet")
    unclear = spi.Unknown(raw.get("mergeFailureMessage") or f"Azure DevOps reports the merge as {status!r}")
    return spi.PullRequest(
        ref=ref,
        title=raw["title"],
        body=raw.get("description") or "",
        state="open" if raw["status"] == "active" else "closed",
        author=to_user(raw["createdBy"]),
        locked=False,
        created_at=to_time(raw["creationDate"]),
        updated_at=NO_UPDATE,
        url=_find_page(forge, ref),
        closed_at=ended,
        draft=raw["isDraft"],
        merged=merged,
        head=_to_branch(raw, "source", source),
        base=_to_branch(raw, "target", home),
        archived=False,  # a disabled repository answers no request
        mergeable=status == "succeeded" if status in {"succeeded", "conflicts"} else unclear,
        forge_state=status,
        merged_at=ended if merged else None,
        merged_by=to_user(raw["closedBy"]) if merged else None,
        merge_commit=raw["lastMergeCommit"]["commitId"] if merged else "",
        requested_reviewers=tuple(to_user(one) for one in waiting if not one.get("isContainer")),
        requested_teams=tuple(one["displayName"] for one in waiting if one.get("isContainer")),
    )


def _to_repository(raw: Json) -> Repo:
    return Repo(raw["project"]["name"], raw["name"])


def _to_branch(raw: Json, end: str, repository: Repo) -> spi.BranchRef:
    sha = (raw.get(f"lastMerge{end.capitalize()}Commit") or {}).get("commitId", "")
    return spi.BranchRef(branch=raw[f"{end}RefName"].removeprefix("refs/heads/"), commit=sha, repository=repository)


def to_review(raw: Json) -> spi.Review:
    """Map a vote, from -10 to 10."""
    author, state = to_user(raw), "approved" if raw["vote"] > 0 else "changes_requested"
    return spi.Review(id="", author=author, state=state, body="", submitted_at=None, url="", official=True)


def list_shown(thread: Json) -> list[Json]:
    """Return the comments that people wrote: neither deleted ones nor those of the system."""
    return [one for one in thread["comments"] if not one.get("isDeleted") and one.get("commentType") != "system"]


def is_thread(raw: Json) -> bool:
    """Return whether a discussion has a place or a status; any other is a general comment with its replies."""
    return bool(raw.get("threadContext")) or raw.get("status", "unknown") != "unknown"


def to_comment(forge: spi.Forge, pr: spi.IssueRef, thread: object, raw: Json) -> spi.ReviewComment:
    """Map a comment. The server counts comments within each thread, so that its id has both numbers."""
    return spi.ReviewComment(
        id=f"{thread}/{raw['id']}",
        body=raw["content"],
        author=to_user(raw["author"]),
        created_at=to_time(raw["publishedDate"]),
        updated_at=to_time(raw.get("lastContentUpdatedDate") or raw["publishedDate"]),
        url=f"{_find_page(forge, pr)}?discussionId={thread}&commentId={raw['id']}",
        minimized="",
    )


def to_thread(forge: spi.Forge, pr: Pull, raw: Json) -> spi.Thread:
    """Map a thread; its place is a range of lines of the left or the right file, a whole file, or none."""
    place, status = raw.get("threadContext") or {}, raw.get("status")
    side = "left" if place.get("leftFileStart") and not place.get("rightFileStart") else "right"
    begin, end = ((place.get(f"{side}File{edge}") or {}).get("line") for edge in ("Start", "End"))
    return spi.Thread(
        id=str(raw["id"]),
        path=place["filePath"].removeprefix("/") if place else None,
        line=end,
        resolved=status in RESOLVED if status in OPEN | RESOLVED else NO_STATUS,
        comments=tuple(to_comment(forge, pr, raw["id"], one) for one in list_shown(raw)),
        side=side.upper(),
        start_line=begin if begin != end else None,
        outdated=NO_TRACKING if place else False,
    )
