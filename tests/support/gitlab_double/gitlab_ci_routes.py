"""The routes for code, pipelines, jobs and rules.

Quirks, each with its source in GitLab's repository or documentation:

- The trace of a job that has not begun or was erased is an empty 200 (lib/api/ci/jobs.rb).
- Jobs are counted by no header, and retried ones and bridges are not among them (lib/api/ci/jobs.rb).
- `target_url` of a job's status is null (app/models/ci/build.rb).
- A pattern among the protected branches is found by its own name only (lib/api/protected_branches.rb).
"""

from typing import Any

from gitlab_double.gitlab_mergeability import evaluate_checks
from gitlab_double.gitlab_routes import (
    MERGE,
    NUMBER,
    Call,
    P,
    find_merge,
    find_project,
    is_protected,
    list_changes,
    list_diffs,
    route,
)
from gitlab_double.gitlab_world import USERS, Json, Project, World, missing, read_git


def show_commit(home: Project, sha: str) -> Json:
    form = "%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B"
    commit, parents, name, mail, at, by, by_mail, done, text = read_git(
        home.bare, "show", "-s", f"--format={form}", sha
    ).split("\0")
    return {
        "id": commit,
        "short_id": commit[:8],
        "title": text.split("\n")[0],
        "message": f"{text.rstrip()}\n",
        "parent_ids": parents.split(),
        "author_name": name,
        "author_email": mail,
        "authored_date": at,
        "committer_name": by,
        "committer_email": by_mail,
        "committed_date": done,
        "created_at": done,
        "web_url": f"https://gitlab.example/{home.path}/-/commit/{commit}",
    }


def list_commits(home: Project, base: str, head: str) -> list[Json]:
    """Return the commits of `head` alone, the newest first."""
    return [show_commit(home, sha) for sha in read_git(home.bare, "rev-list", head, f"^{base}").split()]


@route(rf"{P}/repository/branches/([^/]+)")
def show_branch(world: World, call: Call) -> Any:
    home = find_project(world, call)
    name = call.parts[1]
    if not (sha := home.find_commit(f"refs/heads/{name}")):
        raise missing("Branch Not Found")
    flags = dict.fromkeys(("developers_can_push", "developers_can_merge"), False)
    is_listed = any(is_protected(row, name) for row in home.protected)
    page = f"https://gitlab.example/{home.path}/-/tree/{name}"
    shown: Json = {"name": name, "commit": show_commit(home, sha), "merged": False, "default": name == "main"}
    return 200, shown | flags | {"protected": is_listed, "can_push": True, "web_url": page}


@route(rf"{MERGE}/diffs")
def list_merge_diffs(world: World, call: Call) -> Any:
    return list_diffs(*find_merge(world, call))


@route(rf"{MERGE}/raw_diffs")
def show_raw_diff(world: World, call: Call) -> Any:
    home, merge = find_merge(world, call)
    refs = merge["diff_refs"]
    return 200, f"{read_git(home.bare, 'diff', '-M', refs['base_sha'], refs['head_sha'])}\n"


@route(rf"{MERGE}/commits")
def list_merge_commits(world: World, call: Call) -> Any:
    home, merge = find_merge(world, call)
    return list_commits(home, merge["diff_refs"]["base_sha"], merge["sha"]) if merge["diff_refs"] else []


@route(rf"{P}/repository/compare")
def compare(world: World, call: Call) -> Any:
    home = find_project(world, call)
    base, head = (home.find_commit(call.query[name]) for name in ("from", "to"))
    if not base or not head:
        raise missing("Ref Not Found")
    common = read_git(home.bare, "merge-base", base, head)
    found = {"commits": list_commits(home, base, head)[::-1], "diffs": list_changes(home, common, head)}
    return 200, found | {"compare_timeout": False, "compare_same_ref": base == head}


@route(rf"{P}/repository/merge_base")
def show_merge_base(world: World, call: Call) -> Any:
    home = find_project(world, call)
    first, second = call.lists["refs[]"]
    return 200, show_commit(home, read_git(home.bare, "merge-base", first, second))


@route(rf"{P}/repository/tree")
def list_tree(world: World, call: Call) -> Any:
    home = find_project(world, call)
    if not (sha := home.find_commit(call.query["ref"])):
        raise missing("Tree Not Found")
    lines = (line.split(None, 3) for line in read_git(home.bare, "ls-tree", "-r", "-t", sha).splitlines())
    return [{"id": key, "name": path.rpartition("/")[2], "type": kind, "path": path} for _, kind, key, path in lines]


@route(rf"{P}/repository/commits/([^/]+)/statuses")
def list_statuses(world: World, call: Call) -> Any:
    call.need_user()
    home = find_project(world, call)
    jobs = [job for job in home.jobs if job["pipeline"]["sha"] == call.parts[1] and not job["retried"]]
    rows = [row for row in home.statuses if row["sha"] == call.parts[1]]
    return [*map(show_job_status, jobs), *rows]


def show_job_status(job: Json) -> Json:
    names = ("id", "status", "name", "created_at", "started_at", "finished_at", "allow_failure")
    run = job["pipeline"]
    shown: Json = {name: job[name] for name in names} | {"target_url": None, "description": None}
    return shown | {"sha": run["sha"], "ref": run["ref"], "pipeline_id": run["id"], "author": USERS["smith"]}


def sort_newest(rows: list[Json]) -> list[Json]:
    return sorted(rows, key=lambda row: int(row["id"]), reverse=True)


@route(rf"{P}/pipelines")
def list_pipelines(world: World, call: Call) -> Any:
    """Child pipelines are listed only by `source=parent_pipeline` (lib/api/ci/pipelines.rb)."""
    rows = [one for one in find_project(world, call).pipelines if one["sha"] == call.query.get("sha", one["sha"])]
    source = call.query.get("source")
    return sort_newest([one for one in rows if (one["source"] == source if source else one["source"] != CHILD)])


