"""Map GitHub's JSON of repositories, commits and changed files (docs/forge-behaviour/github.md#code)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from stithy_core.spi import NOT_REPORTED, Commit, FileChange, Maybe, Repository, Unknown
from stithy_github.mapping import to_repository_ref, to_repository_ref_or_none, to_time, to_user_or_none

STATUSES = {"removed": "deleted"}
MOVED = ("renamed", "copied")
MERGE_METHODS = {"merge": "allow_merge_commit", "squash": "allow_squash_merge", "rebase": "allow_rebase_merge"}
ANONYMOUS = Unknown("GitHub reports it only to requests with a token", "Set a token for this forge.")
NOT_A_WRITER = Unknown("GitHub reports it only to users who can push", "Use a token of a user who can push.")
KILOBYTE = 1024
LARGE = Unknown("GitHub leaves the patch out: it is too large", "Read the whole diff, or the file itself.")
NO_TEXT = Unknown(
    "GitHub leaves the patch out: the file is binary or empty, or only its mode changed",
    "Read the whole diff, or the file itself.",
)


def to_repository(raw: Mapping[str, Any]) -> Repository:
    """Map a repository."""
    return Repository(
        ref=to_repository_ref(raw),
        url=raw["html_url"],
        default_branch=raw["default_branch"],
        private=raw["private"],
        archived=raw.get("archived", False),  # missing only on servers older than archiving
        fork=raw["fork"],
        clone_url=raw.get("clone_url") or "",
        parent=to_repository_ref_or_none(raw.get("parent")),
        writable=(raw.get("permissions") or {}).get("push", ANONYMOUS),
        merge_methods=_map_merge_methods(raw),
        size=raw["size"] * KILOBYTE if "size" in raw else NOT_REPORTED,
    )


def _map_merge_methods(raw: Mapping[str, Any]) -> Maybe[tuple[str, ...]]:
    if not any(key in raw for key in MERGE_METHODS.values()):
        return NOT_A_WRITER
    return tuple(method for method, key in MERGE_METHODS.items() if raw.get(key))


def to_commit(raw: Mapping[str, Any]) -> Commit:
    """Map a commit; git's names may be missing, and the accounts may be null or an empty object."""
    git = raw["commit"]
    author, committer = git.get("author") or {}, git.get("committer") or {}
    return Commit(
        sha=raw["sha"],
        message=git["message"],
        author_name=author.get("name") or "",
        author_email=author.get("email") or "",
        authored_at=_map_time(author, committer),
        committed_at=_map_time(committer, author),
        author=to_user_or_none(raw.get("author")),
        committer=to_user_or_none(raw.get("committer")),
        parents=tuple(parent["sha"] for parent in raw.get("parents") or ()),
        verified=(git.get("verification") or {}).get("verified", NOT_REPORTED),
        url=raw.get("html_url") or "",
    )


def _map_time(signature: Mapping[str, Any], fallback: Mapping[str, Any]) -> datetime:
    return to_time(signature.get("date") or fallback["date"])


def to_file(raw: Mapping[str, Any], *, patches: bool = False) -> FileChange:
    """Map a changed file."""
    return FileChange(
        path=raw["filename"],
        status=STATUSES.get(raw["status"], raw["status"]),
        additions=raw["additions"],
        deletions=raw["deletions"],
        previous_path=raw.get("previous_filename") or "",
        patch=_map_patch(raw) if patches else None,
    )


def _map_patch(raw: Mapping[str, Any]) -> Maybe[str]:
    """Map the patch; if it is missing, the counts show why, since those of a binary file are zero."""
    if (patch := raw.get("patch")) is not None:
        return str(patch)
    if raw["additions"] or raw["deletions"]:
        return LARGE
    return "" if raw["status"] in MOVED else NO_TEXT
