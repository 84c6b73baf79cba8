"""From the JSON of Gitea and Forgejo to the model.

Source: the servers' own description, `/swagger.v1.json`. Times carry the server's offset and become UTC; lists may be
null; an account that was deleted is a ghost.
"""

from datetime import UTC, datetime
from typing import Any

from stithy_core.spi import Comment, Issue, IssueRef, PullRequest, PullRequestRef, RepositoryRef, Tip, User, UserKind

GHOST_ID = -1


def to_time(text: str) -> datetime:
    """Read a time with an offset, as UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


def to_user(raw: dict[str, Any] | None) -> User:
    """Read an account; a missing one, and the one with id -1, is a ghost."""
    if not raw or raw.get("id") == GHOST_ID:
        return User("ghost", kind=UserKind.GHOST)
    # Gitea has one account of its own for its actions; it has no flag for other bots.
    kind = UserKind.BOT if raw["id"] < GHOST_ID else UserKind.PERSON
    return User(raw["login"], str(raw["id"]), kind)


def to_comment(raw: dict[str, Any]) -> Comment:
    """Read a comment of a conversation."""
    return Comment(
        id=str(raw["id"]),
        body=raw["body"] or "",
        author=to_user(raw["user"]),
        created_at=to_time(raw["created_at"]),
        updated_at=to_time(raw["updated_at"]),
        url=raw["html_url"],
    )


def to_issue(raw: dict[str, Any], ref: IssueRef) -> Issue:
    """Read an issue."""
    return Issue(ref=ref, **_common(raw))


def to_pull_request(raw: dict[str, Any]) -> PullRequest:
    """Read a pull request; its base says the repository's present name."""
    repository = raw["base"]["repo"]
    return PullRequest(
        ref=PullRequestRef(to_repository_ref(repository), raw["number"]),
        draft=raw.get("draft", False),
        merged=raw["merged"],
        head=_tip(raw["head"]),
        base=_tip(raw["base"]),
        archived=repository["archived"],
        **_common(raw),
    )


def to_repository_ref(raw: dict[str, Any]) -> RepositoryRef:
    """Read a repository's name."""
    namespace, _, name = raw["full_name"].rpartition("/")
    return RepositoryRef(namespace, name)


def _tip(raw: dict[str, Any]) -> Tip:
    repository = to_repository_ref(raw["repo"]) if raw["repo"] else None
    return Tip(branch=raw["ref"], commit=raw["sha"], repository=repository)


def _common(raw: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": raw["title"],
        "body": raw["body"] or "",
        "state": raw["state"],
        "author": to_user(raw["user"]),
        "locked": raw["is_locked"],
        "created_at": to_time(raw["created_at"]),
        "updated_at": to_time(raw["updated_at"]),
        "url": raw["html_url"],
    }
