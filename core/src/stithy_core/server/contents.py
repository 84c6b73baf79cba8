"""What the server serves: handed over by the composition root, so that this room knows neither settings nor forges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from attrs import frozen

from stithy_core.plugins import Announcements, Library
from stithy_core.server.figures import Upstream
from stithy_core.tools import Executor, Jobs

if TYPE_CHECKING:
    from stithy_core.spi import Contribution, Prompts, Scope
    from stithy_core.tools.context import Places
    from stithy_core.tools.routes import Mounted


@frozen(kw_only=True)
class Contents:
    """Everything one server serves.

    Args:
        executor: Runs tool calls.
        library: The plugins' documents.
        prompts: Providers with whose they are and the scope to make them with.
        places: Finds the repositories and pull requests that callers of routes write.
        check_forge: Raises `InvalidArguments` for what is no forge's alias.
        jobs: Work that outlives calls.
        routes: What answers beside MCP where the server speaks HTTP, in the order in which paths are compared.
        announcements: What plugins say has changed.
        upstreams: Says how this process got on with the forges that it asked.
        shares: Says whether what several servers share can be reached; None where nothing is shared.
        running: Entered while the server serves: background services and jobs live in it.
        failed_services: Returns the names of background services that failed and wait to be started again.
        instructions: What an agent is told first.
        output_schemas: Whether `tools/list` carries them.
        token_hint: Returns why a client's server has no token, by the name of the client; empty where it has one.
    """

    executor: Executor
    library: Library
    prompts: Sequence[tuple[Prompts, Contribution, Scope]]
    places: Places
    check_forge: Callable[[str], None]
    jobs: Jobs
    routes: Sequence[Mounted]
    announcements: Announcements
    upstreams: Callable[[], Sequence[Upstream]]
    shares: Callable[[], bool | None]
    running: Callable[[], AbstractAsyncContextManager[None]]
    failed_services: Callable[[], Sequence[str]]
    instructions: str = ""
    output_schemas: bool = False
    token_hint: Callable[[str], str] = lambda _: ""
