"""What a caller leaves out of a call: its workflow brings it, or the user prefers it; else it has its default."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from stithy_core.redaction import in_texts
from stithy_core.sanitize import clean, sendable
from stithy_core.tools.answers import Answer
from stithy_core.tools.cutting import cost
from stithy_core.tools.registry import DRY_RUN, IGNORED, NOTE, PREFERRED, WITHHELD, WORKFLOW, Tool

if TYPE_CHECKING:
    from stithy_core.spi import Workflow
    from stithy_core.tools.preferences import Preferences, Stored
    from stithy_core.tools.workflows import Workflows

ROOM = 160
"""Bytes for the note that a result was not kept, which is known only when the answer is made."""


@define(eq=False, repr=False)
class Completed:
    """The arguments of a call as they count, and what its answer says of that.

    Args:
        arguments: What was given, and what was found for the rest.
        workflow: What its workflow held when it began.
        beside: What the answer says beside what the tool says.
    """

    arguments: dict[str, Any]
    workflow: Workflow | None = None
    beside: dict[str, Any] = field(factory=dict)

    def weight(self) -> int:
        """How many bytes of the answer are not the tool's."""
        room = ROOM if self.workflow is not None else 0
        return room + cost(self._beside()) + cost("\n".join(self._lines())) if self.beside else room

    def said(self, answer: Answer) -> Answer:
        """Give the answer with what is said beside it."""
        if not self.beside:
            return answer
        lines = "\n".join((answer.text, *self._lines()))
        return evolve(answer, structured={**answer.structured, **self._beside()}, text=lines)

    def _beside(self) -> Any:
        return in_texts(self.beside, lambda text: sendable(clean(text)))

    def _lines(self) -> list[str]:
        lines = []
        if ignored := self.beside.get(IGNORED):
            lines.append(f"Ignored, since the tool has no such argument: {', '.join(ignored)}")
        if preferred := self.beside.get(PREFERRED):
            written = ", ".join(f"{name}={json.dumps(value)}" for name, value in preferred.items())
            lines.append(f"Preferred by the user: {written}")
        if withheld := self.beside.get(WITHHELD):
            lines.append(
                f"Lockdown: {withheld} of the texts that were read are withheld, since their authors may not push"
            )
        if note := self.beside.get(NOTE):
            lines.append(f"Not kept for the workflow: {note}")
        return lines


class Completing:
    """Completes calls.

    Args:
        stored: What the user prefers, where a single one is behind the server.
    """

    def __init__(self, stored: Stored | None = None) -> None:
        self._stored = stored

    @cached_property
    def workflows(self) -> Workflows:
        """Those of this server."""
        from stithy_core.tools.workflows import Workflows

        return Workflows()

    @cached_property
    def _preferences(self) -> Preferences | None:
        from stithy_core.tools.preferences import Preferences

        return None if self._stored is None else Preferences(self._stored)

    def complete(self, tool: Tool, arguments: dict[str, Any], session: str | None) -> Completed:
        """Complete the arguments of one call: what was given counts most, then the workflow, then the preferences.

        Args:
            tool: What is called.
            arguments: What was given.
            session: Who calls, where several callers share the server: then nobody's preferences count.

        Raises:
            InvalidArguments: The workflow is not under way.
            ConfigError: The preferences cannot be read.
        """
        whole = Completed(arguments)
        if tool.takes_workflow and isinstance(handle := arguments.get(WORKFLOW), str):
            from stithy_core.tools.workflows import brought

            whole.workflow = self.workflows.find(handle, session)
            arguments.update(brought(tool, whole.workflow, arguments))
        if session is None and tool.preferable and (preferences := self._preferences) is not None:
            arguments.update(found := preferences.apply(tool, arguments))
            whole.beside |= {PREFERRED: found} if found else {}
        return whole

    def leave(self, tool: Tool, whole: Completed, result: Mapping[str, Any], session: str | None) -> None:
        """Leave a result to the later calls of the workflow; where it cannot be kept, the answer says so.

        That of a dry run is none.
        """
        if tool.writes and whole.arguments.get(DRY_RUN) is True:
            return
        if whole.workflow is not None and (
            why := self.workflows.leave(whole.arguments[WORKFLOW], tool.spec.name, result, session)
        ):
            whole.beside[NOTE] = why
