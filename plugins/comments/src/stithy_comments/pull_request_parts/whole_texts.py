"""Readers of one whole text: the description, or the body of a comment, a review or a review comment."""

from collections.abc import Awaitable, Callable
from typing import Any

from stithy_comments.pull_request_parts.part_result import TextOwner
from stithy_comments.text_format import format_id
from stithy_comments.tools.read_tool import Method
from stithy_core.spi import Comment, Forge, NotFound, PullRequest, PullRequestRef, Review

LIST_REVIEW_COMMENTS = "List the ids with method get_review_comments."

WholeText = tuple[TextOwner, str]
"""The facts about the text, and the text."""


async def read_description(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return the description of a pull request.

    Raises:
        NotFound: `name` is not the pull request's number.
    """
    pull = await forge.pull_requests.get(ref)
    if name != str(ref.number):
        raise _create_not_found(ref, f"description {name}", f"Pass the pull request's own number as id: {ref.number}.")
    return _create_whole_text(pull, ref.number, at=pull.created_at, state=pull.state)


async def read_comment(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return a comment of the general conversation.

    Raises:
        NotFound: The conversation has no comment with that id.
    """
    pull = await forge.pull_requests.get(ref)  # rejects an issue's number, which has comments, too
    found = await forge.comments.get(pull.ref, name)
    return _create_whole_text(found, format_id(found.id), at=found.created_at)


async def read_review(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return a review.

    Raises:
        NotFound: The pull request has no review with that id.
    """
    for found in await forge.reviews.list(ref):
        if found.id == name:
            return _create_whole_text(found, format_id(found.id), at=found.submitted_at, state=found.state)
    raise _create_not_found(ref, f"review {name}", "List the ids with method get_reviews.")


async def read_review_comment(forge: Forge, ref: PullRequestRef, name: str) -> WholeText:
    """Return a review comment.

    Raises:
        NotFound: The pull request has no review comment with that id. For the id of a thread, the suggestion lists its
            comments.
    """
    threads = [thread for thread in await forge.threads.list(ref) if thread.named(name)]
    for thread in threads:
        place = {"path": thread.path, "line": thread.line, "thread_id": thread.id}
        for found in thread.comments:
            if found.id == name:
                return _create_whole_text(found, format_id(found.id), at=found.created_at, **place)
    ids = ", ".join(one.id for thread in threads for one in thread.comments[:10])
    remedy = f"This id names a thread. Pass the id of a comment in it: {ids}." if ids else LIST_REVIEW_COMMENTS
    raise _create_not_found(ref, f"review comment {name}", remedy)


READERS: dict[Method, Callable[[Forge, PullRequestRef, str], Awaitable[WholeText]]] = {
    "get": read_description,
    "get_comments": read_comment,
    "get_reviews": read_review,
    "get_review_comments": read_review_comment,
}
"""The reader of a whole text, by the method that lists such texts."""


def _create_whole_text(said: Comment | Review | PullRequest, name: int | str, **rest: Any) -> WholeText:
    item = TextOwner(id=name, author=said.author.login, url=said.url, characters=len(said.body), **rest)
    return item, said.body


def _create_not_found(ref: PullRequestRef, what: str, remedy: str) -> NotFound:
    return NotFound(f"{ref} has no {what}", suggestion=remedy, details={"status": 404})
