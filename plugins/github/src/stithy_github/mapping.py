"""Map the JSON that all records share: times, accounts, names (docs/forge-behaviour/github.md).

Old servers leave fields out, and a deleted account is null or the account `ghost`, so a field that its record does not
require may be missing.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from stithy_core.spi import (
    NOT_REPORTED,
    InvalidArguments,
    IssueRef,
    Label,
    Maybe,
    Reaction,
    RepositoryRef,
    Unknown,
    User,
    UserKind,
)

GHOST = "ghost"
BOT = "[bot]"
KINDS = {
    "User": UserKind.PERSON,
    "EnterpriseUserAccount": UserKind.PERSON,
    "Bot": UserKind.BOT,
    "Organization": UserKind.ORGANIZATION,
}
REACTIONS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def repository_path(repository: RepositoryRef) -> str:
    """Return the API's path of a repository.

    Raises:
        InvalidArguments: The name contains an empty part, '.' or '..'.
    """
    segments = repository.namespace, repository.name
    if any(segment in {"", ".", ".."} for segment in segments):
        raise InvalidArguments(f"invalid repository name '{repository}'", suggestion="Write it as owner/name.")
    return "/repos/" + "/".join(quote(segment, safe="") for segment in segments)


def issue_path(issue: IssueRef) -> str:
    """Return the API's path of an issue, or of the issue that backs a pull request."""
    return f"{repository_path(issue.repository)}/issues/{issue.number}"


def pull_path(pr: IssueRef) -> str:
    """Return the API's path of a pull request."""
    return f"{repository_path(pr.repository)}/pulls/{pr.number}"


def to_time(text: str) -> datetime:
    """Parse a time, as UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


def to_time_or_none(text: str | None) -> datetime | None:
    """Parse a time that may be missing, as UTC."""
    return to_time(text) if text else None


def to_user(raw: Mapping[str, Any] | None) -> User:
    """Map an account of REST or GraphQL; a missing or deleted one is a ghost."""
    if not raw or not raw.get("login") or raw["login"] == GHOST:
        return User(login=GHOST, kind=UserKind.GHOST)
    login, kind = str(raw["login"]), _map_kind(raw)
    if kind is UserKind.BOT and not login.endswith(BOT):
        login += BOT  # REST has the suffix, GraphQL leaves it out
    number = raw.get("id") if isinstance(raw.get("id"), int) else raw.get("databaseId")
    return User(login=login, id="" if number is None else str(number), kind=kind)


def _map_kind(raw: Mapping[str, Any]) -> Maybe[UserKind]:
    if str(raw["login"]).endswith(BOT):
        return UserKind.BOT
    kind = raw.get("type") or raw.get("__typename")
    if not kind:
        return NOT_REPORTED
    return KINDS.get(kind) or Unknown(f"unknown type of account: {kind}")


def to_user_or_none(raw: Mapping[str, Any] | None) -> User | None:
    """Map an account that may be missing; None, not a ghost, if it is."""
    return to_user(raw) if raw else None


def to_users(rows: Iterable[Mapping[str, Any] | None] | None) -> tuple[User, ...]:
    """Map a list of accounts, which may be missing."""
    return tuple(to_user(row) for row in rows or ())


def to_repository_ref(raw: Mapping[str, Any]) -> RepositoryRef:
    """Map a repository's name of REST (`full_name`) or GraphQL (`nameWithOwner`)."""
    namespace, _, name = str(raw.get("full_name") or raw["nameWithOwner"]).rpartition("/")
    return RepositoryRef(namespace, name)


def to_repository_ref_or_none(raw: Mapping[str, Any] | None) -> RepositoryRef | None:
    """Map the name of a repository that may be deleted."""
    return to_repository_ref(raw) if raw else None


def to_label(raw: Mapping[str, Any] | str) -> Label:
    """Map a label; some answers have its name alone."""
    if isinstance(raw, str):
        return Label(name=raw)
    return Label(name=raw.get("name") or "", colour=raw.get("color") or "", description=raw.get("description") or "")


def to_reactions(raw: Mapping[str, Any]) -> tuple[Reaction, ...]:
    """Map the counts of the eight emoji, without those that are zero."""
    return tuple(Reaction(content=word, count=raw[word]) for word in REACTIONS if raw.get(word))
