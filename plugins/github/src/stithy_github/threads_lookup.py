"""Finds the thread that a caller names and checks that it belongs to the pull request: ids are unique per server only.

A thread of another pull request is reported like a missing one, with GitHub's status for that, and the error names
where the thread is.
"""

from typing import TYPE_CHECKING, Any

from stithy_core.spi import NotFound, PullRequestRef
from stithy_github.graphql_client import execute_graphql, get_pull_request, reference_variables
from stithy_github.mapping import pull_path, repository_path
from stithy_github.not_found_errors import NOT_FOUND, missing_pull_request
from stithy_github.threads_mapping import get_rest_id
from stithy_github.threads_queries import ROOT

if TYPE_CHECKING:
    from stithy_core.spi import Forge

REMEDY = "Read its threads: they have the ids."


async def find_root(forge: "Forge", pr: PullRequestRef, name: str) -> str:
    """Return the id of a thread's first comment, in one request: REST has it of comments, GraphQL of threads.

    Raises:
        NotFound: The pull request has no such thread.
    """
    return await (_find_root_by_comment if name.isdecimal() else _find_root_by_thread)(forge, pr, name)


async def _find_root_by_comment(forge: "Forge", pr: PullRequestRef, comment: str) -> str:
    try:
        raw = await forge.http.get(f"{repository_path(pr.repository)}/pulls/comments/{comment}", shape=dict)
    except NotFound as error:
        raise await missing_thread(forge, pr, comment, error) from error
    if not raw["pull_request_url"].endswith(f"/pulls/{pr.number}"):
        number = raw["pull_request_url"].rpartition("/")[2]
        where = f"comment {comment} belongs to {pr.repository}#{number}"
        raise await missing_thread(forge, pr, comment, where=where)
    return str(raw.get("in_reply_to_id") or raw["id"])


async def _find_root_by_thread(forge: "Forge", pr: PullRequestRef, thread: str) -> str:
    try:
        data = await execute_graphql(forge, ROOT, reference_variables(pr) | {"thread": thread})
    except NotFound as error:
        raise await missing_thread(forge, pr, thread, error) from error
    await check_pull_request(forge, pr, thread, data)
    first = next(filter(None, data["node"]["comments"]["nodes"]), None)
    if first is None:
        raise await missing_thread(forge, pr, thread)
    return get_rest_id(first)


async def check_pull_request(forge: "Forge", pr: PullRequestRef, thread: str, data: Any) -> None:
    """Check that a thread belongs to a pull request.

    Args:
        forge: The forge.
        pr: The pull request.
        thread: The caller's name of the thread.
        data: An answer to ONE_THREAD or ROOT.

    Raises:
        NotFound: It does not.
    """
    owner = (data["node"] or {}).get("pullRequest")
    if owner is None:
        raise await missing_thread(forge, pr, thread)
    if owner["id"] != get_pull_request(data, pr)["id"]:
        where = f"thread {thread} belongs to {owner['repository']['nameWithOwner']}#{owner['number']}"
        raise await missing_thread(forge, pr, thread, where=where)


async def missing_thread(
    forge: "Forge", pr: PullRequestRef, name: str, error: NotFound | None = None, *, where: str = ""
) -> NotFound:
    """Return the error of a missing thread, or of a missing pull request.

    Args:
        forge: The forge.
        pr: The pull request.
        name: The caller's name of the thread.
        error: GitHub's error, whose status and message are kept.
        where: Where the thread is instead.
    """
    try:
        await forge.http.get(pull_path(pr), shape=dict)
    except NotFound as missing:
        return await missing_pull_request(forge, pr, missing)
    details = error.details if error else {"status": NOT_FOUND}
    text = f"{pr} has no thread {name}" + (f": {where}" if where else "")
    return NotFound(text, suggestion=REMEDY, details=details)
