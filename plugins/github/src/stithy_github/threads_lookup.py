"""Which thread a caller names, and whether it is the pull request's: the ids are those of the whole server.

What is of another pull request is answered as if it were not there, with the status that GitHub has for that, and it
is said where it is.
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
    """Find the first comment of a thread, in one request: REST knows it of a comment, and GraphQL of a thread.

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
        raise await _missing_here(forge, pr, f"comment {comment}", comment, f"{pr.repository}#{number}")
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
    """Pass a thread that is the pull request's.

    Args:
        forge: Where it is.
        pr: The pull request.
        thread: What the caller called the thread.
        data: An answer to ONE_THREAD or ROOT.

    Raises:
        NotFound: It is not.
    """
    home = (data["node"] or {}).get("pullRequest")
    if home is None:
        raise await missing_thread(forge, pr, thread)
    if home["id"] != get_pull_request(data, pr)["id"]:
        where = f"{home['repository']['nameWithOwner']}#{home['number']}"
        raise await _missing_here(forge, pr, f"thread {thread}", thread, where)


async def missing_thread(
    forge: "Forge", pr: PullRequestRef, name: str, error: NotFound | None = None, *, more: str = ""
) -> NotFound:
    """Say that a thread is not there, or that the pull request is not.

    Args:
        forge: Where it should be.
        pr: The pull request.
        name: What the caller called the thread.
        error: What GitHub said, whose status and message are kept.
        more: What else is known of it.
    """
    try:
        await forge.http.get(pull_path(pr), shape=dict)
    except NotFound as missing:
        return await missing_pull_request(forge, pr, missing)
    details = error.details if error else {"status": NOT_FOUND}
    return NotFound(f"{pr} has no thread {name}{more}", suggestion=REMEDY, details=details)


async def _missing_here(forge: "Forge", pr: PullRequestRef, what: str, name: str, where: str) -> NotFound:
    return await missing_thread(forge, pr, name, more=f": {what} belongs to {where}")
