"""From GraphQL's JSON to that of REST, whose mappers then read it: what stands before a merge.

Where they differ: words are in capitals, accounts carry no `[bot]`, a merged pull request has a state of its own, and
lists are connections.
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
APPS_NOT_TOLD = Unknown("GitHub does not tell apps whether they may change a branch", "Look at the app's permissions.")
WRITERS = ("ADMIN", "MAINTAIN", "WRITE")


def list_rows(connection: Raw | None) -> Sequence[Raw]:
    """Give what of a connection may be seen: the rest is null."""
    return [row for row in (connection or {}).get("nodes") or () if row]


def is_complete(connection: Raw) -> bool:
    """Say whether a connection gave everything that it counts."""
    return len(list_rows(connection)) >= int(connection["totalCount"])


def pull_request_row(raw: Raw) -> Raw:
    """Write a pull request."""
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


def review_row(raw: Raw, number: int) -> Raw:
    """Write a review of the pull request of that number."""
    return {
        **raw,
        "id": get_rest_id(raw),
        "user": raw["author"],
        "commit_id": (raw["commit"] or {}).get("oid"),
        "pull_request_url": to_api_url(raw["html_url"], f"pulls/{number}"),
    }


def commit_row(raw: Raw) -> Raw:
    """Write a commit; git's names and the accounts stand apart in REST."""
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
    """Read check runs and commit statuses of a rollup, by name."""
    found = list(rows)
    runs = [_to_check_run_row(row) for row in found if row["__typename"] == "CheckRun"]
    workflows = {row["check_suite"]["id"]: row["workflow"] for row in runs if row["workflow"]}
    checks = [_map_check_run(row) for row in select_latest(runs, workflows)]
    checks += [to_status({**row, "updated_at": row["created_at"]}) for row in found if row["__typename"] != "CheckRun"]
    return tuple(sorted(checks, key=lambda check: (check.name, check.source, check.id)))


def list_required(rows: Iterable[Raw]) -> tuple[str, ...]:
    """Give the names of what a rollup says is required; only writers are told."""
    return tuple(row.get("name") or row["context"] for row in rows if row.get("isRequired"))


def list_owners(raw: Raw) -> tuple[str, ...]:
    """Give who is asked for a review as an owner of the changed code."""
    asked = [row["requestedReviewer"] for row in list_rows(raw.get("reviewRequests")) if row.get("asCodeOwner")]
    return tuple(one.get("combinedSlug") or one["login"] for one in asked if one)


def to_may_merge(raw: Raw) -> Maybe[bool]:
    """Say whether the token's user may change the base: by the right to write, and as far as a protection lets them."""
    permission, rule = raw.get("viewerPermission"), (raw.get("baseRef") or {}).get("refUpdateRule")
    if not permission:
        return bool(rule["viewerCanPush"]) if rule else APPS_NOT_TOLD
    return permission in WRITERS and (not rule or bool(rule["viewerCanPush"]))


def to_queued(raw: Raw) -> Queued | None:
    """Read the place in the merge queue."""
    entry = raw.get("mergeQueueEntry")
    return Queued(entry["position"], entry["state"]) if entry else None


def _to_check_run_row(raw: Raw) -> Raw:
    suite, remarks = raw["checkSuite"], raw["annotations"]
    run = suite.get("workflowRun")
    return {
        **raw,
        "id": raw["databaseId"],
        "app": suite["app"],
        "check_suite": {"id": suite["databaseId"]},
        "output": {
            "title": raw["title"],
            "summary": raw["summary"],
            "annotations_count": remarks and remarks["totalCount"],
        },
        "run": run and run["databaseId"],
        "workflow": run and (run["workflow"]["databaseId"], run["event"]),
    }


def _map_check_run(row: Raw) -> CommitCheck:
    check = to_check_run(row)
    return check if check.run or not row["run"] else evolve(check, run=str(row["run"]))
