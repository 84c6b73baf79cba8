"""What to do about an entry: as calls of our own tools, and as lines for a shell."""

import shlex
from collections.abc import Mapping
from typing import Annotated, Any

from attrs import frozen

from stithy_comments.gathering import attempt
from stithy_comments.texts import wire_id
from stithy_comments.unresolved.asks import Ask
from stithy_core.spi import Comments, Forge, Meta, Operation, PullRequest, Support, Threads, Unknown, excerpt

PLACEHOLDER = "YOUR_RESPONSE_HERE"
WORDS = 60
METHODS = {"review_comment": "get_review_comments", "review": "get_reviews", "issue_comment": "get_comments"}


@frozen
class Call:
    """A call of one of our tools."""

    name: str
    arguments: Mapping[str, Any]

    def text(self, **general: str) -> str:
        """Write it in a line of text; `general` are placeholders that stand for some of the arguments."""
        given = {**self.arguments, **general}
        return f"{self.name} " + " ".join(f"{name}={value}" for name, value in given.items())

    def line(self) -> str:
        """Write it for a shell."""
        given = [f"{name}={value}" for name, value in self.arguments.items()]
        return shlex.join(["stithy", "call", self.name, *given])


@frozen(kw_only=True)
class ActionCommands:
    """Ready commands (PULL-23): those to reply are templates, with `YOUR_RESPONSE_HERE` in the place of the text.

    Args:
        reply_command: For a shell; inside of JSON or quotes the text must be escaped accordingly. Left out where the
            repository is archived.
        reply_call: The same as a call.
        resolve_command: For a shell; left out where nothing can be resolved.
        resolve_call: The same as a call.
        resolve_condition: When to resolve.
        view_in_browser: Opens the comment.
        view_call: Reads it whole.
    """

    reply_command: Annotated[str | None, Meta(cut=False)] = None
    reply_call: Call | None = None
    resolve_command: Annotated[str | None, Meta(cut=False)] = None
    resolve_call: Call | None = None
    resolve_condition: str
    view_in_browser: Annotated[str, Meta(cut=False)]
    view_call: Call


class Commands:
    """Writes commands for one pull request.

    Args:
        forge: Where it is.
        pull: Which.
        alias: The forge's, where calls need it to find the forge; else empty.
        resolving: Whether the forge resolves threads.
    """

    def __init__(self, forge: Forge, pull: PullRequest, alias: str, resolving: Support) -> None:
        self._forge, self._resolving = forge, resolving
        self._ref = ref = pull.ref
        self._archived = pull.archived is True
        prefix = f"{alias}:" if alias else ""
        self._repository = f"{prefix}{ref.repository}"
        self._place = {
            "owner": f"{prefix}{ref.repository.namespace}",
            "repo": ref.repository.name,
            "pull_number": ref.number,
        }

    async def of(self, ask: Ask) -> ActionCommands:
        """Write those of one entry: where nothing can be written, those to look at it alone."""
        if self._archived:
            return ActionCommands(
                resolve_condition=f"Nothing can be answered or resolved: {self._ref.repository} is archived",
                view_in_browser=_open(ask.url),
                view_call=self._view(ask),
            )
        reply, reply_line = await self._reply(ask)
        resolve, resolve_line = await self._resolve(ask)
        return ActionCommands(
            reply_command=reply_line or reply.line(),
            reply_call=reply,
            resolve_command=resolve_line or (resolve.line() if resolve else None),
            resolve_call=resolve,
            resolve_condition=self._condition(ask),
            view_in_browser=_open(ask.url),
            view_call=self._view(ask),
        )

    def _view(self, ask: Ask) -> Call:
        owner, repo, number = self._place.values()
        place = {"owner": owner, "repo": repo, "pullNumber": number}
        return Call("pull_request_read", place | {"method": METHODS[ask.kind], "id": wire_id(ask.id)})

    async def _reply(self, ask: Ask) -> tuple[Call, str]:
        if ask.thread:
            place = self._place | {"comment_id": wire_id(ask.id), "body": PLACEHOLDER}
            line = await self._line(Threads.reply, thread=ask.thread, body=PLACEHOLDER)
            return Call("reply_to_review_comment", place), line
        text = f"Re {ask.url}: {PLACEHOLDER}"  # an answer that says what it answers closes it
        place = {"repository": self._repository, "pull_request_number": self._ref.number, "comment": text}
        line = await self._line(Comments.create, body=text)
        return Call("pr_comment_create", place), line

    async def _resolve(self, ask: Ask) -> tuple[Call | None, str]:
        if not ask.thread or not self._resolving:
            return None, ""
        line = await self._line(Threads.resolve, thread=ask.thread)
        return Call("resolve_review_thread", self._place | {"thread_id": ask.thread.id}), line

    async def _line(self, operation: Operation, **given: Any) -> str:
        """Ask the forge for its people's own line; where it does not answer, ours has to do."""
        line = await attempt(lambda: self._forge.command(operation, self._ref, **given))()
        return "" if isinstance(line, Unknown) else line

    def _condition(self, ask: Ask) -> str:
        what = excerpt(ask.body, WORDS)
        if ask.thread and self._resolving:
            return f"Run ONLY after verifying the fix for: {what!r}"
        if ask.thread:
            return f"Only on its page, after verifying the fix: {self._resolving.reason}"
        if ask.state == "changes_requested":
            return f"Stays until {ask.author.login} approves or the review is dismissed"
        return "Has no such state; it leaves this list when a comment of somebody else has its address"


def _open(url: str) -> str:
    return shlex.join(["python3", "-m", "webbrowser", "-t", url])
