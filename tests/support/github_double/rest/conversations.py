"""Issues, and what is said on them and on pull requests."""

from datetime import datetime
from typing import Any

from github_double.records import REACTIONS, Comment, Issue, Label, Pull
from github_double.rest.people import user
from github_double.rest.repositories import show_association
from github_double.rest.routing import Call, Problem, Reply, Rows, endpoint, invalid, missing, node, time

LONGEST = 65_536


def find(call: Call) -> Issue:
    """Find the issue, or the pull request as the issue that it is, too."""
    found = call.repository.issues.get(call.parts["issue_number"])
    if found is None:
        raise missing()
    return found


@endpoint("GET", "/repos/{owner}/{repo}/issues")
def listing(call: Call) -> Rows:
    """List issues and pull requests, the newest first."""
    state = call.query.get("state", "open")
    found = [one for one in call.repository.issues.values() if state in (one.state, "all")]
    found.sort(key=lambda one: one.created_at, reverse=call.query.get("direction", "desc") == "desc")
    return Rows(found, show)


@endpoint("GET", "/repos/{owner}/{repo}/issues/{issue_number}")
def get(call: Call) -> Reply:
    return Reply(show(call, find(call)))


@endpoint("GET", "/repos/{owner}/{repo}/issues/{issue_number}/comments")
def comments(call: Call) -> Rows:
    """List a conversation by id; with `since`, the comments written or edited from then on."""
    since = call.query.get("since")
    earliest = since and datetime.fromisoformat(since)
    issue = find(call)
    found = [one for one in issue.comments if not earliest or one.updated_at >= earliest]
    return Rows(found, lambda call, one: comment(call, issue, one))


@endpoint("GET", "/repos/{owner}/{repo}/issues/comments/{comment_id}")
def get_comment(call: Call) -> Reply:
    return Reply(comment(call, *_find_comment(call)))


@endpoint("GET", "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions")
def list_reactions(call: Call) -> Rows:
    """List who gave which emoji, one by one."""
    _, found = _find_comment(call)
    given = [content for content, count in found.reactions.items() for _ in range(count)]
    return Rows(list(enumerate(given)), lambda call, pair: reaction(call, *pair))


def admit_words(call: Call, issue: Issue) -> None:
    """Check that a conversation accepts a comment of the viewer."""
    call.admit_write()
    if issue.locked and not call.repository.allows(call.viewer, "write"):
        raise Problem(403, "Unable to create comment because issue is locked.")


@endpoint("POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments")
def create(call: Call) -> Reply:
    """Add a comment."""
    issue = find(call)
    admit_words(call, issue)
    made = call.world.add_comment(issue, read_text(call, "IssueComment"), call.viewer)
    return Reply(comment(call, issue, made), 201)


@endpoint("PATCH", "/repos/{owner}/{repo}/issues/comments/{comment_id}")
def edit(call: Call) -> Reply:
    """Replace a comment's text."""
    issue, found = _find_comment(call)
    call.admit_write()
    if found.user is not call.viewer:
        call.demand("write")
    found.body = read_text(call, "IssueComment")
    found.updated_at = call.world.stamp()[1]
    return Reply(comment(call, issue, found))


def read_text(call: Call, resource: str) -> str:
    """Return the text of a request that writes."""
    body = call.body.get("body") if isinstance(call.body, dict) else None
    if not isinstance(body, str) or not body.strip():
        raise invalid(resource, "body", "missing_field")
    if len(body) > LONGEST:
        raise invalid(resource, "body", "unprocessable", f"body is too long (maximum is {LONGEST} characters)")
    return body


def _find_comment(call: Call) -> tuple[Issue, Comment]:
    for issue in call.repository.issues.values():
        for one in issue.comments:
            if one.id == call.parts["comment_id"]:
                return issue, one
    raise missing()


def comment(call: Call, issue: Issue, found: Comment) -> dict[str, Any]:
    """Show a comment."""
    kind = "pull" if isinstance(issue, Pull) else "issues"
    url = call.repo(f"/issues/comments/{found.id}")
    return {
        "url": url,
        "html_url": call.page(f"/{kind}/{issue.number}#issuecomment-{found.id}"),
        "issue_url": call.repo(f"/issues/{issue.number}"),
        "performed_via_github_app": None,
    } | show_written(call, found, "IC", url)


def show_written(call: Call, found: Comment, prefix: str, url: str) -> dict[str, Any]:
    """Return the fields that every kind of comment has."""
    return {
        "id": found.id,
        "node_id": node(prefix, found.id),
        "user": user(call, found.user),
        "created_at": time(found.created_at),
        "updated_at": time(found.updated_at),
        "body": found.body,
        "reactions": reactions(found.reactions, f"{url}/reactions"),
    } | show_association(call, found.user)


def reactions(counts: dict[str, int], url: str) -> dict[str, Any]:
    """Count the emoji."""
    return {content: counts.get(content, 0) for content in REACTIONS} | {
        "url": url,
        "total_count": sum(counts.values()),
    }


def reaction(call: Call, place: int, content: str) -> dict[str, Any]:
    """Show an emoji; the repository's owner gave it."""
    found = {"id": place + 1, "node_id": node("REA", place + 1), "content": content}
    return found | {"user": user(call, call.repository.owner), "created_at": time(call.world.now)}


def show(call: Call, issue: Issue) -> dict[str, Any]:
    """Show an issue, or a pull request as one."""
    url = call.repo(f"/issues/{issue.number}")
    pull = isinstance(issue, Pull)
    found = common(call, issue, "pull" if pull else "issues") | {
        "url": url,
        "node_id": node("PR" if pull else "I", issue.id),
        "repository_url": call.repo(),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "comments": len(issue.comments),
        "state_reason": "completed" if issue.state == "closed" and not pull else None,
        "closed_by": user(call, issue.user) if issue.state == "closed" else None,
        "performed_via_github_app": None,
        "reactions": reactions({}, f"{url}/reactions"),
    }
    if isinstance(issue, Pull):
        page = call.page(f"/pull/{issue.number}")
        links: dict[str, Any] = {"url": call.repo(f"/pulls/{issue.number}"), "html_url": page}
        links |= {"diff_url": f"{page}.diff", "patch_url": f"{page}.patch", "merged_at": time(issue.merged_at)}
        found |= {"draft": issue.draft, "pull_request": links}
    return found


def common(call: Call, issue: Issue, pages: str) -> dict[str, Any]:
    """Show what issues and pull requests have alike."""
    assignees = [user(call, one) for one in issue.assignees]
    return {
        "id": issue.id,
        "number": issue.number,
        "html_url": call.page(f"/{pages}/{issue.number}"),
        "state": issue.state,
        "locked": issue.locked,
        "active_lock_reason": None,
        "title": issue.title,
        "user": user(call, issue.user),
        "body": issue.body,
        "labels": [label(call, one) for one in issue.labels],
        "milestone": None,
        "created_at": time(issue.created_at),
        "updated_at": time(issue.updated_at),
        "closed_at": time(issue.closed_at),
        "assignee": assignees[0] if assignees else None,
        "assignees": assignees,
    } | show_association(call, issue.user)


def label(call: Call, found: Label) -> dict[str, Any]:
    return {
        "id": found.id,
        "node_id": node("LA", found.id),
        "url": call.repo(f"/labels/{found.name}"),
        "name": found.name,
        "description": found.description,
        "color": found.color,
        "default": False,
    }
