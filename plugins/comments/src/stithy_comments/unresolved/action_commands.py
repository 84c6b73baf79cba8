"""Ready commands for entries, as patterns: calls of stithy's tools, and command lines for a shell.

A pattern holds for all entries of its kind. Its placeholders are in capitals, and the entry has what replaces them.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from attrs import evolve, frozen

from stithy_comments.partial_reads import attempt
from stithy_comments.unresolved.unresolved_items import UnresolvedItem
from stithy_core.spi import Comments, Forge, Meta, Operation, PullRequest, Support, Thread, Threads, Unknown

ID, THREAD, URL, METHOD, RESPONSE = "ID", "THREAD", "URL", "METHOD", "YOUR_RESPONSE_HERE"
PLACEHOLDERS = {
    ID: "id of the entry",
    THREAD: "thread_id of the entry",
    URL: "html_url of the entry",
    METHOD: "get_reviews for a review, get_comments for an issue_comment",
    RESPONSE: "your text",
}
COMMENT_PROBE, THREAD_PROBE = "900000000000000001", "900000000000000002"
"""Ids that stand for the placeholders while a forge writes a command line: they stand nowhere else in it."""
BODY_CONDITION = (
    "Cannot be resolved. A review that requests changes stays until its author approves or it is dismissed; anything"
    " else leaves this list when a comment of another author links to it"
)


@frozen
class ToolCall:
    """A call of one of stithy's tools."""

    name: str
    arguments: Mapping[str, Any]

    def format_text(self) -> str:
        """Format the call for text output."""
        return f"{self.name} " + " ".join(f"{name}={_format_value(value)}" for name, value in self.arguments.items())

    def format_shell(self) -> str:
        """Format the call as a command line for a shell."""
        given = [f"{name}={value}" for name, value in self.arguments.items()]
        return shlex.join(["stithy", "call", self.name, *given])


@frozen(kw_only=True)
class ActionCommands:
    """Ready commands for entries of one kind (PULL-23).

    Args:
        reply_command: The command line for a shell; a text inside JSON or quotes must be escaped accordingly. None if
            the repository is archived, or the forge cannot reply.
        reply_call: The same as a tool call.
        resolve_command: The command line for a shell; None if the entries cannot be resolved.
        resolve_call: The same as a tool call.
        resolve_condition: The condition for resolving.
        view_in_browser: The command line that opens the comment's page.
        view_call: The tool call that returns the whole thread or text.
    """

    reply_command: Annotated[str | None, Meta(cut=False)] = None
    reply_call: ToolCall | None = None
    resolve_command: Annotated[str | None, Meta(cut=False)] = None
    resolve_call: ToolCall | None = None
    resolve_condition: str
    view_in_browser: Annotated[str, Meta(cut=False)] = shlex.join(["python3", "-m", "webbrowser", "-t", URL])
    view_call: ToolCall


