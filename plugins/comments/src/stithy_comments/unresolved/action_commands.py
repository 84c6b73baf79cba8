"""Ready commands for an entry: calls of stithy's tools, and command lines for a shell."""

import json
import shlex
from collections.abc import Mapping
from typing import Annotated, Any

from attrs import frozen

from stithy_comments.partial_reads import attempt
from stithy_comments.text_format import format_id
from stithy_comments.unresolved.unresolved_items import UnresolvedItem
from stithy_core.spi import Comments, Forge, Meta, Operation, PullRequest, Support, Threads, Unknown, excerpt

PLACEHOLDER = "YOUR_RESPONSE_HERE"
WORDS = 60
REPLY_IN_THREAD = "reply_to_review_comment"
METHODS = {"review_comment": "get_review_comments", "review": "get_reviews", "issue_comment": "get_comments"}


@frozen
class ToolCall:
    """A call of one of stithy's tools."""

    name: str
    arguments: Mapping[str, Any]

    def format_text(self, **general: str) -> str:
        """Format the call for text output; `general` replaces values of arguments by placeholders."""
        given = {**self.arguments, **general}
        return f"{self.name} " + " ".join(f"{name}={_format_value(value)}" for name, value in given.items())

    def format_shell(self) -> str:
        """Format the call as a command line for a shell."""
        given = [f"{name}={value}" for name, value in self.arguments.items()]
        return shlex.join(["stithy", "call", self.name, *given])


@frozen(kw_only=True)
class ActionCommands:
    """Ready commands (PULL-23); those to reply are templates with `YOUR_RESPONSE_HERE` for the text.

    Args:
        reply_command: The command line for a shell; a text inside JSON or quotes must be escaped accordingly. None if
            the repository is archived, or the forge cannot reply.
        reply_call: The same as a tool call.
        resolve_command: The command line for a shell; None if the entry cannot be resolved.
        resolve_call: The same as a tool call.
        resolve_condition: The condition for resolving.
        view_in_browser: The command line that opens the comment's page.
        view_call: The tool call that returns the whole text.
    """

    reply_command: Annotated[str | None, Meta(cut=False)] = None
    reply_call: ToolCall | None = None
    resolve_command: Annotated[str | None, Meta(cut=False)] = None
    resolve_call: ToolCall | None = None
    resolve_condition: str
    view_in_browser: Annotated[str, Meta(cut=False)]
    view_call: ToolCall

    @property
    def replies_in_thread(self) -> bool:
        """Whether the reply is posted in the entry's thread; otherwise it is a general comment, if it is possible."""
        return self.reply_call is not None and self.reply_call.name == REPLY_IN_THREAD


class CommandFactory:
    """Creates the commands for entries of one pull request.

    Args:
        forge: The forge.
        pull: The pull request.
        alias: The alias of the forge if calls need it to select the forge; else empty.
        resolving: Whether the forge can resolve threads.
    """

    def __init__(self, forge: Forge, pull: PullRequest, alias: str, resolving: Support) -> None:
        self._forge, self._resolving = forge, resolving
        self._ref = ref = pull.ref
        self._archived = pull.archived is True
        prefix = f"{alias}:" if alias else ""
        self._repository = f"{prefix}{ref.repository}"
        self._place = {
            "owner": f"{prefix}{ref.repository.namespace}" or f"{forge.config.alias}:",
            "repo": ref.repository.name,
            "pull_number": ref.number,
        }

    async def create(self, ask: UnresolvedItem) -> ActionCommands:
        """Create the commands of one entry; only those to view it if the repository is archived."""
        if self._archived:
            return ActionCommands(
                resolve_condition=f"Replies and resolving are not possible: {self._ref.repository} is archived",
                view_in_browser=_format_open(ask.url),
                view_call=self._view(ask),
            )
        reply, reply_line = await self._reply(ask)
        resolve, resolve_line = await self._resolve(ask)
        return ActionCommands(
            reply_command=reply_line or (reply.format_shell() if reply else None),
            reply_call=reply,
            resolve_command=resolve_line or (resolve.format_shell() if resolve else None),
            resolve_call=resolve,
            resolve_condition=self._condition(ask),
            view_in_browser=_format_open(ask.url),
            view_call=self._view(ask),
        )

    def _view(self, ask: UnresolvedItem) -> ToolCall:
        owner, repo, number = self._place.values()
        place = {"owner": owner, "repo": repo, "pullNumber": number}
        return ToolCall("pull_request_read", place | {"method": METHODS[ask.kind], "id": format_id(ask.id)})

    async def _reply(self, ask: UnresolvedItem) -> tuple[ToolCall | None, str]:
        in_thread = ask.thread is not None and ask.thread.takes_replies
        operation: Operation = Threads.reply if in_thread else Comments.create
        support = await attempt(lambda: self._forge.supports(operation))()
        if isinstance(support, Support) and not support:
            return None, ""
        if in_thread:
            place = self._place | {"comment_id": format_id(ask.id), "body": PLACEHOLDER}
            line = await self._line(Threads.reply, thread=ask.thread, body=PLACEHOLDER)
            return ToolCall(REPLY_IN_THREAD, place), line
        text = f"Re {ask.url}: {PLACEHOLDER}"  # the link marks the comment as answered
        place = {"repository": self._repository, "pull_request_number": self._ref.number, "comment": text}
        line = await self._line(Comments.create, body=text)
        return ToolCall("pr_comment_create", place), line

    async def _resolve(self, ask: UnresolvedItem) -> tuple[ToolCall | None, str]:
        if not ask.thread or not self._resolving:
            return None, ""
        line = await self._line(Threads.resolve, thread=ask.thread)
        return ToolCall("resolve_review_thread", self._place | {"thread_id": ask.thread.id}), line

    async def _line(self, operation: Operation, **given: Any) -> str:
        """Return the command line of the forge's own CLI; empty without one; then stithy's own is used."""
        line = await attempt(lambda: self._forge.command(operation, self._ref, **given))()
        return "" if isinstance(line, Unknown) else line

    def _condition(self, ask: UnresolvedItem) -> str:
        what = excerpt(ask.body, WORDS)
        if ask.thread and self._resolving:
            return f"Run ONLY after verifying the fix for: {what!r}"
        if ask.thread:
            return f"Resolve ONLY on its page, after verifying the fix: {self._resolving.reason}"
        if ask.state == "changes_requested":
            return f"Stays until {ask.author.login} approves or the review is dismissed"
        return "Cannot be resolved; it leaves this list when a comment of another author links to it"


def _format_value(value: Any) -> str:
    """Return a value; a text with spaces in quotes, so that it cannot be taken for several arguments."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) and " " in value else str(value)


def _format_open(url: str) -> str:
    return shlex.join(["python3", "-m", "webbrowser", "-t", url])
