"""Pull requests."""

from typing import Any

from github_double import git
from github_double.readiness import compute_state, read_mergeable
from github_double.records import Pull, Repository
from github_double.rest import code
from github_double.rest.conversations import common
from github_double.rest.people import team, user
from github_double.rest.repositories import simple
from github_double.rest.routing import Call, Problem, Reply, Rows, endpoint, invalid, missing, node, time

MOST_COMMITS = 250
MOST_FILES = 3_000
MOST_FILES_OF_DIFF = 300
DIFF = ("application/vnd.github.diff", "application/vnd.github.v3.diff")


def find_pull(call: Call) -> Pull:
    """Find the pull request; an issue of that number does not count."""
    found = call.repository.issues.get(call.parts["pull_number"])
    if not isinstance(found, Pull):
        raise missing()
    return found


@endpoint("GET", "/repos/{owner}/{repo}/pulls")
def listing(call: Call) -> Rows:
    """List pull requests, the newest first, by state, base and `owner:branch` of the head."""
    state, base, head = (call.query.get(name, usual) for name, usual in (("state", "open"), ("base", ""), ("head", "")))
    found = [one for one in call.repository.issues.values() if isinstance(one, Pull) and state in (one.state, "all")]
    found = [one for one in found if base in ("", one.base) and (":" not in head or head == format_head(one))]
    found.sort(key=lambda one: one.created_at, reverse=call.query.get("direction", "desc") == "desc")
    return Rows(found, show)


@endpoint("GET", "/repos/{owner}/{repo}/pulls/{pull_number}")
def get(call: Call) -> Reply:
    """Show a pull request, or its diff; to look begins the search for conflicts."""
    pull = find_pull(call)
    if call.accept in DIFF:
        return diff(call, pull)
    found = show_whole(call, pull)
    pull.computing = max(0, pull.computing - 1)
    return Reply(found)


@endpoint("PATCH", "/repos/{owner}/{repo}/pulls/{pull_number}")
def edit(call: Call) -> Reply:
    """Change the base branch, the only field of a pull request that can be changed here."""
    pull, branch = find_pull(call), call.body.get("base")
    call.admit_write()
    if pull.user is not call.viewer:
        call.demand("write")
    if branch not in call.repository.branches:
        raise invalid("PullRequest", "base")
    pull.base, pull.base_sha = branch, call.repository.branches[branch]
    pull.updated_at = call.world.stamp()[1]
    return Reply(show_whole(call, pull))


@endpoint("PUT", "/repos/{owner}/{repo}/pulls/{pull_number}/update-branch")
def update_branch(call: Call) -> Reply:
    """Merge the base branch into the head branch; GitHub does so in the background, here it is done at once."""
    pull = find_pull(call)
    call.admit_write()
    call.demand("write")
    if call.body.get("expected_head_sha", pull.head_sha) != pull.head_sha:
        raise Problem(422, "expected head sha didn't match current head ref.")
    if not call.world.merge_base(pull):
        raise Problem(422, "There are no new commits on the base branch.")
    return Reply({"message": "Updating pull request branch.", "url": call.page(f"/pull/{pull.number}")}, 202)


def show_whole(call: Call, pull: Pull) -> dict[str, Any]:
    """Show a pull request as it is shown alone."""
    mergeable = read_mergeable(pull)
    return (
        show(call, pull)
        | _counts(call, pull)
        | {
            "merged": pull.merged_at is not None,
            "merged_by": user(call, pull.merged_by),
            "mergeable": mergeable,
            "rebaseable": mergeable,
            "requested_teams": [team(call, slug) for slug in pull.teams],
            "mergeable_state": compute_state(call.world, pull),
            "comments": len(pull.comments),
            "maintainer_can_modify": False,
        }
    )


def diff(call: Call, pull: Pull) -> Reply:
    """Write the diff, where it is not too large."""
    found = call.world.changes_of(pull)
    if len(found) > MOST_FILES_OF_DIFF:
        problem = Problem(406, f"Sorry, the diff exceeded the maximum number of files ({MOST_FILES_OF_DIFF}).")
        problem.body["errors"] = [{"resource": "PullRequest", "field": "diff", "code": "too_large"}]
        raise problem
    return Reply(text=git.format_diff(found).encode(), content_type="application/vnd.github.diff; charset=utf-8")


