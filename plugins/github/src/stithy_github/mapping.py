"""From GitHub's JSON to what all records share: times, accounts, names.

See docs/forge-behaviour/github.md. Old servers leave fields out, and a deleted account is null or
the account `ghost`, so nothing here takes a field for granted that its record can do without.
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
    """Write a repository as the path of its API.

    Raises:
        InvalidArguments: It has a name that would lead elsewhere.
    """
    segments = repository.namespace, repository.name
    if any(segment in {"", ".", ".."} for segment in segments):
        raise InvalidArguments(f"{repository} is no name of a repository", suggestion="Write it as owner/name.")
    return "/repos/" + "/".join(quote(segment, safe="") for segment in segments)


def issue_path(issue: IssueRef) -> str:
    """Write an issue, or a pull request as the issue that it is, too."""
    return f"{repository_path(issue.repository)}/issues/{issue.number}"


def pull_path(pr: IssueRef) -> str:
    """Write a pull request as the path of its API."""
    return f"{repository_path(pr.repository)}/pulls/{pr.number}"


def to_time(text: str) -> datetime:
    """Read a time, as UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


def to_time_or_none(text: str | None) -> datetime | None:
    """Read a time that may be left out, as UTC."""
    return to_time(text) if text else None


def to_user(raw: Mapping[str, Any] | None) -> User:
    """Read an account, from REST or GraphQL; a missing one, and the one that stands for the deleted, is a ghost."""
    if not raw or not raw.get("login") or raw["login"] == GHOST:
        return User(GHOST, kind=UserKind.GHOST)
    login, kind = str(raw["login"]), _map_kind(raw)
    if kind is UserKind.BOT and not login.endswith(BOT):
        login += BOT  # GraphQL leaves it out, REST writes it: one identity
    found = raw.get("id") if isinstance(raw.get("id"), int) else raw.get("databaseId")
    return User(login, "" if found is None else str(found), kind)


def _map_kind(raw: Mapping[str, Any]) -> Maybe[UserKind]:
    if str(raw["login"]).endswith(BOT):
        return UserKind.BOT
    said = raw.get("type") or raw.get("__typename")
    if not said:
        return NOT_REPORTED
    return KINDS.get(said) or Unknown(f"GitHub calls this account {said}")


def to_user_or_none(raw: Mapping[str, Any] | None) -> User | None:
    """Read an account that may be missing: nobody, not a ghost."""
    return to_user(raw) if raw else None


def to_users(rows: Iterable[Mapping[str, Any] | None] | None) -> tuple[User, ...]:
    """Read several accounts; a list may be missing."""
    return tuple(to_user(row) for row in rows or ())


def to_repository_ref(raw: Mapping[str, Any]) -> RepositoryRef:
    """Read a repository's name, from REST (`full_name`) or GraphQL (`nameWithOwner`)."""
    namespace, _, name = str(raw.get("full_name") or raw["nameWithOwner"]).rpartition("/")
    return RepositoryRef(namespace, name)


def to_repository_ref_or_none(raw: Mapping[str, Any] | None) -> RepositoryRef | None:
    """Read the name of a repository that may be gone."""
    return to_repository_ref(raw) if raw else None


def to_label(raw: Mapping[str, Any] | str) -> Label:
    """Read a label; some answers have its name alone."""
    if isinstance(raw, str):
        return Label(raw)
    return Label(raw.get("name") or "", raw.get("color") or "", raw.get("description") or "")


def to_reactions(raw: Mapping[str, Any]) -> tuple[Reaction, ...]:
    """Read the counts of the eight emoji, without those that nobody gave."""
    return tuple(Reaction(word, raw[word]) for word in REACTIONS if raw.get(word))
