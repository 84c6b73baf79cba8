"""From the JSON of Gitea and Forgejo to the model: people, issues, pull requests and comments.

Source: the servers' own description, `/swagger.v1.json`. Times carry the server's offset and become UTC; lists may be
null, and so may rows in them; an account that was deleted is a ghost.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRef,
    Comment,
    Issue,
    IssueRef,
    Label,
    Maybe,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    Unknown,
    User,
    UserKind,
)

GHOST_ID = -1
SUBJECT = re.compile(r"/([^/]+)/([^/]+)/(issues|pulls)/(\d+)$")

# "false" stands for a conflict, a check that still runs or failed, and work in progress (gitea.md#pull-requests).
NOT_NOW = Unknown(
    "the server says that it cannot be merged, which may be a conflict, or that it is still checking",
    "Ask again in some seconds; if it stays so, compare the branches.",
)
NOT_A_DRAFT = Unknown(
    "the server says of every work in progress that it cannot be merged, whether it conflicts or not",
    "Compare the branches, or take the WIP: out of the title.",
)
ENDED = Unknown("the server computes whether it can be merged for open pull requests only")
"""Of merged ones it still reports what it computed before."""
UNCOUNTED = Unknown(
    "the server counts 0 of a pull request whose branch is gone, whatever it changed",
    "Read its files: they are counted there, and by analyze_pr_impact, which asks git.",
)
NOT_ALONE = Unknown("the server counts the reviews among the comments", "Read the conversation: it has the number.")


def to_time(text: str) -> datetime:
    """Read a time with an offset, as UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


def rows_of(raw: Iterable[Any] | None) -> list[Any]:
    """Read a list in a field, which may be null and have nulls in it.

    Raises:
        TypeError: It is something else.
    """
    if not isinstance(raw, list | None):
        raise TypeError("no list where the API has one")
    return [row for row in raw or () if row is not None]


def to_user(raw: Mapping[str, Any] | None) -> User:
    """Read an account; a missing one, and the one with id -1, is a ghost."""
    number = (raw or {}).get("id")
    if not raw or number is None or number == GHOST_ID:
        return User(login="ghost", kind=UserKind.GHOST)
    # Gitea has one account of its own for its actions; it has no flag for other bots.
    kind = UserKind.BOT if number < GHOST_ID else UserKind.PERSON
    return User(login=raw.get("login") or "", id=str(number), kind=kind)


def to_author(raw: Mapping[str, Any]) -> User:
    """Read who wrote something; what came from another forge says who it was there."""
    name = raw.get("original_author")
    return User(login=name, kind=NOT_REPORTED) if name else to_user(raw.get("user"))


def to_users(raw: Iterable[Any] | None) -> tuple[User, ...]:
    """Read accounts."""
    return tuple(to_user(row) for row in rows_of(raw))


def to_repository_ref(raw: Mapping[str, Any]) -> RepositoryRef:
    """Read a repository's name."""
    namespace, _, name = raw["full_name"].rpartition("/")
    return RepositoryRef(namespace, name)


def to_subject(raw: Mapping[str, Any]) -> IssueRef | None:
    """Read of which conversation a comment is, from that conversation's page: a pull request is told from an issue."""
    found = SUBJECT.search(raw.get("pull_request_url") or raw.get("issue_url") or "")
    if found is None:
        return None
    kind = PullRequestRef if found[3] == "pulls" else IssueRef
    return kind(RepositoryRef(found[1], found[2]), int(found[4]))


def to_comment(raw: Mapping[str, Any], api_url: str) -> Comment:
    """Read a comment of a conversation."""
    return Comment(api_url=api_url, **comment_fields(raw))


