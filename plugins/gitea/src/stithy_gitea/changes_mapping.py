"""Map the JSON of repositories, commits and changed files to the model, and find a merge base among commits.

Source: `/swagger.v1.json` of Gitea 1.25 to 1.27 and Forgejo 14; docs/forge-behaviour/gitea.md#code.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from stithy_core.spi import NOT_REPORTED, Commit, FileChange, Listing, Maybe, Repository, User
from stithy_gitea.mapping import to_repository_ref, to_time, to_user

# Where no line was counted, the servers say "unchanged" of what changed: a binary file, or a mode.
WORDS = {"changed": "modified", "unchanged": "modified"}
METHODS = {
    "allow_merge_commits": "merge",
    "allow_squash_merge": "squash",
    "allow_rebase": "rebase",
    "allow_rebase_explicit": "rebase-merge",
    "allow_fast_forward_only_merge": "fast-forward-only",
}
KILOBYTE = 1024
BEGINNING = datetime.fromtimestamp(0, UTC)


def to_repository(raw: Mapping[str, Any]) -> Repository:
    """Map a repository; its permissions are reported to users with access only."""
    parent = raw.get("parent")
    rights = raw.get("permissions") or {}
    methods = tuple(method for field, method in METHODS.items() if raw.get(field))
    return Repository(
        ref=to_repository_ref(dict(raw)),
        url=raw.get("html_url") or "",
        default_branch=raw.get("default_branch") or "",
        private=bool(raw.get("private")),
        archived=bool(raw.get("archived")),
        fork=bool(raw.get("fork")),
        clone_url=raw.get("clone_url") or "",
        parent=to_repository_ref(parent) if parent else None,
        writable=rights.get("push", NOT_REPORTED),
        merge_methods=methods if METHODS.keys() & raw.keys() else NOT_REPORTED,
        size=raw["size"] * KILOBYTE if "size" in raw else NOT_REPORTED,
    )


def to_commit(raw: Mapping[str, Any]) -> Commit:
    """Map a commit."""
    inner = raw.get("commit") or {}
    author, committer = inner.get("author") or {}, inner.get("committer") or {}
    committed = committer.get("date") or raw.get("created") or author.get("date")
    return Commit(
        sha=raw.get("sha") or "",
        message=(inner.get("message") or "").rstrip("\n"),
        author_name=author.get("name") or "",
        author_email=author.get("email") or "",
        authored_at=_time(author.get("date") or committed),
        committed_at=_time(committed),
        author=_account(raw.get("author")),
        committer=_account(raw.get("committer")),
        parents=tuple(parent["sha"] for parent in raw.get("parents") or ()),
        verified=(inner.get("verification") or {}).get("verified", NOT_REPORTED),
        url=raw.get("html_url") or "",
    )


def to_file_change(raw: Mapping[str, Any], patch: Maybe[str] | None = None) -> FileChange:
    """Map a changed file; its patch comes from elsewhere, since the API has none."""
    word = raw.get("status") or ""
    return FileChange(
        path=raw["filename"],
        status="changed" if word == "unchanged" and patch == "" else WORDS.get(word, word),
        additions=raw.get("additions") or 0,
        deletions=raw.get("deletions") or 0,
        previous_path=raw.get("previous_filename") or "",
        patch=patch,
    )


def find_merge_base(commits: Listing[Commit]) -> str:
    """Return the commit that others are based on; empty unless it is certain: exactly one parent outside of them.

    `commits` are what one side has and the other has not. If they are all, a parent that is not among them is in both.
    """
    if commits.cut:
        return ""
    ours = {commit.sha for commit in commits}
    bases = {parent for commit in commits for parent in commit.parents} - ours
    roots = any(not commit.parents for commit in commits)
    return bases.pop() if len(bases) == 1 and not roots else ""


def _account(raw: Mapping[str, Any] | None) -> User | None:
    return to_user(dict(raw)) if raw and raw.get("login") else None


def _time(text: str | None) -> datetime:
    return to_time(text) if text else BEGINNING
