"""Commits, changes and comparisons."""

from collections.abc import Sequence
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Any

from github_double import git
from github_double.check_records import Status
from github_double.git import Change
from github_double.records import Commit
from github_double.rest.people import user
from github_double.rest.routing import Call, Reply, Rows, endpoint, missing, node, time

MOST_COMMITS = 250
MOST_FILES = 300
SIGNED = {"verified": True, "reason": "valid", "signature": "", "payload": "", "verified_at": None}
UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}


@endpoint("GET", "/repos/{owner}/{repo}/commits/{ref}")
def get(call: Call) -> Reply:
    """Show a commit with what it changed."""
    found = call.world.commits[resolve(call, call.parts["ref"])]
    changes = git.compare_trees(_tree(call, found), found.tree)
    more, less = (sum(getattr(one, name) for one in changes) for name in ("additions", "deletions"))
    stats = {"additions": more, "deletions": less, "total": more + less}
    return Reply(commit(call, found) | {"stats": stats, "files": [change(call, one, found.sha) for one in changes]})


@endpoint("GET", "/repos/{owner}/{repo}/compare/{basehead}")
def compare(call: Call) -> Reply | Rows:
    """Compare two branches or commits. Paged, all commits come, and the files with the first page."""
    base, _, head = call.parts["basehead"].partition("...")
    base, head = (call.world.commits[resolve(call, name)] for name in (base, head))
    root = git.find_merge_base(call.world.commits, base.sha, head.sha)
    if root is None:
        raise missing()
    ahead = git.list_between(call.world.commits, base.sha, head.sha)
    behind = git.list_between(call.world.commits, head.sha, base.sha)
    counts = {"ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead)}
    ends = {"base_commit": commit(call, base), "merge_base_commit": commit(call, root)}
    found = {"status": _status(ahead, behind)} | counts | ends | _addresses(call)
    if call.query.get("page", "1") == "1":
        found["files"] = [change(call, one, head.sha) for one in git.compare_trees(root.tree, head.tree)[:MOST_FILES]]
    paged = call.query.keys() & {"page", "per_page"}
    if not paged:
        return Reply(found | {"commits": [commit(call, one) for one in ahead[-MOST_COMMITS:]]})
    return Rows(ahead, commit, lambda page, total: found | {"commits": page})


@endpoint("GET", "/repos/{owner}/{repo}/git/trees/{tree_sha}")
def files(call: Call) -> Reply:
    """List what is in a commit: all folders and files with `recursive`, else those of the root."""
    found = call.world.commits[resolve(call, call.parts["tree_sha"])]
    folders = {str(folder) for path in found.tree for folder in PurePosixPath(path).parents} - {"."}
    rows = [entry(call, path, git.sha_of("tree", path), "tree") for path in folders]
    rows += [entry(call, path, git.sha_of("blob", text), "blob") for path, text in found.tree.items()]
    rows = sorted(
        (row for row in rows if call.query.get("recursive") or "/" not in row["path"]), key=itemgetter("path")
    )
    return Reply(tree(call, found) | {"tree": rows, "truncated": False})


def entry(call: Call, path: str, sha: str, kind: str) -> dict[str, Any]:
    mode = {"tree": "040000", "blob": "100644"}[kind]
    return {"path": path, "mode": mode, "type": kind, "sha": sha, "url": call.repo(f"/git/{kind}s/{sha}")}


def _status(ahead: Sequence[object], behind: Sequence[object]) -> str:
    return "diverged" if ahead and behind else "ahead" if ahead else "behind" if behind else "identical"


def _addresses(call: Call) -> dict[str, Any]:
    basehead = call.parts["basehead"]
    page = call.page(f"/compare/{basehead}")
    links = {"html_url": page, "permalink_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch"}
    return links | {"url": call.repo(f"/compare/{basehead}")}


def resolve(call: Call, name: str) -> str:
    """Find the id of the commit that a name means."""
    found = call.world.resolve(call.repository, name)
    if found is None:
        raise missing()
    return found


def _tree(call: Call, found: Commit) -> dict[str, str | bytes]:
    return call.world.commits[found.parents[0]].tree if found.parents else {}


def commit(call: Call, found: Commit) -> dict[str, Any]:
    """Show a commit, with the accounts that were found for its names."""
    url, page = call.repo(f"/commits/{found.sha}"), call.page(f"/commit/{found.sha}")
    account = user(call, found.author)
    return {
        "sha": found.sha,
        "node_id": node("C", int(found.sha[:8], 16)),
        "url": url,
        "html_url": page,
        "comments_url": f"{url}/comments",
        "author": account,
        "committer": account,
        "parents": [parent(call, sha) for sha in found.parents],
        "commit": {
            "url": call.repo(f"/git/commits/{found.sha}"),
            "author": signature(found),
            "committer": signature(found),
            "message": found.message,
            "tree": tree(call, found),
            "comment_count": 0,
            "verification": SIGNED if found.signed else UNSIGNED,
        },
    }


def parent(call: Call, sha: str) -> dict[str, Any]:
    return {"sha": sha, "url": call.repo(f"/commits/{sha}"), "html_url": call.page(f"/commit/{sha}")}


def tree(call: Call, found: Commit) -> dict[str, Any]:
    sha = git.sha_of("tree", *found.tree.items())
    return {"sha": sha, "url": call.repo(f"/git/trees/{sha}")}


def signature(found: Commit) -> dict[str, Any]:
    return {"name": found.name, "email": found.email, "date": time(found.at)}


def change(call: Call, found: Change, sha: str) -> dict[str, Any]:
    """Show a changed file."""
    return (
        {
            "sha": found.blob,
            "filename": found.path,
            "status": found.status,
            "additions": found.additions,
            "deletions": found.deletions,
            "changes": found.additions + found.deletions,
            "blob_url": call.page(f"/blob/{sha}/{found.path}"),
            "raw_url": call.page(f"/raw/{sha}/{found.path}"),
            "contents_url": call.repo(f"/contents/{found.path}?ref={sha}"),
        }
        | ({"patch": found.patch} if found.patch is not None else {})
        | ({"previous_filename": found.previous} if found.previous else {})
    )


@endpoint("GET", "/repos/{owner}/{repo}/commits/{ref}/statuses")
def statuses(call: Call) -> Rows:
    """List every status, the newest first."""
    sha = resolve(call, call.parts["ref"])
    found = [status for status in call.repository.statuses if status.sha == sha]
    return Rows(found[::-1], lambda call, one: status_of(call, one) | {"creator": user(call, one.creator)})


def status_of(call: Call, found: Status) -> dict[str, Any]:
    """Show a commit status."""
    return {
        "url": call.repo(f"/statuses/{found.sha}"),
        "avatar_url": call.html(f"/avatars/u/{found.creator.id}"),
        "id": found.id,
        "node_id": node("SC", found.id),
        "state": found.state,
        "description": found.description,
        "target_url": None,
        "context": found.context,
        "created_at": time(found.created_at),
        "updated_at": time(found.created_at),
    }
