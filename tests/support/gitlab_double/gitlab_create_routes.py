"""The routes by which tests create a project with a merge request, on the double and on a real GitLab alike.

Of the bodies, only the fields that `tests/support/gitlab_lab.py` sends are read.
"""

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from gitlab_double.gitlab_ci_routes import show_commit
from gitlab_double.gitlab_routes import MERGE, Call, P, find_merge, find_writable, route, show_discussion, show_merge
from gitlab_double.gitlab_world import Json, World

BRANCH = "main"
IDENTITY = {
    f"GIT_{role}_{what}": word
    for role in ("AUTHOR", "COMMITTER")
    for what, word in (("NAME", "smith"), ("EMAIL", "someone@example.com"))
}


def commit_files(bare: Path, branch: str, start: str, message: str, files: dict[str, str]) -> str:
    """Commit files on a branch of a bare repository, and return the SHA; an empty `start` begins the history."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, **IDENTITY, "GIT_INDEX_FILE": str(Path(folder, "index"))}

        def run(*words: str, text: str = "") -> str:
            command = ["git", "-C", str(bare), *words]
            return subprocess.run(command, env=environ, input=text, capture_output=True, check=True, text=True).stdout

        if start:
            run("read-tree", start)
        for path, content in files.items():
            blob = run("hash-object", "-w", "--stdin", text=content).strip()
            run("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        parents = ["-p", start] if start else []
        sha = run("commit-tree", run("write-tree").strip(), *parents, text=message).strip()
        run("update-ref", f"refs/heads/{branch}", sha)
        return sha


@route("/projects", "POST")
def create_project(world: World, call: Call) -> Any:
    path = f"{call.need_user()}/{call.body['path']}"
    made = world.add_project(path, visibility=call.body["visibility"])
    made.access = {call.user: 50}
    subprocess.run(["git", "init", "-q", "--bare", "-b", BRANCH, str(made.bare)], check=True)
    subprocess.run(["git", "-C", str(made.bare), "config", "uploadpack.allowAnySHA1InWant", "true"], check=True)
    subprocess.run(["git", "-C", str(made.bare), "config", "uploadpack.allowFilter", "true"], check=True)
    commit_files(made.bare, BRANCH, "", "Initial commit", {"README.md": "# Lab\n"})
    return 201, {"id": made.id, "path_with_namespace": path, "default_branch": BRANCH}


@route(P, "DELETE")
def delete_project(world: World, call: Call) -> Any:
    del world.projects[find_writable(world, call).path]
    return 202, {"message": "202 Accepted"}


@route(rf"{P}/repository/commits", "POST")
def create_commit(world: World, call: Call) -> Any:
    home, body = find_writable(world, call), call.body
    files = {one["file_path"]: one["content"] for one in body["actions"]}
    start = home.find_commit(f"refs/heads/{body['start_branch']}")
    return 201, show_commit(home, commit_files(home.bare, body["branch"], start, body["commit_message"], files))


@route(rf"{P}/merge_requests", "POST")
def create_merge_request(world: World, call: Call) -> Any:
    home, body = find_writable(world, call), call.body
    merge = world.add_merge_request(home, body["title"], body["source_branch"], body["target_branch"])
    git_ref = f"refs/merge-requests/{merge['iid']}/head"
    subprocess.run(["git", "-C", str(home.bare), "update-ref", git_ref, merge["sha"]], check=True)
    return 201, show_merge(world, home, merge, call, alone=True)


@route(rf"{MERGE}/discussions", "POST")
def create_discussion(world: World, call: Call) -> Any:
    _, merge = find_merge(world, call, writes=True)
    place: Json = {"old_line": None, "line_range": None, **call.body["position"]}
    world.add_note(merge, call.body["body"], call.user, position=place)
    return 201, show_discussion(merge["discussions"][-1])
