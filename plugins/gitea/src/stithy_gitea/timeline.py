"""Events of issues and pull requests (docs/forge-behaviour/gitea.md#timeline)."""

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from operator import attrgetter
from typing import Any

from stithy_core.spi import Event, IssueRef, PullRequestRef
from stithy_gitea.mapping import to_time, to_user
from stithy_gitea.subjects import comment_path, review_path

Row = Mapping[str, Any]

ADDED = "1"  # the body of a label's event; that of one which took it away is empty


def _body(row: Row) -> str:
    return row.get("body") or ""


def _commit(row: Row) -> str:
    return row.get("ref_commit_sha") or ""


def _get_text(row: Row, thing: str, name: str) -> str:
    return (row.get(thing) or {}).get(name) or ""


def _referring(row: Row) -> str:
    """Return the issue or pull request that refers to this one."""
    issue = row.get("ref_issue") or {}
    return f"{_get_text(issue, 'repository', 'full_name')}#{issue['number']}" if issue else ""


def _read_push(row: Row) -> dict[str, Any]:
    """Return the JSON of a push, with the oldest commit first; empty if the body has none."""
    with suppress(ValueError):
        found = json.loads(row.get("body") or "{}")
        return found if isinstance(found, dict) else {}
    return {}


def _find_replaced_head(row: Row) -> str:
    """Return the head that a forced push replaced: the server names it and its successor."""
    push = _read_push(row)
    return next(iter(push.get("commit_ids") or [""])) if push.get("is_force_push") else ""


def _nothing(_: Row) -> str:
    return ""


KINDS: Mapping[str, str | Callable[[Row], str]] = {
    "comment": "commented",
    "code": "review_commented",
    "review": "reviewed",
    "dismiss_review": "review_dismissed",
    "review_request": lambda row: "review_request_removed" if row.get("removed_assignee") else "review_requested",
    "assignees": lambda row: "unassigned" if row.get("removed_assignee") else "assigned",
    "label": lambda row: "labeled" if row.get("body") == ADDED else "unlabeled",
    "milestone": lambda row: "milestoned" if row.get("milestone") else "demilestoned",
    "pull_push": lambda row: "force_pushed" if _read_push(row).get("is_force_push") else "pushed",
    "close": "closed",
    "reopen": "reopened",
    "merge_pull": "merged",
    "change_title": "renamed",
    "change_target_branch": "base_changed",
    "delete_branch": "head_deleted",
    "lock": "locked",
    "unlock": "unlocked",
    "issue_ref": "referenced",
    "commit_ref": "referenced",
    "comment_ref": "referenced",
    "pull_ref": "referenced",
}
TEXTS: Mapping[str, Callable[[Row], str]] = {
    "label": lambda row: _get_text(row, "label", "name"),
    "milestone": lambda row: _get_text(row, "milestone", "title") or _get_text(row, "old_milestone", "title"),
    "assignees": lambda row: _get_text(row, "assignee", "login") or _get_text(row, "assignee_team", "name"),
    "review_request": lambda row: _get_text(row, "assignee", "login") or _get_text(row, "assignee_team", "name"),
    "change_title": lambda row: row.get("new_title") or "",
    "change_target_branch": lambda row: row.get("new_ref") or "",
    "delete_branch": lambda row: row.get("old_ref") or "",
    "pull_push": lambda _: "",
    "issue_ref": lambda row: _get_text(row, "ref_issue", "title"),
    "comment_ref": lambda row: _get_text(row, "ref_issue", "title"),
    "pull_ref": lambda row: _get_text(row, "ref_issue", "title"),
}
SUBJECTS: Mapping[str, Callable[[Row], str]] = {
    "comment": lambda row: str(row.get("id") or ""),
    "review": lambda row: str(row.get("review_id") or ""),
    "dismiss_review": lambda row: str(row.get("review_id") or ""),
    "pull_push": lambda row: next(reversed(_read_push(row).get("commit_ids") or [""])),
    "issue_ref": _referring,
    "comment_ref": _referring,
    "pull_ref": _referring,
}
PREVIOUS: Mapping[str, Callable[[Row], str]] = {
    "pull_push": _find_replaced_head,
    "change_target_branch": lambda row: row.get("old_ref") or "",
}


def to_events(rows: Iterable[Row], root: str, issue: IssueRef) -> tuple[Event, ...]:
    """Map events, oldest first and without duplicates; those of one second are sorted by kind, then by id.

    Args:
        rows: Their JSON.
        root: The forge's URL.
        issue: The issue or pull request.
    """
    events = {str(row["id"]): to_event(row, _address(row, root, issue)) for row in rows}
    return tuple(sorted(events.values(), key=lambda event: (*attrgetter("at", "kind")(event), int(event.id))))


def to_event(row: Row, api_url: str) -> Event:
    """Map an event; an unknown kind keeps the server's name."""
    raw = row.get("type") or ""
    kind = KINDS.get(raw, raw)
    return Event(
        id=str(row["id"]),
        kind=kind if isinstance(kind, str) else kind(row),
        at=to_time(row["created_at"]),
        actor=to_user(row["user"]) if row.get("user") else None,
        text=TEXTS.get(raw, _body)(row),
        subject=SUBJECTS.get(raw, _commit)(row),
        url=row.get("html_url") or "",
        raw=raw,
        api_url=api_url,
        previous=PREVIOUS.get(raw, _nothing)(row),
    )


def _address(row: Row, root: str, issue: IssueRef) -> str:
    """Return the API URL of an event's comment or review; empty for other events."""
    if row.get("type") == "comment":
        return f"{root}{comment_path(issue.repository, row['id'])}"
    if row.get("type") == "review" and row.get("review_id"):
        return f"{root}{review_path(PullRequestRef(issue.repository, issue.number), row['review_id'])}"
    return ""