@endpoint("GET", "/repos/{owner}/{repo}/pulls/{pull_number}/files")
def files(call: Call) -> Rows:
    pull = find_pull(call)
    return Rows(call.world.changes_of(pull)[:MOST_FILES], lambda call, one: code.change(call, one, pull.head_sha))


@endpoint("GET", "/repos/{owner}/{repo}/pulls/{pull_number}/commits")
def commits(call: Call) -> Rows:
    return Rows(call.world.commits_of(find_pull(call))[:MOST_COMMITS], code.commit)


def format_head(pull: Pull) -> str:
    """Return the head as `owner:branch`."""
    return f"{(pull.head_repository or pull.repository).owner.login}:{pull.head}"


def _counts(call: Call, pull: Pull) -> dict[str, Any]:
    found = call.world.changes_of(pull)
    return {
        "review_comments": len(pull.review_comments),
        "commits": len(call.world.commits_of(pull)),
        "additions": sum(change.additions for change in found),
        "deletions": sum(change.deletions for change in found),
        "changed_files": len(found),
    }


def show(call: Call, pull: Pull) -> dict[str, Any]:
    """Show a pull request as lists do."""
    page, url = call.page(f"/pull/{pull.number}"), call.repo(f"/pulls/{pull.number}")
    issue = call.repo(f"/issues/{pull.number}")
    links = {
        "html": page,
        "issue": issue,
        "comments": f"{issue}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": call.repo("/pulls/comments{/number}"),
        "commits": f"{url}/commits",
        "statuses": call.repo(f"/statuses/{pull.head_sha}"),
    }
    return (
        common(call, pull, "pull")
        | {f"{name}_url": link for name, link in links.items()}
        | {
            "url": url,
            "node_id": node("PR", pull.id),
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "draft": pull.draft,
            "merged_at": time(pull.merged_at),
            "merge_commit_sha": pull.merge_commit or git.sha_of("test merge", pull.head_sha),
            "requested_reviewers": [user(call, one) for one in pull.reviewers],
            "requested_teams": [team(call, slug, parent=None) for slug in pull.teams],
            "head": _tip(call, pull.head, pull.head_sha, pull.head_repository),
            "base": _tip(call, pull.base, pull.base_sha, pull.repository),
            "auto_merge": None,
            "stack": _show_stack(pull),
            "_links": {name: {"href": link} for name, link in (links | {"self": url}).items()},
        }
    )


def _show_stack(pull: Pull) -> dict[str, Any] | None:
    """Show the place in a stack: position 1 is the lowest."""
    if pull.stack is None:
        return None
    number, position = pull.stack
    pulls = [one for one in pull.repository.issues.values() if isinstance(one, Pull)]
    members = [one for one in pulls if one.stack is not None and one.stack[0] == number]
    lowest = min(members, key=lambda one: one.stack or (0, 0))
    base = {"ref": lowest.base, "sha": lowest.base_sha}
    return {"id": 1_000 + number, "number": number, "size": len(members), "position": position, "base": base}


def _tip(call: Call, branch: str, sha: str, repository: Repository | None) -> dict[str, Any]:
    owner = repository.owner if repository else None
    return {
        "label": f"{owner.login}:{branch}" if owner else None,
        "ref": branch,
        "sha": sha,
        "user": user(call, owner),
        "repo": simple(call, repository) if repository else None,
    }


def minimal(call: Call, pull: Pull) -> dict[str, Any]:
    """Show a pull request inside a check or a run."""
    ends = (
        ("head", pull.head, pull.head_sha, pull.head_repository or pull.repository),
        ("base", pull.base, pull.base_sha, pull.repository),
    )
    return {"id": pull.id, "number": pull.number, "url": call.repo(f"/pulls/{pull.number}", pull.repository)} | {
        name: {
            "ref": branch,
            "sha": sha,
            "repo": {"id": repository.id, "name": repository.name, "url": call.repo(repository=repository)},
        }
        for name, branch, sha, repository in ends
    }


def of_commit(call: Call, sha: str) -> list[dict[str, Any]]:
    """Show the open pull requests of a commit, without those from forks."""
    found = [one for one in call.repository.issues.values() if isinstance(one, Pull)]
    here = [one for one in found if one.head_sha == sha and one.head_repository is call.repository]
    return [minimal(call, one) for one in here if one.state == "open"]
