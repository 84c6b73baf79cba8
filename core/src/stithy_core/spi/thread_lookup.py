"""Finding a review thread by an id."""

from collections.abc import Iterable

from stithy_core.errors import Conflict
from stithy_core.model.conversations import Thread


def find_thread(threads: Iterable[Thread], name: str) -> Thread | None:
    """Return the thread with an id, or with a comment of that id; None if there is none.

    Args:
        threads: All threads of one pull request.
        name: The id of a thread, or of any comment in it.

    Raises:
        Conflict: Several threads have the id, so that a reply might reach the wrong one.
    """
    found = [thread for thread in threads if thread.named(name)]
    if len(found) > 1:
        places = ", ".join(f"{thread.id} ({thread.place or 'no place in the code'})" for thread in found[:10])
        raise Conflict(
            f"id {name!r} is ambiguous: {len(found)} threads of the pull request have it: {places}",
            suggestion="Pass another id of the thread, as pull_request_read returns it.",
        )
    return found[0] if found else None