def comment_fields(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Read what every comment has."""
    return {
        "id": str(raw["id"]),
        "body": raw.get("body") or "",
        "author": to_author(raw),
        "created_at": to_time(raw["created_at"]),
        "updated_at": to_time(raw.get("updated_at") or raw["created_at"]),
        "url": raw.get("html_url") or "",
        "minimized": "",  # neither server folds comments away
    }


def to_issue(raw: Mapping[str, Any], asked: RepositoryRef) -> Issue:
    """Read an issue; the answer says the repository's present name, or it is as it was asked for."""
    repository = raw.get("repository")
    ref = IssueRef(to_repository_ref(repository) if repository else asked, raw["number"])
    is_pull_request = raw.get("pull_request") is not None
    count = NOT_ALONE if is_pull_request else _or_unsaid(raw.get("comments"))
    return Issue(ref=ref, comment_count=count, is_pull_request=is_pull_request, **_common(raw))


def to_pull_request(raw: Mapping[str, Any], asked: RepositoryRef) -> PullRequest:
    """Read a pull request; its base says the repository's present name."""
    base = raw.get("base") or {}
    repository = base.get("repo") or {}
    return PullRequest(
        ref=PullRequestRef(to_repository_ref(repository) if repository else asked, raw["number"]),
        draft=_or_unsaid(raw.get("draft")),
        merged=bool(raw.get("merged")),
        head=_tip(raw.get("head") or {}),
        base=_tip(base),
        archived=_or_unsaid(repository.get("archived")),
        mergeable=_mergeable(raw),
        forge_state=f"mergeable={str(raw['mergeable']).lower()}" if "mergeable" in raw else "",
        merged_at=to_time(raw["merged_at"]) if raw.get("merged_at") else None,
        merged_by=to_user(raw["merged_by"]) if raw.get("merged_by") else None,
        merge_commit=raw.get("merge_commit_sha") or "",
        requested_reviewers=to_users(raw.get("requested_reviewers")),
        requested_teams=tuple(team["name"] for team in rows_of(raw.get("requested_reviewers_teams"))),
        comment_count=NOT_ALONE,
        **_counts(raw),
        **_common(raw),
    )


def _counts(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Read how much is changed: Forgejo counts 0 once the branch in a fork is gone, though it has the files."""
    is_gone = str((raw.get("head") or {}).get("ref") or "").startswith("refs/pull/")
    uncounted = is_gone and raw.get("changed_files") == 0
    names = ("additions", "deletions", "changed_files")
    return {name: UNCOUNTED if uncounted else _or_unsaid(raw.get(name)) for name in names}


def _mergeable(raw: Mapping[str, Any]) -> Maybe[bool]:
    if raw.get("state") == "closed":
        return ENDED
    if raw.get("mergeable") is False:
        return NOT_A_DRAFT if raw.get("draft") else NOT_NOW
    return True if raw.get("mergeable") else NOT_REPORTED


def _tip(raw: Mapping[str, Any]) -> BranchRef:
    repository = to_repository_ref(raw["repo"]) if raw.get("repo") else None
    return BranchRef(branch=raw.get("ref") or "", commit=raw.get("sha") or "", repository=repository)


def _common(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": raw.get("title") or "",
        "body": raw.get("body") or "",
        "state": raw.get("state") or "",
        "author": to_author(raw),
        "locked": _or_unsaid(raw.get("is_locked")),
        "created_at": to_time(raw["created_at"]),
        "updated_at": to_time(raw.get("updated_at") or raw["created_at"]),
        "url": raw.get("html_url") or "",
        "closed_at": to_time(raw["closed_at"]) if raw.get("closed_at") else None,
        "labels": tuple(_label(row) for row in rows_of(raw.get("labels"))),
        "assignees": to_users(raw.get("assignees")),
        "milestone": (raw.get("milestone") or {}).get("title") or "",
    }


def _label(raw: Mapping[str, Any]) -> Label:
    colour = (raw.get("color") or "").removeprefix("#")
    return Label(name=raw.get("name") or "", colour=colour, description=raw.get("description") or "")


def _or_unsaid(value: Any) -> Any:
    return NOT_REPORTED if value is None else value
