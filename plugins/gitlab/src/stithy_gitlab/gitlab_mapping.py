"""From GitLab's JSON to the records of people and conversations."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeAlias

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRef,
    Comment,
    ForgeNames,
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

Json: TypeAlias = Mapping[str, Any]

GHOST = "ghost"
BOT = re.compile(r"(?:project|group)_\d+_bot(?:\d*|_[0-9a-z]+)")
OPEN = {"opened": "open", "locked": "open", "closed": "closed", "merged": "closed"}  # locked: while it is merged
INTERNAL = "internal"
"""The association of a comment that only members of the project can see, with the role Planner or a higher one."""
RECHECKED = "GitLab computes it after it was asked"
NOT_CHECKED = Unknown(RECHECKED, "Read the merge request again in a few seconds.")
CLOSED = Unknown("GitLab does not check merge requests that are not open")
UNCOUNTED = Unknown("GitLab counts the changes of a merge request that it prepares later", "Read it again.")
CONFLICT_WORDS = {"conflict", "broken_status"}
MET = "mergeable"
_RULES = """
    approvals_syncing blocked_status ci_must_pass ci_still_running discussions_not_resolved external_status_checks
    jira_association_missing locked_lfs_files locked_paths merge_request_blocked merge_time need_rebase not_approved
    policies_denied requested_changes security_policy_violations status_checks_must_pass title_regex
"""
CHECK = "GitLab's merge check "
PIPELINE_CHECK = f"{CHECK}ci_must_pass"
"""The names of the results of GitLab's own checks, and of the one for CI."""
RULE_WORDS = frozenset(_RULES.split())
"""Words for a rule that is unmet: https://docs.gitlab.com/api/merge_requests/#merge-status."""


