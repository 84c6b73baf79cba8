"""One text whole: the body of a comment, a review or a comment in the diff, and the description."""

from collections.abc import Awaitable, Callable
from typing import Any

from stithy_comments.offers.reading import Method
from stithy_comments.reading.results import Item
from stithy_comments.texts import wire_id
from stithy_core.spi import Comment, Forge, NotFound, PullRequest, PullRequestRef, Review

Found = tuple[Item, str]
"""What has a body, and the body."""


async def description(forge: Forge, ref: PullRequestRef, name: str) -> Found:
    """Find the description of a pull request.

    Raises:
        NotFound: `name` is not its number.
    """
    pull = await forge.pull_requests.get(ref)
    if name != str(ref.number):
        raise _absent(ref, f"description {name}", f"Give {ref.number} as id, the pull request's own number.")
    return _found(pull, ref.number, at=pull.created_at, state=pull.state)


async def comment(forge: Forge, ref: PullRequestRef, name: str) -> Found:
    """Find a comment of the conversation.

    Raises:
        NotFound: There is none of that id.
    """
    pull = await forge.pull_requests.get(ref)  # an issue has comments as well
    found = await forge.comments.get(pull.ref, name)
    return _found(found, wire_id(found.id), at=found.created_at)


async def review(forge: Forge, ref: PullRequestRef, name: str) -> Found:
    """Find a review.

    Raises:
        NotFound: There is none of that id.
    """
    for found in await forge.reviews.list(ref):
        if found.id == name:
            return _found(found, wire_id(found.id), at=found.submitted_at, state=found.state)
    raise _absent(ref, f"review {name}", "The method get_reviews has the ids.")


async def review_comment(forge: Forge, ref: PullRequestRef, name: str) -> Found:
    """Find a comment in the diff.

    Raises:
        NotFound: There is none of that id; a thread's own id is told from nothing.
    """
    threads = [thread for thread in await forge.threads.list(ref) if thread.named(name)]
    for thread in threads:
        place = {"path": thread.path, "line": thread.line, "thread_id": thread.id}
        for found in thread.comments:
            if found.id == name:
                return _found(found, wire_id(found.id), at=found.created_at, **place)
    ids = ", ".join(one.id for thread in threads for one in thread.comments[:10])
    remedy = f"It is a thread: give the id of a comment in it: {ids}." if ids else "get_review_comments has the ids."
    raise _absent(ref, f"review comment {name}", remedy)


READERS: dict[Method, Callable[[Forge, PullRequestRef, str], Awaitable[Found]]] = {
    "get": description,
    "get_comments": comment,
    "get_reviews": review,
    "get_review_comments": review_comment,
}
"""Who finds a text, by the method in whose list it stands."""


def _found(said: Comment | Review | PullRequest, name: int | str, **rest: Any) -> Found:
    item = Item(id=name, author=said.author.login, url=said.url, characters=len(said.body), **rest)
    return item, said.body


def _absent(ref: PullRequestRef, what: str, remedy: str) -> NotFound:
    return NotFound(f"{ref} has no {what}", suggestion=remedy, details={"status": 404})
