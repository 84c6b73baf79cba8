"""Shell commands that perform operations with curl."""

import json
import shlex
from typing import TYPE_CHECKING, Any

from stithy_core.spi import Comments, IssueRef, Operation, PullRequestRef, Thread, Threads, Token, Unsupported
from stithy_gitea.inline import PullRequestReviews
from stithy_gitea.replies import choose_reply_route
from stithy_gitea.subjects import issue_path, resolve_path

if TYPE_CHECKING:
    from stithy_core.spi import Forge

# curl takes a redirect for a success, and a renamed repository is one: with -L and none allowed it fails (curl(1)).
CURL = "curl --fail-with-body -sS -L --max-redirs 0 -X POST"


async def shell_command(
    forge: "Forge", operation: Operation, subject: IssueRef, *, thread: Thread | None = None, body: str = ""
) -> str:
    """Return the command for an operation; empty if the server has no route for it."""
    if operation is Comments.create:
        return await _line(forge, f"{issue_path(subject)}/comments", {"body": body})
    if thread is None:
        return ""
    pr = PullRequestRef(subject.repository, subject.number)
    if operation is Threads.reply:
        return await _reply(forge, pr, thread, body)
    if operation is Threads.resolve and await forge.supports(Threads.resolve):
        return await _line(forge, resolve_path(pr, thread.id, "resolve"))
    return ""


async def _reply(forge: "Forge", pr: PullRequestRef, thread: Thread, body: str) -> str:
    try:
        way = await choose_reply_route(forge, PullRequestReviews(pr=pr, pull={}, reviews=()), thread)
    except Unsupported:
        return ""
    return await _line(forge, way.path(), way.payload(body))


async def _line(forge: "Forge", path: str, body: dict[str, Any] | None = None) -> str:
    variable = f"{(await forge.version()).flavour.upper()}_TOKEN"
    token = Token(value=f"${{{variable}:?}}", source=f"the variable {variable}")
    headers = " ".join(f'-H "{name}: {value}"' for name, value in forge.dialect.authorization(token).items())
    said = f" -H 'Content-Type: application/json' -d {shlex.quote(json.dumps(body))}" if body is not None else ""
    return f"{CURL} {headers}{said} {shlex.quote(forge.config.url + path)}"
