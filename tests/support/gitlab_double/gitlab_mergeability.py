"""GitLab's checks of a merge, and the one word that it makes of them.

The order of the checks is that of app/services/merge_requests/mergeability/detailed_merge_status_service.rb and, in the
Enterprise Edition, ee/app/models/ee/merge_request.rb: the word is the first check that fails, and CI comes last.
"""

from collections.abc import Mapping

from gitlab_double.gitlab_world import Json, Project, World, read_git

UNCHECKED = ("preparing", "checking", "unchecked")
NEED_PIPELINE = "only_allow_merge_if_pipeline_succeeds"
NEED_THREADS = "only_allow_merge_if_all_discussions_are_resolved"
_ENTERPRISE = """
    requested_changes not_approved approvals_syncing merge_request_blocked jira_association_missing
    security_policy_violations status_checks_must_pass locked_paths
"""
_ALL = """
    not_open merge_time draft_status commits_status discussions_not_resolved title_regex locked_lfs_files
    conflict need_rebase ci_must_pass
"""
ENTERPRISE = _ENTERPRISE.split()
ORDER = (*ENTERPRISE, *_ALL.split())
RUNNING = ("created", "waiting_for_resource", "preparing", "pending", "running")


def evaluate_checks(world: World, home: Project, merge: Json) -> Mapping[str, str]:
    """Return the status of each check; `merge["checks"]` has those that nothing else on the double decides."""
    found = {name: "INACTIVE" for name in ORDER if world.has_tier("premium") or name not in ENTERPRISE}
    facts = {
        "requested_changes": "requested_changes" in _list_states(merge),
        "not_approved": len(merge["approvals"]) < merge["approvals_required"],
        "merge_request_blocked": any(_is_open(row) for row in merge["blocks"]),
        "not_open": merge["state"] != "opened",
        "draft_status": merge["draft"],
        "commits_status": not merge["sha"],
        "discussions_not_resolved": _has_open_thread(merge) if home.settings[NEED_THREADS] else None,
        "conflict": merge["has_conflicts"],
        "need_rebase": count_diverged(home, merge) > 0 if home.settings["merge_method"] != "merge" else None,
        "ci_must_pass": _is_pipeline_missing(home, merge) if home.settings[NEED_PIPELINE] else None,
    }
    found |= {
        name: "FAILED" if failed else "SUCCESS"
        for name, failed in facts.items()
        if name in found and failed is not None
    }
    others = {name.lower(): status for name, status in merge["checks"].items()}
    return found | {name: status for name, status in others.items() if name in found or name not in ORDER}


def find_word(world: World, home: Project, merge: Json) -> str:
    """Return `detailed_merge_status`."""
    if merge["merge_status"] in UNCHECKED:
        return str(merge["merge_status"])
    checks = evaluate_checks(world, home, merge)
    names = (*(name for name in checks if name not in ORDER), *ORDER)
    word = next((name for name in names if checks.get(name) in {"FAILED", "CHECKING"}), "mergeable")
    run = find_head_pipeline(home, merge)
    is_running = word == "ci_must_pass" and run is not None and run["status"] in RUNNING
    return "ci_still_running" if is_running else word


def find_head_pipeline(home: Project, merge: Json) -> Json | None:
    """Return the newest pipeline of the head, or on the result of the merge, in the project or in the fork."""
    projects = {one.path: one for one in (home, merge["source"] or home)}.values()
    refs = {f"refs/merge-requests/{merge['iid']}/{end}" for end in ("head", "merge", "train")}
    rows = [one for project in projects for one in project.pipelines]
    mine = [one for one in rows if one["sha"] == merge["sha"] or one["ref"] in refs]
    return max(mine, key=lambda one: int(one["id"])) if mine else None


def count_diverged(home: Project, merge: Json) -> int:
    """Return how many commits the target branch has that the source branch lacks (app/models/merge_request.rb)."""
    return int(read_git(home.bare, "rev-list", "--count", merge["target_branch"], f"^{merge['sha']}") or 0)


def _is_pipeline_missing(home: Project, merge: Json) -> bool:
    run = find_head_pipeline(home, merge)
    passing = ("success", "skipped") if home.settings["allow_merge_on_skipped_pipeline"] else ("success",)
    return run is None or run["status"] not in passing


def _list_states(merge: Json) -> list[str]:
    return [row["state"] for row in merge.get("reviewer_states", [])]


def _is_open(row: Json) -> bool:
    blocking = row.get("blocking_merge_request")
    return blocking is None or blocking["state"] == "opened"


def _has_open_thread(merge: Json) -> bool:
    notes = [note for one in merge["discussions"] for note in one["notes"] if note["resolvable"]]
    return any(not note.get("resolved") for note in notes)
