"""Map GitHub's JSON of issues and pull requests (docs/forge-behaviour/github.md#pull-requests).

Only the read of a single pull request reports whether it can be merged and how large it is; lists leave that out.
"""

from collections.abc import Mapping
from typing import Any

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRef,
    Issue,
    IssueRef,
    Maybe,
    PullRequest,
    PullRequestRef,
    StackPlace,
    Unknown,
)
from stithy_github.mapping import (
    to_label,
    to_repository_ref,
    to_repository_ref_or_none,
    to_time,
    to_time_or_none,
    to_user,
    to_user_or_none,
    to_users,
)

IN_A_LIST = Unknown("GitHub's lists leave it out", "Read the pull request by its number.")
COMPUTING = Unknown("GitHub is computing it", "Try again in a few seconds.")
NOT_OPEN = Unknown("GitHub computes it for open pull requests only")
BLOCKED = {"blocked": True, "behind": True, "clean": False, "unstable": False, "has_hooks": False}
"""Whether a rule is unmet, by `mergeable_state`; its other values report something else, which hides the rules."""


def to_issue(raw: Mapping[str, Any], asked: IssueRef) -> Issue:
    """Map an issue; a transferred one has its current repository and number.

    Args:
        raw: The JSON.
        asked: The reference that was requested.
    """
    return Issue(
        ref=_map_ref(raw, asked),
        comment_count=raw.get("comments", NOT_REPORTED),
        is_pull_request="pull_request" in raw,
        **_map_common(raw),
    )


def to_pull_request(raw: Mapping[str, Any], asked: PullRequestRef) -> PullRequest:
    """Map a pull request; its base has the repository's current name.

    Args:
        raw: The JSON of a pull request or of a row in a list.
        asked: The reference that was requested.
    """
    base = raw["base"].get("repo")
    merged = bool(raw["merged"] if raw.get("merged") is not None else raw.get("merged_at"))
    return PullRequest(
        ref=PullRequestRef(to_repository_ref(base) if base else asked.repository, raw["number"]),
        draft=raw.get("draft", NOT_REPORTED),
        merged=merged,
        head=_map_branch(raw["head"]),
        base=_map_branch(raw["base"]),
        archived=(base or {}).get("archived", NOT_REPORTED),
        mergeable=_map_mergeable(raw),
        forge_state=raw.get("mergeable_state") or "",
        blocked=BLOCKED.get(raw.get("mergeable_state") or "", NOT_REPORTED),
        merged_at=to_time_or_none(raw.get("merged_at")),
        merged_by=to_user_or_none(raw.get("merged_by")),
        # Before the merge this is a test merge, which no branch contains.
        merge_commit=(raw.get("merge_commit_sha") or "") if merged else "",
        requested_reviewers=to_users(raw.get("requested_reviewers")),
        requested_teams=tuple(team["name"] for team in raw.get("requested_teams") or ()),
        comment_count=raw.get("comments", IN_A_LIST),
        additions=raw.get("additions", IN_A_LIST),
        deletions=raw.get("deletions", IN_A_LIST),
        changed_files=raw.get("changed_files", IN_A_LIST),
        stack=_map_stack(raw.get("stack")),
        **_map_common(raw),
    )


def _map_ref(raw: Mapping[str, Any], asked: IssueRef) -> IssueRef:
    """Return an issue's current reference; unlike a pull request it may have been transferred."""
    path = raw.get("repository_url", "").rpartition("/repos/")[2]
    repository = to_repository_ref({"full_name": path}) if path else asked.repository
    return IssueRef(repository, raw["number"])


def _map_stack(raw: Mapping[str, Any] | None) -> StackPlace | None:
    """Return the place in a stack; each of its fields may be missing."""
    if not raw or raw.get("number") is None or raw.get("position") is None:
        return None
    return StackPlace(number=raw["number"], position=raw["position"], size=raw.get("size", NOT_REPORTED))


def _map_mergeable(raw: Mapping[str, Any]) -> Maybe[bool]:
    if "mergeable" not in raw:
        return IN_A_LIST
    mergeable: bool | None = raw["mergeable"]
    if mergeable is not None:
        return mergeable
    return COMPUTING if raw["state"] == "open" else NOT_OPEN


def _map_branch(raw: Mapping[str, Any]) -> BranchRef:
    return BranchRef(branch=raw["ref"], commit=raw["sha"], repository=to_repository_ref_or_none(raw.get("repo")))


def _map_common(raw: Mapping[str, Any]) -> dict[str, Any]:
    assignee = raw.get("assignee")
    return {
        "title": raw["title"],
        "body": raw.get("body") or "",
        "state": raw["state"],
        "author": to_user(raw.get("user")),
        "locked": raw.get("locked", NOT_REPORTED),
        "created_at": to_time(raw["created_at"]),
        "updated_at": to_time(raw["updated_at"]),
        "url": raw["html_url"],
        "closed_at": to_time_or_none(raw.get("closed_at")),
        "labels": tuple(to_label(label) for label in raw.get("labels") or ()),
        "assignees": to_users(raw.get("assignees", [assignee] if assignee else [])),
        "milestone": (raw.get("milestone") or {}).get("title") or "",
        "association": raw.get("author_association") or "",
    }
