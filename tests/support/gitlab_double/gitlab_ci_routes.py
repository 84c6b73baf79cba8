"""The routes for code, pipelines, jobs and rules.

Quirks, each with its source in GitLab's repository or documentation:

- The trace of a job that has not begun or was erased is an empty 200 (lib/api/ci/jobs.rb).
- Jobs are counted by no header, and retried ones and bridges are not among them (lib/api/ci/jobs.rb).
- `target_url` of a job's status is null (app/models/ci/build.rb).
- A pattern among the protected branches is found by its own name only (lib/api/protected_branches.rb).
"""

import re
from typing import Any

from gitlab_double.gitlab_routes import (
    Call,
    P,
    find_project,
    route,
)
from gitlab_double.gitlab_world import Json, Project, World, missing, read_git


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
    is_protected = any(re.fullmatch(one["name"].replace("*", ".*"), name) for one in home.protected)
    page = f"https://gitlab.example/{home.path}/-/tree/{name}"
    shown: Json = {"name": name, "commit": show_commit(home, sha), "merged": False, "default": name == "main"}
    return 200, shown | flags | {"protected": is_protected, "can_push": True, "web_url": page}
