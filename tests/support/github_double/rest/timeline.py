"""The timeline of an issue or a pull request."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from github_double.records import Comment, Commit, Event, Issue, Pull, Review, ReviewComment
from github_double.rest import code, conversations, reviews
from github_double.rest.people import show_account, user
from github_double.rest.routing import Call, Rows, endpoint, node, time
from github_double.review import is_visible

Row = tuple[datetime, Callable[[], dict[str, Any]]]
"""The time of an event, and the function that shows it."""


@endpoint("GET", "/repos/{owner}/{repo}/issues/{issue_number}/timeline")
def timeline(call: Call) -> Rows:
    """List everything in the order it happened; each kind has a shape of its own."""
    issue = conversations.find(call)
    found: list[Row] = [(one.created_at, partial(_event, call, issue, one)) for one in issue.events]
    found += [(one.created_at, partial(_show_comment, call, issue, one)) for one in issue.comments]
    if isinstance(issue, Pull):
        found += _of_pull(call, issue)
    return Rows(sorted(found, key=lambda pair: pair[0]), lambda call, pair: pair[1]())


def _of_pull(call: Call, pull: Pull) -> Iterator[Row]:
    for commit in call.world.commits_of(pull):
        yield commit.at, partial(_show_commit, call, commit)
    for review in pull.reviews:
        if review.submitted_at:
            yield review.submitted_at, partial(_show_review, call, pull, review)
    for thread in pull.threads:
        shown = [one for one in thread.comments if is_visible(one.review, None)]
        if shown:
            yield shown[0].created_at, partial(_show_line_comments, call, shown)


def _event(call: Call, issue: Issue, found: Event) -> dict[str, Any]:
    if found.event == "cross-referenced":
        source = {"type": "issue", "issue": conversations.show(call, found.more["source"])}
        times = {"created_at": time(found.created_at), "updated_at": time(found.created_at)}
        return {"event": found.event, "actor": user(call, found.actor), "source": source} | times
    sha = found.more.get("commit_id")
    return {
        "id": found.id,
        "node_id": node("EV", found.id),
        "url": call.repo(f"/issues/events/{found.id}"),
        "actor": user(call, found.actor),
        "event": found.event,
        "commit_id": sha,
        "commit_url": sha and call.repo(f"/commits/{sha}"),
        "created_at": time(found.created_at),
        "performed_via_github_app": None,
    } | {name: value if isinstance(value, (dict, str)) else user(call, value) for name, value in found.more.items()}


def _show_comment(call: Call, issue: Issue, found: Comment) -> dict[str, Any]:
    author = show_account(call, found.user)
    return conversations.comment(call, issue, found) | {"event": "commented", "actor": author, "user": author}


def _show_commit(call: Call, found: Commit) -> dict[str, Any]:
    shown = code.commit(call, found)
    kept = {name: shown[name] for name in ("sha", "node_id", "html_url", "parents")}
    said = {name: shown["commit"][name] for name in ("url", "author", "committer", "message", "tree", "verification")}
    return kept | said | {"event": "committed"}


def _show_review(call: Call, pull: Pull, found: Review) -> dict[str, Any]:
    shown = reviews.show(call, pull, found)
    return shown | {"event": "reviewed", "state": found.state.lower(), "user": show_account(call, found.user)}


def _show_line_comments(call: Call, found: list[ReviewComment]) -> dict[str, Any]:
    shown = [reviews.comment(call, one) for one in found]
    return {"event": "line-commented", "node_id": shown[0]["node_id"], "comments": shown}
