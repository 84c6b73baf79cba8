"""Convert GraphQL's JSON about a merge to REST's, so that the mappers of REST apply.

GraphQL has words in capitals, accounts without `[bot]`, a separate state for merged pull requests, and connections in
place of lists.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from stithy_core.spi import CommitCheck, Maybe, Queued, Unknown
from stithy_github.addresses import to_api_url
from stithy_github.checks_mapping import to_check_run, to_status
from stithy_github.commit_checks import select_latest
from stithy_github.threads_mapping import get_rest_id

Raw = Mapping[str, Any]

MERGEABLE = {"MERGEABLE": True, "CONFLICTING": False}
TEAM = "Team"
APP_PERMISSIONS = Unknown(
    "GitHub does not report to apps whether they may change a branch", "Check the app's permissions."
)
WRITERS = ("ADMIN", "MAINTAIN", "WRITE")


def list_rows(connection: Raw | None) -> Sequence[Raw]:
    """Return the nodes of a connection that the token may see; the others are null."""
    return [row for row in (connection or {}).get("nodes") or () if row]


def is_complete(connection: Raw) -> bool:
    """Return whether a connection contains everything that it counts."""
    return len(list_rows(connection)) >= int(connection["totalCount"])


def to_pull_request_row(raw: Raw) -> Raw:
    """Convert a pull request."""
    asked = [row["requestedReviewer"] for row in list_rows(raw["reviewRequests"]) if row["requestedReviewer"]]
    base = raw["baseRepository"] and {**raw["baseRepository"], "archived": raw["baseRepository"]["isArchived"]}
    return {
        **raw,
        "state": "open" if raw["state"] == "OPEN" else "closed",
        "user": raw["author"],
        "merged_by": raw["mergedBy"],
        "merge_commit_sha": (raw["mergeCommit"] or {}).get("oid"),
        "mergeable": MERGEABLE.get(raw["mergeable"]),
        "mergeable_state": raw["mergeStateStatus"].lower(),
        "head": {"ref": raw["headRefName"], "sha": raw["headRefOid"], "repo": raw["headRepository"]},
        "base": {"ref": raw["baseRefName"], "sha": raw["baseRefOid"], "repo": base},
        "labels": list_rows(raw["labels"]),
        "assignees": list_rows(raw["assignees"]),
        "comments": raw["comments"]["totalCount"],
        "requested_reviewers": [row for row in asked if row["__typename"] != TEAM],
        "requested_teams": [row for row in asked if row["__typename"] == TEAM],
    }


def to_review_row(raw: Raw, number: int) -> Raw:
    """Convert a review of the pull request with a number."""
    return {
        **raw,
        "id": get_rest_id(raw),
        "user": raw["author"],
        "commit_id": (raw["commit"] or {}).get("oid"),
        "pull_request_url": to_api_url(raw["html_url"], f"pulls/{number}"),
    }


def to_commit_row(raw: Raw) -> Raw:
    """Convert a commit; REST separates git's names from the accounts."""
    author, committer = raw["author"] or {}, raw["committer"] or {}
    return {
        **raw,
        "commit": {
            "message": raw["message"],
            "author": author,
            "committer": committer,
            "verification": {"verified": bool(raw["signature"] and raw["signature"]["isValid"])},
        },
        "author": author.get("user"),
        "committer": committer.get("user"),
        "parents": list_rows(raw["parents"]),
    }


def to_checks(rows: Iterable[Raw]) -> tuple[CommitCheck, ...]:
    """Map the check runs and commit statuses of a rollup, sorted by name."""
    contexts = list(rows)
    runs = [_to_check_run_row(row) for row in contexts if row["__typename"] == "CheckRun"]
    workflows = {row["check_suite"]["id"]: row["workflow"] for row in runs if row["workflow"]}
    checks = [_map_check_run(row) for row in select_latest(runs, workflows)]
    statuses = [row for row in contexts if row["__typename"] != "CheckRun"]
    checks += [to_status({**row, "updated_at": row["created_at"]}) for row in statuses]
    return tuple(sorted(checks, key=lambda check: (check.name, check.source, check.id)))


def to_annotation_row(raw: Raw) -> Raw:
    """Convert an annotation of a check run."""
    place, level = raw["location"], raw["annotation_level"]
    lines = {"start_line": place["start"]["line"], "end_line": place["end"]["line"]}
    return {**raw, **lines, "annotation_level": level and level.lower()}


def list_required(rows: Iterable[Raw]) -> tuple[str, ...]:
    """Return the names of a rollup's required checks, which GitHub shows to writers only."""
    return tuple(row.get("name") or row["context"] for row in rows if row.get("isRequired"))


def list_owners(raw: Raw) -> tuple[str, ...]:
    """Return the code owners whose review is requested: logins and team slugs."""
    asked = [row["requestedReviewer"] for row in list_rows(raw.get("reviewRequests")) if row.get("asCodeOwner")]
    return tuple(one.get("combinedSlug") or one["login"] for one in asked if one)


def to_may_merge(raw: Raw) -> Maybe[bool]:
    """Return whether the token's user may merge into the base: by permission and by the branch's own rule."""
    permission, rule = raw.get("viewerPermission"), (raw.get("baseRef") or {}).get("refUpdateRule")
    if not permission:
        return bool(rule["viewerCanPush"]) if rule else APP_PERMISSIONS
    return permission in WRITERS and (not rule or bool(rule["viewerCanPush"]))


def to_queued(raw: Raw) -> Queued | None:
    """Map the position in the merge queue; None if it is not queued."""
    entry = raw.get("mergeQueueEntry")
    return Queued(position=entry["position"], state=entry["state"]) if entry else None


def _to_check_run_row(raw: Raw) -> Raw:
    suite, annotations = raw["checkSuite"], raw["annotations"]
    run = suite.get("workflowRun")
    return {
        **raw,
        "id": raw["databaseId"],
        "app": suite["app"],
        "check_suite": {"id": suite["databaseId"]},
        "output": {
            "title": raw["title"],
            "summary": raw["summary"],
            "annotations_count": annotations and annotations["totalCount"],
        },
        "run": run and run["databaseId"],
        "workflow": run and (run["workflow"]["databaseId"], run["event"]),
    }


def _map_check_run(row: Raw) -> CommitCheck:
    check = to_check_run(row)
    return check if check.run or not row["run"] else evolve(check, run=str(row["run"]))
