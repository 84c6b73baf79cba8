"""What the server serves: handed over by the composition root, so that this room knows neither settings nor forges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from attrs import frozen

from stithy_core.plugins import Announcements, Library
from stithy_core.tools import Executor

if TYPE_CHECKING:
    from stithy_core.spi import Contribution, Prompts, Scope


@frozen(kw_only=True)
class Contents:
    """Everything one server serves.

    Args:
        executor: Runs tool calls.
        library: The plugins' documents.
        prompts: Providers with whose they are and the scope to make them with.
        announcements: What plugins say has changed.
        running: Entered while the server serves: background services and jobs live in it.
        instructions: What an agent is told first.
        output_schemas: Whether `tools/list` carries them.
    """

    executor: Executor
    library: Library
    prompts: Sequence[tuple[Prompts, Contribution, Scope]]
    announcements: Announcements
    running: Callable[[], AbstractAsyncContextManager[None]]
    instructions: str = ""
    output_schemas: bool = False
