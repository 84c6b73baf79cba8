"""The expected model of accounts and conversations, derived from GitHub's description and not from the mappers.

Every function gives all fields of a record, so that none is left out of the comparison.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from github_recorded.plain import UNKNOWN

EMOJI = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
KINDS = {"User": "person", "Bot": "bot", "Organization": "organization"}
EVENTS = {"head_ref_deleted": "head_deleted", "head_ref_restored": "head_restored", "cross-referenced": "referenced"}
WORDS = (
    ("label", "name"),
    ("rename", "to"),
    ("milestone", "title"),
    ("assignee", "login"),
    ("requested_reviewer", "login"),
)


def time(text: str | None) -> datetime | None:
    """Read a time, in UTC or with an offset."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z") if text else None


def account(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None or row["login"] == "ghost":
        return {"login": "ghost", "id": "", "kind": "ghost"}
    return {"login": row["login"], "id": str(row["id"]), "kind": KINDS.get(row.get("type", ""), UNKNOWN)}


def accounts(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [account(row) for row in rows]


def label(row: dict[str, Any]) -> dict[str, Any]:
    return {"name": row["name"], "colour": row["color"], "description": row.get("description") or ""}


def name(row: dict[str, Any]) -> str:
    return str(row["full_name"])


def _subject(row: dict[str, Any]) -> dict[str, Any]:
    one = [row["assignee"]] if row.get("assignee") else []
    return {
        "title": row["title"],
        "body": row["body"] or "",
        "state": row["state"],
        "author": account(row["user"]),
        "locked": row.get("locked", UNKNOWN),
        "created_at": time(row["created_at"]),
        "updated_at": time(row["updated_at"]),
        "url": row["html_url"],
        "closed_at": time(row["closed_at"]),
        "labels": [label(one) for one in row.get("labels", ())],
        "assignees": accounts(row.get("assignees", one)),
        "milestone": row["milestone"]["title"] if row["milestone"] else "",
        "comment_count": row.get("comments", UNKNOWN),
        "association": row.get("author_association", ""),
    }


def issue(row: dict[str, Any]) -> dict[str, Any]:
    home = "/".join(row["url"].split("/")[-4:-2])
    return _subject(row) | {"ref": f"{home}#{row['number']}", "is_pull_request": "pull_request" in row}


def _end(row: dict[str, Any]) -> dict[str, Any]:
    return {"branch": row["ref"], "commit": row["sha"], "repository": row["repo"] and row["repo"]["full_name"]}


def pull(row: dict[str, Any]) -> dict[str, Any]:
    merged = row["merged_at"] is not None
    alone = ("additions", "deletions", "changed_files")
    return (
        _subject(row)
        | {field: row.get(field, UNKNOWN) for field in alone}
        | {
            "ref": f"{row['base']['repo']['full_name']}#{row['number']}",
            "is_pull_request": True,
            "draft": row.get("draft", UNKNOWN),
            "merged": merged,
            "head": _end(row["head"]),
            "base": _end(row["base"]),
            "archived": row["base"]["repo"].get("archived", UNKNOWN),
            "mergeable": UNKNOWN if row.get("mergeable") is None else row["mergeable"],
            "forge_state": row.get("mergeable_state", ""),
            "blocked": {"blocked": True, "clean": False}.get(row.get("mergeable_state", ""), UNKNOWN),
            "merged_at": time(row["merged_at"]),
            "merged_by": account(row["merged_by"]) if row.get("merged_by") else None,
            "merge_commit": row["merge_commit_sha"] if merged else "",
            "requested_reviewers": accounts(row.get("requested_reviewers", ())),
            "requested_teams": [team["name"] for team in row.get("requested_teams", ())],
            "stack": None,  # the exchanges are older than stacks
        }
    )


def comment(row: dict[str, Any]) -> dict[str, Any]:
    counts = row.get("reactions")
    given = counts and [{"content": word, "count": counts[word]} for word in EMOJI if counts.get(word)]
    return {
        "id": str(row["id"]),
        "body": row["body"],
        "author": account(row["user"]),
        "created_at": time(row["created_at"]),
        "updated_at": time(row["updated_at"]),
        "url": row["html_url"],
        "association": row.get("author_association", ""),
        "reactions": UNKNOWN if counts is None else given,
        "api_url": row["url"],
        "minimized": UNKNOWN,
    }


def review_comment(row: dict[str, Any]) -> dict[str, Any]:
    review = row.get("pull_request_review_id")
    return comment(row) | {
        "review": "" if review is None else str(review),
        "pending": False,
        "commit": row["original_commit_id"],
    }


def review(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": str(row["id"]),
        "author": account(row["user"]),
        "state": row["state"].lower(),
        "body": row["body"],
        "submitted_at": time(row.get("submitted_at")),
        "url": row["html_url"],
        "commit": row["commit_id"],
        "stale": UNKNOWN,
        "official": UNKNOWN,
        "association": row.get("author_association", ""),
        "api_url": f"{row['pull_request_url']}/reviews/{row['id']}",
    }


def event(row: dict[str, Any]) -> list[dict[str, Any]]:
    words = [str(row[field][key]) for field, key in WORDS if row.get(field)]
    return [
        {
            "id": f"event-{row['id']}",
            "kind": EVENTS.get(row["event"], row["event"]),
            "at": time(row["created_at"]),
            "actor": account(row["actor"]) if row["actor"] else None,
            "text": words[0] if words else "",
            "subject": row["commit_id"] or "",
            "previous": "",
            "url": "",
            "raw": row["event"],
            "api_url": row["url"],
        }
    ]


def commit_comment(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of a comment on a commit, which the plugin reads in timelines only."""
    return [
        {
            "id": f"commit_comment-{row['id']}",
            "kind": "commit-commented",
            "at": time(row["created_at"]),
            "actor": account(row["user"]),
            "text": row["body"],
            "subject": str(row["id"]),
            "previous": "",
            "url": row["html_url"],
            "raw": "commit-commented",
            "api_url": row["url"],
        }
    ]
