"""Reviews, and comments at places in the diff."""

from typing import Any

from github_double.records import Pull, Review, ReviewComment, Thread
from github_double.rest.conversations import admit_words, read_text, show_written
from github_double.rest.people import user
from github_double.rest.pulls import find_pull
from github_double.rest.repositories import show_association
from github_double.rest.routing import Call, Problem, Reply, Rows, endpoint, missing, node, time
from github_double.review import PENDING, is_visible, pending, show_place


@endpoint("GET", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews")
def listing(call: Call) -> Rows:
    """List reviews in the order they were made; a pending one is seen by its author alone."""
    pull = find_pull(call)
    found = [review for review in pull.reviews if is_visible(review, call.viewer)]
    return Rows(found, lambda call, one: show(call, pull, one))


@endpoint("GET", "/repos/{owner}/{repo}/pulls/{pull_number}/comments")
def comments(call: Call) -> Rows:
    """List all comments in the diff by id."""
    return Rows([one for one in find_pull(call).review_comments if is_visible(one.review, call.viewer)], comment)


@endpoint("GET", "/repos/{owner}/{repo}/pulls/comments/{comment_id}")
def get_comment(call: Call) -> Reply:
    for pull in call.world.pulls():
        for one in pull.review_comments:
            if pull.repository is call.repository and one.id == call.parts["comment_id"]:
                return Reply(comment(call, one))
    raise missing()


@endpoint("POST", "/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies")
def create_reply(call: Call) -> Reply:
    """Answer a comment that opened a thread, and none of the others."""
    pull = find_pull(call)
    thread = next((one for one in pull.threads if one.comments[0].id == call.parts["comment_id"]), None)
    if thread is None:
        if any(one.id == call.parts["comment_id"] for one in pull.review_comments):
            raise Problem(422, "Validation Failed", [{"resource": "PullRequestReviewComment", "code": "invalid"}])
        raise missing()
    return _answer(call, thread)


@endpoint("POST", "/repos/{owner}/{repo}/pulls/{pull_number}/comments")
def create(call: Call) -> Reply:
    """Answer with `in_reply_to`, of which any comment of the thread may be named."""
    pull = find_pull(call)
    number = call.body.get("in_reply_to") if isinstance(call.body, dict) else None
    thread = next((one for one in pull.threads if number in [comment.id for comment in one.comments]), None)
    if thread is None:
        raise Problem(422, "Validation Failed", [{"resource": "PullRequestReviewComment", "code": "invalid"}])
    return _answer(call, thread)


def _answer(call: Call, thread: Thread) -> Reply:
    admit_words(call, thread.pull)
    if pending(thread.pull, call.viewer):
        error = {"resource": "PullRequestReview", "field": "user_id", "code": "custom", "message": PENDING}
        raise Problem(422, "Validation Failed", [error])
    text = read_text(call, "PullRequestReviewComment")
    return Reply(comment(call, call.world.add_reply(thread, text, call.viewer)), 201)


def show(call: Call, pull: Pull, review: Review) -> dict[str, Any]:
    """Show a review."""
    page, url = call.page(f"/pull/{pull.number}#pullrequestreview-{review.id}"), call.repo(f"/pulls/{pull.number}")
    submitted = {"submitted_at": time(review.submitted_at)} if review.submitted_at else {}
    return (
        submitted
        | show_association(call, review.user)
        | {
            "id": review.id,
            "node_id": node("PRR", review.id),
            "user": user(call, review.user),
            "body": review.body,
            "state": review.state,
            "html_url": page,
            "pull_request_url": url,
            "_links": {"html": {"href": page}, "pull_request": {"href": url}},
            "commit_id": review.commit,
        }
    )


def comment(call: Call, found: ReviewComment) -> dict[str, Any]:
    """Show a comment in the diff; `line` is null where it is outdated or of the whole file."""
    thread, root = found.thread, found.thread.comments[0]
    url = call.repo(f"/pulls/comments/{found.id}")
    pull_url, page = call.repo(f"/pulls/{thread.pull.number}"), call.page(f"/pull/{thread.pull.number}")
    links = {"self": url, "html": f"{page}#discussion_r{found.id}", "pull_request": pull_url}
    answering = {"in_reply_to_id": root.id} if found is not root else {}
    return (
        show_written(call, found, "PRRC", url)
        | show_place(thread)
        | answering
        | {
            "url": url,
            "pull_request_review_id": found.review and found.review.id,
            "path": thread.path,
            "diff_hunk": thread.hunk,
            "commit_id": thread.pull.head_sha,
            "original_commit_id": found.commit,
            "subject_type": thread.subject,
            "html_url": links["html"],
            "pull_request_url": pull_url,
            "_links": {name: {"href": link} for name, link in links.items()},
        }
    )