@frozen(kw_only=True)
class CommandPatterns:
    """The commands for all entries of an answer.

    Args:
        placeholders: What replaces each placeholder.
        threads: For threads; None if there are none.
        bodies: For reviews and general comments, and for threads that take no replies; None if there are none.
    """

    placeholders: Mapping[str, str] = PLACEHOLDERS
    threads: ActionCommands | None = None
    bodies: ActionCommands | None = None


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
        owner, repo = f"{prefix}{ref.repository.namespace}" or f"{forge.config.alias}:", ref.repository.name
        self._place = {"owner": owner, "repo": repo, "pull_number": ref.number}
        self._read_place = {"owner": owner, "repo": repo, "pullNumber": ref.number}

    async def create(self, items: Sequence[UnresolvedItem]) -> CommandPatterns:
        """Create the commands for some items."""
        threads = [item.thread for item in items if item.thread]
        has_bodies = any(item.thread is None or not item.thread.takes_replies for item in items)
        return CommandPatterns(
            threads=await self._for_threads(threads) if threads else None,
            bodies=await self._for_bodies() if has_bodies else None,
        )

    async def _for_threads(self, threads: Sequence[Thread]) -> ActionCommands:
        view = ToolCall("pull_request_read", self._read_place | {"method": "get_thread", "id": THREAD})
        if self._archived:
            return ActionCommands(resolve_condition=self._describe_archive(), view_call=view)
        answerable = next((thread for thread in threads if thread.takes_replies), None)
        reply = resolve = None
        if answerable is not None and await self._supports(Threads.reply):
            reply = ToolCall("reply_to_review_comment", self._place | {"comment_id": ID, "body": RESPONSE})
        if self._resolving:
            resolve = ToolCall("resolve_review_thread", self._place | {"thread_id": THREAD})
        any_thread = answerable or threads[0]
        return ActionCommands(
            reply_command=await self._write_line(reply, Threads.reply, any_thread),
            reply_call=reply,
            resolve_command=await self._write_line(resolve, Threads.resolve, any_thread),
            resolve_call=resolve,
            resolve_condition=f"Run ONLY after verifying the fix for comment {ID}"
            if resolve
            else f"Resolve ONLY on its page, after verifying the fix: {self._resolving.reason}",
            view_call=view,
        )

    async def _for_bodies(self) -> ActionCommands:
        view = ToolCall("pull_request_read", self._read_place | {"method": METHOD, "id": ID})
        if self._archived:
            return ActionCommands(resolve_condition=self._describe_archive(), view_call=view)
        reply = None
        if await self._supports(Comments.create):
            text = f"Re {URL}: {RESPONSE}"  # the link marks the comment as answered
            place = {"repository": self._repository, "pull_request_number": self._ref.number, "comment": text}
            reply = ToolCall("pr_comment_create", place)
        return ActionCommands(
            reply_command=await self._write_line(reply, Comments.create, None, f"Re {URL}: {RESPONSE}"),
            reply_call=reply,
            resolve_condition=BODY_CONDITION,
            view_call=view,
        )

    def _describe_archive(self) -> str:
        return f"Replies and resolving are not possible: {self._ref.repository} is archived"

    async def _supports(self, operation: Operation) -> bool:
        """Return whether the forge has an operation; also if it does not answer, since it may have it."""
        support = await attempt(lambda: self._forge.supports(operation))()
        return isinstance(support, Unknown) or bool(support)

    async def _write_line(
        self, call: ToolCall | None, operation: Operation, thread: Thread | None, body: str = RESPONSE
    ) -> str | None:
        """Return a command line for a shell: of the forge's usual program, if that has one for all entries."""
        if call is None:
            return None
        probes = [None] if thread is None else _create_probes(thread)
        lines = {await self._ask_for_line(operation, probe, body) for probe in probes}
        line = lines.pop() if len(lines) == 1 else ""
        line = line.replace(COMMENT_PROBE, ID).replace(THREAD_PROBE, THREAD)
        return line or call.format_shell()

    async def _ask_for_line(self, operation: Operation, thread: Thread | None, body: str) -> str:
        given = {} if operation is Threads.resolve else {"body": body}
        line = await attempt(lambda: self._forge.command(operation, self._ref, thread=thread, **given))()
        return "" if isinstance(line, Unknown) else line


def _create_probes(thread: Thread) -> list[Thread]:
    """Return two threads that differ in all but their ids: a line that is equal for both depends on ids alone.

    The list is empty if ids are not numbers, since a forge may take such an id apart.
    """
    root = thread.comments[0]
    if not root.id.isdecimal():
        return []
    name = THREAD_PROBE if thread.id.isdecimal() else THREAD
    probe = evolve(thread, id=name, comments=(evolve(root, id=COMMENT_PROBE),))
    other = evolve(root, id=COMMENT_PROBE, commit="0" * 40, review="")
    return [probe, evolve(probe, path="elsewhere", line=1, side="LEFT", comments=(other,))]


def _format_value(value: Any) -> str:
    """Return a value; a text with spaces in quotes, so that it cannot be taken for several arguments."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) and " " in value else str(value)
