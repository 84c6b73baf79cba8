"""What a prompt was given and what its tools found, kept for the tools after them under a handle that the server makes.

See ARCH-12. Nothing of it outlives the server, and no handle can be guessed.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from attrs import define, field, frozen

from stithy_core.errors import InvalidArguments
from stithy_core.spi import Workflow
from stithy_core.tools import cursors
from stithy_core.tools.registry import WORKFLOW, Tool
from stithy_core.tools.values import value_of

SECONDS = 3_600.0
MOST = 100
LARGEST = 1_000_000
"""Bytes of one workflow, as JSON in UTF-8."""


@define
class _Kept:
    """One workflow: whose it is, when it ends, and its texts, so that nobody can change what another will read."""

    session: str | None
    ends: float
    prompt: str
    arguments: Mapping[str, str]
    results: dict[str, str] = field(factory=dict)

    def size(self) -> int:
        texts = (json.dumps(dict(self.arguments), ensure_ascii=False), *self.results.values())
        return sum(_bytes(text) for text in texts)


@frozen
class _Results(Mapping[str, Mapping[str, Any]]):
    """Results as they were at one moment; each reading gives a copy of its own."""

    _texts: Mapping[str, str]

    def __getitem__(self, tool: str) -> Mapping[str, Any]:
        result: Mapping[str, Any] = json.loads(self._texts[tool])
        return result

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class Workflows:
    """The workflows of one server.

    Args:
        clock: Seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[str, _Kept] = {}  # the oldest first

    def start(self, prompt: str, arguments: Mapping[str, str], session: str | None = None) -> str:
        """Begin one, and give its handle. Where there are too many, the oldest of whoever has most ends.

        Args:
            prompt: The prompt that begins it.
            arguments: What the prompt was given.
            session: Who began it, where several callers share the server; nobody else can use the handle.

        Raises:
            InvalidArguments: It was given more than a workflow may hold.
        """
        kept = _Kept(session, self._clock() + SECONDS, prompt, MappingProxyType(dict(arguments)))
        if kept.size() > LARGEST:
            raise InvalidArguments(
                f"the arguments of {prompt} have {kept.size():,} bytes", suggestion=f"Give at most {LARGEST:,}."
            )
        from secrets import token_urlsafe

        self._make_room()
        handle = f"wf-{token_urlsafe(16)}"
        self._kept[handle] = kept
        return handle

    def find(self, handle: str, session: str | None = None) -> Workflow:
        """Give what a workflow holds now.

        Raises:
            InvalidArguments: It is unknown, has ended, or belongs to another session, which is not told apart.
        """
        kept = self._of(handle, session)
        if kept is None:
            raise _ended(handle)
        return Workflow(kept.prompt, kept.arguments, _Results(dict(kept.results)))

    def leave(self, handle: str, tool: str, result: Mapping[str, Any], session: str | None = None) -> str:
        """Keep a tool's result, in the place of its last one; say why it is not kept, or nothing."""
        kept = self._of(handle, session)
        if kept is None:
            return "the workflow has ended meanwhile"
        kept.results.pop(tool, None)  # what is not the latest any more must not be taken for it
        text = json.dumps(result, ensure_ascii=False)
        if kept.size() + _bytes(text) > LARGEST:
            return f"the workflow holds at most {LARGEST:,} bytes"
        kept.results[tool] = text
        return ""

    def _of(self, handle: str, session: str | None) -> _Kept | None:
        self._forget()
        kept = self._kept.get(handle)
        return kept if kept is not None and kept.session == session else None

    def _forget(self) -> None:
        now = self._clock()
        for handle in [handle for handle, kept in self._kept.items() if kept.ends <= now]:
            del self._kept[handle]

    def _make_room(self) -> None:
        self._forget()
        if len(self._kept) >= MOST:
            whose = Counter(kept.session for kept in self._kept.values()).most_common(1)[0][0]
            del self._kept[next(handle for handle, kept in self._kept.items() if kept.session == whose)]


def brought(tool: Tool, workflow: Workflow, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments of a call that its workflow's prompt was given and the caller left out."""
    properties = tool.input["properties"]
    return {
        name: value_of(text, properties[name])
        for name, text in workflow.arguments.items()
        if text and name in properties and name not in (*arguments, WORKFLOW, cursors.ARGUMENT)
    }


def invitation(handle: str, tools: Iterable[Tool]) -> str:
    """Tell an agent, at the end of a prompt, of the workflow that it has begun.

    Args:
        handle: The workflow's.
        tools: All that are served.
    """
    takers = ", ".join(tool.spec.name for tool in tools if tool.takes_workflow) or "the tools that take it"
    return (
        f'This is a workflow. Give {WORKFLOW}="{handle}" to {takers}: what this prompt was given may be left out there,'
        " and each knows what those before it found. It lasts an hour."
    )


def _ended(handle: str) -> InvalidArguments:
    message = f"{WORKFLOW} names no workflow that is under way"
    fault = {"path": WORKFLOW, "given": handle[:40], "allowed": "the handle of a prompt", "message": message}
    return InvalidArguments(
        message,
        suggestion="It lasts an hour, and as long as the server runs. Get its prompt again: that begins a new one and"
        f" gives its handle. Or leave {WORKFLOW} out and give every argument.",
        details={"errors": [fault]},
    )


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))
