"""Reads composed of several requests: many at once, the readiness of a merge, and a review thread found by an id."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from stithy_core.errors import Conflict, NotFound, StithyError
from stithy_core.model import Maybe
from stithy_core.model.conversations import Thread
from stithy_core.model.verdicts import Readiness
from stithy_core.spi.capabilities import Threads
from stithy_core.spi.operation_checks import or_unknown

if TYPE_CHECKING:
    from stithy_core.model import PullRequestRef
    from stithy_core.spi.forge import Forge


T = TypeVar("T")
S = TypeVar("S")

AT_ONCE = 8


async def map_concurrently(items: Iterable[S], work: Callable[[S], Awaitable[T]], *, at_once: int = AT_ONCE) -> list[T]:
    """Run `work` for each item, some at once; the first failure cancels the others and is raised unchanged.

    Args:
        items: The items.
        work: An async function of one item.
        at_once: The maximum number of items at a time.

    Returns:
        The results, in the order of the items.
    """
    todo = list(items)
    done: list[Any] = [None] * len(todo)
    free = anyio.CapacityLimiter(at_once)

    async def one(place: int, item: S) -> None:
        async with free:
            done[place] = await work(item)

    try:
        async with anyio.create_task_group() as group:
            for place, item in enumerate(todo):
                group.start_soon(one, place, item)
    except BaseExceptionGroup as failed:
        raise first(failed) from failed
    return done


def first(failed: BaseException) -> BaseException:
    """Return the most telling failure of a task group: a `StithyError` before any other exception."""
    if not isinstance(failed, BaseExceptionGroup):
        return failed
    leaves = [first(error) for error in failed.exceptions]
    return next((error for error in leaves if isinstance(error, StithyError)), leaves[0])


async def composed_readiness(forge: "Forge", pr: "PullRequestRef") -> Readiness:
    """Read what a merge depends on, by the other capabilities: for forges without a single request for it.

    The pull request is read first, the rest at once. What the forge lacks or the token may not read is unknown.
    """
    pull = await forge.pull_requests.get(pr)
    repository, base = pull.ref.repository, pull.base.branch

    async def behind() -> Maybe[int]:
        return (await forge.changes.compare(repository, base, pull.head.commit)).behind

    questions: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: forge.reviews.list(pull.ref),
        lambda: forge.threads.list(pull.ref),
        lambda: forge.checks.list(repository, pull.head.commit, pr=pull.ref),
        lambda: forge.rules.get(repository, base, pr=pull.ref),
        behind,
        lambda: forge.changes.commits(pull.ref),
    )
    reviews, threads, checks, rules, missing, commits = await map_concurrently(
        questions, lambda question: or_unknown(question())
    )
    return Readiness(
        pull_request=pull,
        reviews=reviews,
        threads=threads,
        checks=checks,
        rules=rules,
        behind=missing,
        commits=commits,
    )


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
