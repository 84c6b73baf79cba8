"""Finding a review thread by an id."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from stithy_core.errors import Conflict, NotFound
from stithy_core.model.conversations import Thread
from stithy_core.spi.capabilities import Threads

if TYPE_CHECKING:
    from stithy_core.model import PullRequestRef
    from stithy_core.spi.forge import Forge


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


async def read_thread(forge: "Forge", pr: "PullRequestRef", name: str) -> Thread:
    """Return a thread with all its comments, by `Threads.get`, or out of all threads where the forge lacks that.

    Args:
        forge: The forge.
        pr: The pull request.
        name: The id of the thread, or of any comment in it.

    Raises:
        NotFound: The pull request has no such thread.
        Conflict: Several threads have the id.
    """
    if await forge.supports(Threads.get):
        return await forge.threads.get(pr, name)
    thread = find_thread(await forge.threads.list(pr), name)
    if thread is None:
        raise NotFound(f"{pr} has no thread {name}", suggestion="Read its threads: they have the ids.")
    return thread