CHILD = "parent_pipeline"
OF_ENTERPRISE = ("unprotect_access_levels", "code_owner_approval_required", "inherited")


@route(rf"{MERGE}/pipelines")
def list_merge_pipelines(world: World, call: Call) -> Any:
    home, merge = find_merge(world, call)
    projects = {one.path: one for one in (home, merge["source"] or home)}.values()
    refs = {f"refs/merge-requests/{merge['iid']}/{end}" for end in ("head", "merge", "train")}
    rows = [one for project in projects for one in project.pipelines if one["source"] != CHILD]
    return sort_newest([one for one in rows if one["sha"] == merge["sha"] or one["ref"] in refs])


def find_pipeline(world: World, call: Call) -> tuple[Project, Json]:
    home = find_project(world, call)
    found = next((one for one in home.pipelines if one["id"] == int(call.parts[1])), None)
    if found is None:
        raise missing()
    return home, found


def show_job(home: Project, job: Json) -> Json:
    names = "id name stage status allow_failure created_at started_at finished_at erased_at"
    run = {name: job["pipeline"][name] for name in ("id", "project_id", "sha", "ref", "status", "web_url")}
    shown: Json = {name: job[name] for name in names.split()}
    shown |= {"pipeline": run | {"created_at": job["created_at"], "updated_at": job["created_at"]}, "artifacts": []}
    shown |= {"ref": run["ref"], "tag": False, "coverage": None, "duration": 1.0, "queued_duration": 0.5}
    shown |= {"user": USERS["smith"], "commit": show_commit(home, run["sha"]), "tag_list": [], "runner": None}
    shown |= {"artifacts_expire_at": None, "archived": False, "project": {"ci_job_token_scope_enabled": False}}
    shown["web_url"] = f"https://gitlab.example/{home.path}/-/jobs/{job['id']}"
    if job["archive"]:
        shown["artifacts_file"] = {"filename": "artifacts.zip", "size": len(job["archive"])}
    return shown | {name: job[name] for name in ("failure_reason",) if name in job}


@route(rf"{P}/pipelines/{NUMBER}/(jobs|bridges)")
def list_jobs(world: World, call: Call) -> Any:
    call.need_user()
    home, run = find_pipeline(world, call)
    rows = [job for job in sort_newest(home.jobs) if job["pipeline"] is run and not job["retried"]]
    if call.parts[2] == "jobs":
        return [show_job(home, job) for job in rows if "downstream" not in job]
    return [{**show_job(home, job), "downstream_pipeline": job["downstream"]} for job in rows if "downstream" in job]


def find_job(world: World, call: Call) -> tuple[Project, Json]:
    call.need_user()
    home = find_project(world, call)
    found = next((job for job in home.jobs if job["id"] == int(call.parts[1]) and "downstream" not in job), None)
    if found is None:
        raise missing()
    return home, found


@route(rf"{P}/jobs/{NUMBER}")
def read_job(world: World, call: Call) -> Any:
    return 200, show_job(*find_job(world, call))


@route(rf"{P}/jobs/{NUMBER}/trace")
def read_trace(world: World, call: Call) -> Any:
    _, job = find_job(world, call)
    return 200, b"" if job["erased_at"] else job["trace"]


@route(rf"{P}/jobs/{NUMBER}/artifacts")
def read_archive(world: World, call: Call) -> Any:
    _, job = find_job(world, call)
    if not job["archive"]:
        raise missing()
    return 200, job["archive"]


@route(rf"{P}/pipelines/{NUMBER}/test_report")
def show_report(world: World, call: Call) -> Any:
    home, run = find_pipeline(world, call)
    counts = dict.fromkeys(("total", "success", "failed", "error", "skipped"), 0)
    suites: list[Json] = home.reports.get(run["id"], [])
    for suite in suites:
        for case in suite["test_cases"]:
            counts["total"] += 1
            counts[case["status"]] += 1
    return 200, {**{f"{name}_count": count for name, count in counts.items()}, "test_suites": suites}


@route(rf"{P}/merge_trains/merge_requests/{NUMBER}")
def show_train(world: World, call: Call) -> Any:
    _, merge = find_merge(world, call)
    if not world.has_tier("premium") or "train" not in merge:
        raise missing()
    return 200, {"id": 1, "status": merge["train"], "target_branch": merge["target_branch"], "user": USERS["smith"]}


@route(rf"{P}/protected_branches")
def list_protected_branches(world: World, call: Call) -> Any:
    call.need_user()
    rows = find_project(world, call).protected
    if world.has_tier("premium"):
        return rows
    shown = [{name: value for name, value in row.items() if name not in OF_ENTERPRISE} for row in rows]
    return [row | {"code_owner_approval_required": False} for row in shown] if world.enterprise else shown


def answer_graphql(world: World, body: Json, user: str) -> Json:
    """Answer the one query that the plugin sends: an invisible project is null (doc/api/graphql)."""
    names = body["variables"]
    home = world.projects.get(names["project"])
    if "mergeabilityChecks" not in body["query"] or not user or home is None:
        return {"data": {"project": None}}
    merge = home.merges[int(names["number"])]
    if merge["detailed_merge_status"] is None:  # servers before 16.5 lack the field
        return {"errors": [{"message": "Field 'mergeabilityChecks' doesn't exist on type 'MergeRequest'"}]}
    checks = evaluate_checks(world, home, merge)
    rows = [{"identifier": name.upper(), "status": status} for name, status in checks.items()]
    return {"data": {"project": {"mergeRequest": {"mergeabilityChecks": rows}}}}
