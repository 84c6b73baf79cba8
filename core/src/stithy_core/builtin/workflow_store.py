"""Workflows of one server: the arguments of a prompt and the results of its tools, for the tools after them.

No workflow outlives the server, and no handle can be guessed (ARCH-12).
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from stithy_core.builtin import accepts_workflow
from stithy_core.spi import CallWrapper, InvalidArguments, Scope, ToolCall, Workflow, WrappedTool
from stithy_core.spi.call_wrappers import parse_argument
from stithy_core.spi.tools import CURSOR_ARGUMENT, WORKFLOW_ARGUMENT

if TYPE_CHECKING:
    from stithy_core.spi import StithyError

SECONDS = 3_600.0
MOST = 100
LARGEST = 1_000_000
"""Bytes of one workflow, as JSON in UTF-8."""
NOTE = "workflow_note"
NOTE_BYTES = 160
"""Bytes of an answer reserved for the note that its result was not kept, which is known only after it was made."""


@define
class _Entry:
    """One workflow, as texts, so that nobody can change what another call will read.

    Args:
        session: The caller that began it; None where a single user is behind the server.
        ends: When it expires, in seconds of the store's clock.
        prompt: The prompt that began it.
        arguments: What the prompt was given.
        results: The last result of each tool as JSON, by the tool's name.
    """

    session: str | None
    ends: float
    prompt: str
    arguments: Mapping[str, str]
    results: dict[str, str] = field(factory=dict)

    def size(self) -> int:
        texts = (json.dumps(dict(self.arguments), ensure_ascii=False), *self.results.values())
        return sum(_count_bytes(text) for text in texts)


@frozen
class _Results(Mapping[str, Mapping[str, Any]]):
    """Results as they were at one moment; each access returns a copy of its own."""

    _texts: Mapping[str, str]

    def __getitem__(self, tool: str) -> Mapping[str, Any]:
        result: Mapping[str, Any] = json.loads(self._texts[tool])
        return result

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class WorkflowStore:
    """The workflows of one server, at most `MOST`, each for `SECONDS`.

    Args:
        clock: Returns seconds that never decrease.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._entries: dict[str, _Entry] = {}  # the oldest first

    def start(self, prompt: str, arguments: Mapping[str, str], session: str | None = None) -> str:
        """Create a workflow and return its handle.

        If there are too many, the oldest of the session that has the most is evicted.

        Args:
            prompt: The prompt that begins it.
            arguments: What the prompt was given.
            session: The caller, where several share the server; no other caller can use the handle.

        Raises:
            InvalidArguments: The arguments are larger than a workflow may be.
        """
        entry = _Entry(session, self._clock() + SECONDS, prompt, MappingProxyType(dict(arguments)))
        if entry.size() > LARGEST:
            raise InvalidArguments(
                f"the arguments of {prompt} have {entry.size():,} bytes", suggestion=f"Pass at most {LARGEST:,} bytes."
            )
        from secrets import token_urlsafe

        self._evict()
        handle = f"wf-{token_urlsafe(16)}"
        self._entries[handle] = entry
        return handle

    def find(self, handle: str, session: str | None = None) -> Workflow:
        """Return what a workflow holds now.

        Raises:
            InvalidArguments: It is unknown, has expired, or belongs to another session; the error does not say which.
        """
        entry = self._find(handle, session)
        if entry is None:
            raise _create_expiry_error(handle)
        return Workflow(prompt=entry.prompt, arguments=entry.arguments, results=_Results(dict(entry.results)))

    def save_result(self, handle: str, tool: str, result: Mapping[str, Any], session: str | None = None) -> str:
        """Keep a tool's result in place of its last one; return why it was not kept, or an empty text."""
        entry = self._find(handle, session)
        if entry is None:
            return "the workflow has ended meanwhile"
        entry.results.pop(tool, None)  # an older result must not pass for the latest
        text = json.dumps(result, ensure_ascii=False)
        if entry.size() + _count_bytes(text) > LARGEST:
            return f"the workflow holds at most {LARGEST:,} bytes"
        entry.results[tool] = text
        return ""

    def _find(self, handle: str, session: str | None) -> _Entry | None:
        self._drop_expired()
        entry = self._entries.get(handle)
        return entry if entry is not None and entry.session == session else None

    def _drop_expired(self) -> None:
        now = self._clock()
        for handle in [handle for handle, entry in self._entries.items() if entry.ends <= now]:
            del self._entries[handle]

    def _evict(self) -> None:
        self._drop_expired()
        if len(self._entries) >= MOST:
            session = Counter(entry.session for entry in self._entries.values()).most_common(1)[0][0]
            del self._entries[next(handle for handle, entry in self._entries.items() if entry.session == session)]


