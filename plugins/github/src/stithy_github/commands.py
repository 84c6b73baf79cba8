"""Shell commands that perform operations with `gh`, GitHub's own command-line tool.

Every command runs unchanged in a POSIX shell. A text is quoted even if it needs no quotes, so that a user can replace
it. It is passed by `-f`, which takes it literally; `-F` reads a file if the text begins with @.
"""

import shlex
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from stithy_core.spi import Comments, IssueRef, Operation, Thread, Threads
from stithy_github.addresses import HOME
from stithy_github.mapping import issue_path, pull_path

if TYPE_CHECKING:
    from stithy_core.spi import ForgeConfig

RESOLVE_MUTATION = "mutation($id:ID!){resolveReviewThread(input:{threadId:$id}){thread{id isResolved}}}"


def shell_command(
    forge: "ForgeConfig", operation: Operation, subject: IssueRef, thread: Thread | None, body: str
) -> str:
    """Return the command for an operation; empty if `gh` has none."""
    gh = _start_line(forge)
    if not gh:
        return ""
    if operation is Comments.create:
        return _post_line(gh, f"{issue_path(subject)}/comments", body)
    if thread is None:
        return ""
    if operation is Threads.reply and thread.comments:
        return _post_line(gh, f"{pull_path(subject)}/comments/{thread.comments[0].id}/replies", body)
    if operation is Threads.resolve and not thread.id.isdecimal():  # GraphQL does not take REST's numbers
        return f"{gh} graphql -f query={_quote(RESOLVE_MUTATION)} -f id={shlex.quote(thread.id)}"
    return ""


def _start_line(forge: "ForgeConfig") -> str:
    """Return the beginning of a command; empty for a URL that gh cannot reach: it uses HTTPS and the default port."""
    parts = urlsplit(forge.url)
    if parts.scheme != "https" or parts.port is not None:
        return ""
    return "gh api" if parts.netloc == HOME else f"gh api --hostname {shlex.quote(parts.netloc)}"


def _post_line(gh: str, path: str, body: str) -> str:
    return f"{gh} -X POST {shlex.quote(path.lstrip('/'))} -f body={_quote(body)}"


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\"'\"'") + "'"
