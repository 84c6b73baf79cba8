"""What people can type for an operation, in the words of `gh`, GitHub's own program for the shell.

Every line runs as it stands in a POSIX shell. A text stands in quotes even where it needs none, so that another one can
be put in its place. It goes along with `-f`, which takes it as it is; `-F` would read a file where it begins with @.
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
    link: "ForgeConfig", operation: Operation, subject: IssueRef, thread: Thread | None, body: str
) -> str:
    """Write the line for an operation; empty where there is none."""
    gh = _start_line(link)
    if not gh:
        return ""
    if operation is Comments.create:
        return _post_line(gh, f"{issue_path(subject)}/comments", body)
    if thread is None:
        return ""
    if operation is Threads.reply and thread.comments:
        return _post_line(gh, f"{pull_path(subject)}/comments/{thread.comments[0].id}/replies", body)
    if operation is Threads.resolve and not thread.id.isdecimal():  # REST's numbers are no ids of GraphQL
        return f"{gh} graphql -f query={_quote(RESOLVE_MUTATION)} -f id={shlex.quote(thread.id)}"
    return ""


def _start_line(link: "ForgeConfig") -> str:
    """Begin the line; gh knows no other way than HTTPS at the usual port."""
    parts = urlsplit(link.url)
    if parts.scheme != "https" or parts.port is not None:
        return ""
    return "gh api" if parts.netloc == HOME else f"gh api --hostname {shlex.quote(parts.netloc)}"


def _post_line(gh: str, path: str, body: str) -> str:
    return f"{gh} -X POST {shlex.quote(path.lstrip('/'))} -f body={_quote(body)}"


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\"'\"'") + "'"