class WorkflowWrapper(CallWrapper):
    """Fills arguments from a call's workflow, and keeps its result there.

    Args:
        scope: The plugin's scope.
    """

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.store = WorkflowStore()

    def note_schemas(self, tool: WrappedTool) -> Mapping[str, Mapping[str, Any]]:  # noqa: ARG002 -- of the base
        """Describe the note that a result was not kept."""
        return {NOTE: {"type": "string"}}

    def before(self, call: ToolCall) -> None:
        """Fill the arguments that the call leaves out and its workflow's prompt was given.

        Raises:
            InvalidArguments: No such workflow is active.
        """
        handle = call.arguments.get(WORKFLOW_ARGUMENT)
        if isinstance(handle, str):
            call.workflow = workflow = self.store.find(handle, call.caller)
            call.reserved += NOTE_BYTES
            call.arguments.update(select_arguments(call.tool, workflow, call.arguments))

    def after(self, call: ToolCall, answer: Mapping[str, Any], error: "StithyError | None") -> None:
        """Keep the result; an error is not kept, and no dry run, which has no result."""
        if call.workflow is None or error is not None or call.dry:
            return
        handle = call.arguments[WORKFLOW_ARGUMENT]
        if reason := self.store.save_result(handle, call.tool.spec.name, answer, call.caller):
            call.add_note(NOTE, reason, f"Not kept for the workflow: {reason}")

    def extend_prompt(
        self, prompt: str, arguments: Mapping[str, str], caller: str | None, tools: Iterable[WrappedTool]
    ) -> str:
        """Begin a workflow, and return the message that tells an agent its handle.

        Raises:
            InvalidArguments: The arguments are larger than a workflow may be.
        """
        handle = self.store.start(prompt, arguments, caller)
        names = ", ".join(tool.spec.name for tool in tools if accepts_workflow(tool)) or "the tools that accept it"
        return (
            f'This is a workflow. Pass {WORKFLOW_ARGUMENT}="{handle}" to {names}: arguments that this prompt was given'
            " may be left out there, and each tool knows what those before it found. It lasts an hour."
        )


def select_arguments(tool: WrappedTool, workflow: Workflow, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a tool that its workflow's prompt was given and a call leaves out."""
    properties = tool.input["properties"]
    return {
        name: parse_argument(text, properties[name])
        for name, text in workflow.arguments.items()
        if text and name in properties and name not in (*arguments, WORKFLOW_ARGUMENT, CURSOR_ARGUMENT)
    }


def _create_expiry_error(handle: str) -> InvalidArguments:
    message = f"{WORKFLOW_ARGUMENT} names no active workflow"
    fault = {"path": WORKFLOW_ARGUMENT, "given": handle[:40], "allowed": "the handle of a prompt", "message": message}
    return InvalidArguments(
        message,
        suggestion="A workflow lasts an hour, and as long as the server runs. Get its prompt again: that begins a new"
        f" one and returns its handle. Or leave {WORKFLOW_ARGUMENT} out and pass every argument.",
        details={"errors": [fault]},
    )


def _count_bytes(text: str) -> int:
    return len(text.encode(errors="replace"))