def to_time(text: str) -> datetime:
    """Parse a time; those of commits have the author's offset."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is UTC else found.astimezone(UTC)


def to_optional_time(text: str | None) -> datetime | None:
    """Parse a time that may be missing."""
    return to_time(text) if text else None


def to_user(raw: Json | None) -> User:
    """Map an account. Only its name shows whether it is a bot, and not every bot has such a name."""
    if not raw or raw.get("username") == GHOST:
        return User(login=GHOST, kind=UserKind.GHOST)
    return _create_user(raw["username"], str(raw["id"]), raw.get("bot") is True)


@lru_cache(maxsize=1_000)  # a conversation of thousands of notes has few authors
def _create_user(login: str, number: str, is_bot: bool) -> User:  # noqa: FBT001 -- a key of the cache
    named = is_bot or BOT.fullmatch(login)
    return User(login=login, id=number, kind=UserKind.BOT if named else NOT_REPORTED)


def to_users(rows: Iterable[Json] | None) -> tuple[User, ...]:
    """Map accounts."""
    return tuple(to_user(row) for row in rows or ())


def to_repository_ref(path: str) -> RepositoryRef:
    """Split the whole path of a project."""
    namespace, _, name = path.rpartition("/")
    return RepositoryRef(namespace, name)


def find_repository(raw: Json, requested: RepositoryRef) -> RepositoryRef:
    """Return the current name of the project of an issue or a merge request."""
    full = str((raw.get("references") or {}).get("full") or "")
    path = re.split(r"[#!](?=\d+$)", full)[0]
    return to_repository_ref(path) if path else requested


def to_label(raw: Json | str) -> Label:
    """Map a label; where its details were not read, only its name is known."""
    if isinstance(raw, str):
        return Label(name=raw)
    colour = str(raw.get("color") or "").removeprefix("#").lower()
    return Label(name=raw["name"], colour=colour, description=raw.get("description") or "")


def to_issue(raw: Json, requested: RepositoryRef) -> Issue:
    """Map an issue."""
    ref = IssueRef(find_repository(raw, requested), raw["iid"])
    return Issue(ref=ref, comment_count=_or_unreported(raw.get("user_notes_count")), **_read_common(raw))


def to_merge_request(
    raw: Json, requested: RepositoryRef, names: ForgeNames, *, head: RepositoryRef | None, archived: Maybe[bool]
) -> PullRequest:
    """Map a merge request.

    Args:
        raw: Its JSON.
        requested: The project that was asked for.
        names: How GitLab writes names.
        head: The project of the source branch; None if it was deleted, or the token may not see it.
        archived: Whether the project is archived.
    """
    repository = find_repository(raw, requested)
    is_merged = raw["state"] == "merged"
    merged_by = raw.get("merge_user") or raw.get("merged_by")  # of an open one, who enabled auto-merge
    return PullRequest(
        ref=names.create_pull_request_ref(repository, raw["iid"]),
        draft=_or_unreported(raw.get("draft", raw.get("work_in_progress"))),
        merged=is_merged,
        head=BranchRef(branch=raw["source_branch"], commit=raw.get("sha") or "", repository=head),
        base=BranchRef(branch=raw["target_branch"], commit=_find_base_commit(raw), repository=repository),
        archived=archived,
        mergeable=_find_mergeable(raw),
        forge_state=raw.get("detailed_merge_status") or raw.get("merge_status") or "",
        blocked=_find_blocked(raw),
        merged_at=to_optional_time(raw.get("merged_at")),
        merged_by=to_user(merged_by) if is_merged and merged_by else None,
        merge_commit=_find_merge_commit(raw) if is_merged else "",
        requested_reviewers=_find_reviewers(raw),
        changed_files=_count_files(raw.get("changes_count")),
        comment_count=NOT_REPORTED,  # the count has the notes of threads, too
        **_read_common(raw),
    )


def _read_common(raw: Json) -> dict[str, Any]:
    return {
        "title": raw["title"],
        "body": raw.get("description") or "",
        "state": OPEN.get(raw["state"], raw["state"]),
        "author": to_user(raw.get("author")),
        "locked": _or_unreported(raw.get("discussion_locked", False)) if "discussion_locked" in raw else NOT_REPORTED,
        "created_at": to_time(raw["created_at"]),
        "updated_at": to_time(raw["updated_at"]),
        "url": raw["web_url"],
        "closed_at": to_optional_time(raw.get("closed_at") or raw.get("merged_at")),
        "labels": tuple(to_label(row) for row in raw.get("labels") or ()),
        "assignees": to_users(raw.get("assignees")),
        "milestone": (raw.get("milestone") or {}).get("title") or "",
    }


def _or_unreported(value: Any) -> Any:
    return NOT_REPORTED if value is None else value


def _find_base_commit(raw: Json) -> str:
    """Return the head of the target branch: as it was read beside, or as it was at the latest push."""
    return str(raw.get("base_commit") or (raw.get("diff_refs") or {}).get("start_sha") or "")


def _find_mergeable(raw: Json) -> Maybe[bool]:
    """Return whether there is no conflict. `has_conflicts` is false as long as the server has not checked."""
    if raw["state"] not in {"opened", "locked"}:
        return CLOSED
    if raw.get("detailed_merge_status") in CONFLICT_WORDS or raw.get("has_conflicts"):
        return False
    return True if raw.get("merge_status") == "can_be_merged" else NOT_CHECKED


def _find_blocked(raw: Json) -> Maybe[bool]:
    word = raw.get("detailed_merge_status")
    if raw["state"] != "opened" or not word:
        return NOT_REPORTED
    if word in RULE_WORDS:
        return True
    if word == MET:
        return False
    return Unknown(f"GitLab reports {word!r}, which hides whether its other rules are met")


def _find_merge_commit(raw: Json) -> str:
    """Return the commit of a merge; a fast-forward makes none, so that the head itself is on the target branch."""
    return raw.get("merge_commit_sha") or raw.get("squash_commit_sha") or raw.get("sha") or ""


def _find_reviewers(raw: Json) -> Maybe[tuple[User, ...]]:
    if raw.get("reviewers"):
        return Unknown("lists also have reviewers who have answered", "Read the merge request by its number.")
    return ()


def _count_files(count: str | None) -> Maybe[int]:
    """Parse the number of changed files: a text, which ends with "+" where the server stopped counting."""
    if count is None:
        return UNCOUNTED
    return int(count) if count.isdecimal() else Unknown(f"GitLab counted {count}")


def to_comment(raw: Json, subject_url: str, api_url: str) -> Comment:
    """Map a note of a conversation."""
    return Comment(**read_comment_fields(raw, subject_url, api_url))


def read_comment_fields(raw: Json, subject_url: str, api_url: str) -> dict[str, Any]:
    """Return the fields of a comment.

    Args:
        raw: The note; it has no URL of its own.
        subject_url: The page of the issue or merge request.
        api_url: The URL of its notes in the API.
    """
    number, created_at = str(raw["id"]), to_time(raw["created_at"])
    return {
        "id": number,
        "body": raw["body"],
        "author": to_user(raw.get("author")),
        "created_at": created_at,
        "updated_at": created_at if raw["updated_at"] == raw["created_at"] else to_time(raw["updated_at"]),
        "url": f"{subject_url}#note_{number}",
        "association": INTERNAL if raw.get("internal") or raw.get("confidential") else "",
        "api_url": f"{api_url}/{number}",
    }


def is_merge_request(subject: IssueRef) -> bool:
    """Return whether a reference is that of a merge request: an issue may have the same number."""
    return isinstance(subject, PullRequestRef)
