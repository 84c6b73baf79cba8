"""Repositories."""

from typing import Any

from github_double.records import BOT, PERMISSIONS, Account, Repository
from github_double.rest.people import read_association, show_account, user
from github_double.rest.routing import Call, Problem, Reply, endpoint, missing, node, time

PATHS = {
    "archive": "/{archive_format}{/ref}",
    "assignees": "/assignees{/user}",
    "blobs": "/git/blobs{/sha}",
    "branches": "/branches{/branch}",
    "collaborators": "/collaborators{/collaborator}",
    "comments": "/comments{/number}",
    "commits": "/commits{/sha}",
    "compare": "/compare/{base}...{head}",
    "contents": "/contents/{+path}",
    "contributors": "/contributors",
    "deployments": "/deployments",
    "downloads": "/downloads",
    "events": "/events",
    "forks": "/forks",
    "git_commits": "/git/commits{/sha}",
    "git_refs": "/git/refs{/sha}",
    "git_tags": "/git/tags{/sha}",
    "hooks": "/hooks",
    "issue_comment": "/issues/comments{/number}",
    "issue_events": "/issues/events{/number}",
    "issues": "/issues{/number}",
    "keys": "/keys{/key_id}",
    "labels": "/labels{/name}",
    "languages": "/languages",
    "merges": "/merges",
    "milestones": "/milestones{/number}",
    "notifications": "/notifications{?since,all,participating}",
    "pulls": "/pulls{/number}",
    "releases": "/releases{/id}",
    "stargazers": "/stargazers",
    "statuses": "/statuses/{sha}",
    "subscribers": "/subscribers",
    "subscription": "/subscription",
    "tags": "/tags",
    "teams": "/teams",
    "trees": "/git/trees{/sha}",
}
GRANTS = {"admin": "admin", "maintain": "maintain", "push": "write", "triage": "triage", "pull": "read"}
LEGACY = {"maintain": "write", "triage": "read"}


@endpoint("GET", "/repos/{owner}/{repo}")
def get(call: Call) -> Reply:
    """Show the repository, with what its owners set."""
    found = call.repository
    kin = {name: simple(call, found.parent) for name in ("parent", "source") if found.parent}
    methods = {"merge": "allow_merge_commit", "squash": "allow_squash_merge", "rebase": "allow_rebase_merge"}
    # Readers do not see how a pull request may be merged.
    allowed = {key: method in found.merge_methods for method, key in methods.items()}
    told = allowed if found.allows(call.viewer, "write") else {}
    return Reply(simple(call, found) | kin | told | {"network_count": 0, "subscribers_count": 1})


@endpoint("GET", "/repos/{owner}/{repo}/collaborators/{username}/permission")
def permission(call: Call) -> Reply:
    """Show an account's permission, to accounts with write permission; apps do not count as accounts."""
    if call.viewer is None:
        raise Problem(401, "Requires authentication")
    if not call.repository.allows(call.viewer, "write"):
        raise Problem(403, "Must have push access to view collaborator permission.")
    account = call.world.accounts.get(call.parts["username"].lower())
    if account is None or account.kind == BOT:
        raise missing()
    role = next(one for one in reversed(PERMISSIONS) if call.repository.allows(account, one))
    grants = {key: call.repository.allows(account, given) for key, given in GRANTS.items()}
    shown = show_account(call, account) | {"permissions": grants, "role_name": role}
    return Reply({"permission": LEGACY.get(role, role), "role_name": role, "user": shown})


def minimal(call: Call, repository: Repository) -> dict[str, Any]:
    """Show a repository inside something else."""
    url = call.repo(repository=repository)
    return {f"{name}_url": f"{url}{path}" for name, path in PATHS.items()} | {
        "id": repository.id,
        "node_id": node("R", repository.id),
        "name": repository.name,
        "full_name": repository.full_name,
        "private": repository.private,
        "owner": user(call, repository.owner),
        "html_url": call.page(repository=repository),
        "description": None,
        "fork": repository.parent is not None,
        "url": url,
    }


def simple(call: Call, repository: Repository) -> dict[str, Any]:
    """Show a repository as one end of a pull request."""
    page = call.page(repository=repository)
    host = call.base.partition("://")[2].partition(":")[0]
    open_issues = sum(issue.state == "open" for issue in repository.issues.values())
    found = minimal(call, repository) | {
        "git_url": f"git://{host}/{repository.full_name}.git",
        "ssh_url": f"git@{host}:{repository.full_name}.git",
        "clone_url": f"{page}.git",
        "svn_url": page,
        "homepage": None,
        "mirror_url": None,
        "language": "Python",
        "license": None,
        "size": 1,
        "default_branch": repository.default_branch,
        "archived": repository.archived,
        "disabled": False,
        "visibility": "private" if repository.private else "public",
        "created_at": time(repository.created_at),
        "updated_at": time(repository.created_at),
        "pushed_at": time(repository.created_at),
        "topics": [],
        "is_template": False,
        "allow_forking": True,
        "web_commit_signoff_required": False,
        "open_issues_count": open_issues,
        "open_issues": open_issues,
    }
    found |= dict.fromkeys(("has_issues", "has_projects", "has_wiki", "has_downloads"), True)
    found |= dict.fromkeys(("has_pages", "has_discussions"), False)
    found |= dict.fromkeys(("forks_count", "stargazers_count", "watchers_count", "forks", "watchers"), 0)
    if call.viewer:
        grants = {key: repository.allows(call.viewer, permission) for key, permission in GRANTS.items()}
        found["permissions"] = grants
    return found


def show_association(call: Call, account: Account | None, repository: Repository | None = None) -> dict[str, Any]:
    """Return the field of an author's association with the repository."""
    return {"author_association": read_association(account, repository or call.repository)}
