"""What happened to an issue or a pull request."""

from github_double.records import Pull
from github_double.rest import code, conversations, reviews
from github_double.rest.people import show_account, user
from github_double.rest.routing import Call, Rows, endpoint, node, time
from github_double.review import is_visible


@endpoint("GET", "/repos/{owner}/{repo}/issues/{issue_number}/timeline")
def timeline(call: Call):
    """List everything in the order it happened; each kind has a shape of its own."""
    issue = conversations.find(call)
    found = [(one.created_at, lambda one=one: _event(call, issue, one)) for one in issue.events]
    found += [(one.created_at, lambda one=one: _show_comment(call, issue, one)) for one in issue.comments]
    if isinstance(issue, Pull):
        found += _of_pull(call, issue)
    return Rows(sorted(found, key=lambda pair: pair[0]), lambda call, pair: pair[1]())


def _of_pull(call, pull):
    for one in call.world.commits_of(pull):
        yield one.at, lambda one=one: _show_commit(call, one)
    for one in pull.reviews:
        if one.submitted_at:
            yield one.submitted_at, lambda one=one: _show_review(call, pull, one)
    for thread in pull.threads:
        shown = [one for one in thread.comments if is_visible(one.review, None)]
        if shown:
            yield shown[0].created_at, lambda shown=shown: _show_line_comments(call, shown)


def _event(call, issue, found):
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


def _show_comment(call, issue, found):
    author = show_account(call, found.user)
    return conversations.comment(call, issue, found) | {"event": "commented", "actor": author, "user": author}


def _show_commit(call, found):
    shown = code.commit(call, found)
    kept = {name: shown[name] for name in ("sha", "node_id", "html_url", "parents")}
    said = {name: shown["commit"][name] for name in ("url", "author", "committer", "message", "tree", "verification")}
    return kept | said | {"event": "committed"}


def _show_review(call, pull, found):
    shown = reviews.show(call, pull, found)
    return shown | {"event": "reviewed", "state": found.state.lower(), "user": show_account(call, found.user)}


def _show_line_comments(call, found):
    shown = [reviews.comment(call, one) for one in found]
    return {"event": "line-commented", "node_id": shown[0]["node_id"], "comments": shown}
