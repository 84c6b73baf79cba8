"""The expected model of code and checks, derived from GitHub's description and not from the mappers."""

from typing import Any

from github_recorded.conversation_models import account, time
from github_recorded.plain import UNKNOWN

METHODS = {"allow_merge_commit": "merge", "allow_squash_merge": "squash", "allow_rebase_merge": "rebase"}
FILES = {"removed": "deleted"}
VERDICTS = {
    "success": "passed",
    "failure": "failed",
    "error": "failed",
    "neutral": "neutral",
    "pending": "pending",
    "queued": "pending",
    "in_progress": "running",
}


def repository(row: dict[str, Any]) -> dict[str, Any]:
    told = [METHODS[key] for key in METHODS if row.get(key)]
    return {
        "ref": row["full_name"],
        "url": row["html_url"],
        "default_branch": row["default_branch"],
        "private": row["private"],
        "archived": row.get("archived", False),
        "fork": row["fork"],
        "clone_url": row["clone_url"],
        "parent": row["parent"]["full_name"] if "parent" in row else None,
        "writable": row["permissions"]["push"] if "permissions" in row else UNKNOWN,
        "merge_methods": told if "allow_squash_merge" in row else UNKNOWN,
        "size": row["size"] * 1024 if "size" in row else UNKNOWN,
    }


def commit(row: dict[str, Any]) -> dict[str, Any]:
    git = row["commit"]
    return {
        "sha": row["sha"],
        "message": git["message"],
        "author_name": git["author"]["name"],
        "author_email": git["author"]["email"],
        "authored_at": time(git["author"]["date"]),
        "committed_at": time(git["committer"]["date"]),
        "author": account(row["author"]) if row["author"] else None,
        "committer": account(row["committer"]) if row["committer"] else None,
        "parents": [parent["sha"] for parent in row["parents"]],
        "verified": git["verification"]["verified"] if "verification" in git else UNKNOWN,
        "url": row["html_url"],
    }


def file(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "path": row["filename"],
        "status": FILES.get(row["status"], row["status"]),
        "additions": row["additions"],
        "deletions": row["deletions"],
        "previous_path": row.get("previous_filename", ""),
        "patch": row.get("patch", UNKNOWN),
    }


def status(row: dict[str, Any]) -> dict[str, Any]:
    done, at = row["state"] != "pending", "updated_at"
    return {
        "name": row["context"],
        "verdict": VERDICTS[row["state"]],
        "url": row["target_url"] or "",
        "kind": "status",
        "id": str(row["id"]),
        "raw": row["state"],
        "source": row["creator"]["login"] if row.get("creator") else "",
        "app_id": "",
        "log_hidden": "",
        "summary": row["description"] or "",
        "run": "",
        "job": "",
        "annotations": 0,
        "reported": True,
        "allowed_to_fail": False,
        "started_at": None if done else time(row["created_at"]),
        "completed_at": time(row[at]) if done else None,
    }


def check_run(row: dict[str, Any]) -> dict[str, Any]:
    output = row["output"]
    return {
        "name": row["name"],
        "verdict": VERDICTS[row["conclusion"] or row["status"]],
        "url": row["html_url"],
        "kind": "check_run",
        "id": str(row["id"]),
        "raw": row["conclusion"] or row["status"],
        "source": row["app"].get("slug", ""),
        "app_id": str(row["app"].get("id", "")),
        "log_hidden": "",
        "summary": "\n".join(text for text in (output["title"], output["summary"]) if text),
        "run": "",
        "job": "",
        "annotations": output["annotations_count"],
        "reported": True,
        "allowed_to_fail": False,
        "started_at": time(row["started_at"]),
        "completed_at": time(row["completed_at"]),
    }


def annotation(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "path": row["path"],
        "start_line": row["start_line"],
        "end_line": row["end_line"],
        "level": row["annotation_level"],
        "message": row["message"],
        "title": row["title"] or "",
        "details": row["raw_details"] or "",
    }
