"""What the server serves. The app passes it in, so that this package needs neither settings nor forges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Literal

from attrs import Factory, frozen

from stithy_core.plugins import Announcements, Library
from stithy_core.tools import Executor, Jobs

if TYPE_CHECKING:
    from stithy_core.spi import Contribution, Prompts, Scope
    from stithy_core.tools.context import Places
    from stithy_core.tools.route_executor import MountedRoute


@frozen(kw_only=True)
class UpstreamStatistics:
    """The requests of this process to one forge.

    Args:
        forge: The forge's alias.
        reads: How many reads were answered in each way: `missed`, `revalidated`, `stale`, `coalesced`.
        requests: How many requests were sent, retries included.
        retries: How many requests were retries after a failure.
        withheld: How many were not sent: a rate limit was exhausted, or the circuit breaker was open.
        left: The remaining requests of each of its rate limits, as the forge last reported.
    """

    forge: str
    reads: Mapping[str, int] = Factory(dict)
    requests: int = 0
    retries: int = 0
    withheld: int = 0
    left: Mapping[str, int] = Factory(dict)


@frozen(kw_only=True)
class ServerContents:
    """Everything that one server serves.

    Args:
        executor: Runs tool calls.
        library: The plugins' documents.
        prompts: The declared providers of prompts, each with its plugin and the plugin's scope.
        places: Finds the repositories and pull requests that callers of routes name.
        check_forge: Raises `InvalidArguments` for an unknown forge alias.
        jobs: Work that outlives calls.
        routes: The plugins' HTTP routes, in the order in which paths are compared.
        views: The URIs of pages that show the answers of tools, by tool.
        announcements: The changes that plugins publish.
        upstreams: Returns the statistics of each forge that was used.
        shares: Returns whether the store that servers share answers; None without such a store.
        running: Returns the context in which background services and jobs run.
        failed_services: Returns the names of background services that failed and will be restarted.
        instructions: The instructions for agents.
        output_schemas: Whether `tools/list` contains the schemas of results.
        answers: The parts of an answer that are sent: "text" alone, "both" text and object, or "auto", which sends the
            text alone to the hosts that are known by name. With output schemas it is never the text alone.
        preparations: Returns what first calls need beyond later ones, in steps.
        token_hint: Returns why the server has no token, for the name of an MCP client; empty if it has one.
    """

    executor: Executor
    library: Library
    prompts: Sequence[tuple[Prompts, Contribution, Scope]]
    places: Places
    check_forge: Callable[[str], None]
    jobs: Jobs
    routes: Sequence[MountedRoute]
    views: Mapping[str, str]
    announcements: Announcements
    upstreams: Callable[[], Sequence[UpstreamStatistics]]
    shares: Callable[[], bool | None]
    running: Callable[[], AbstractAsyncContextManager[None]]
    failed_services: Callable[[], Sequence[str]]
    instructions: str = ""
    output_schemas: bool = False
    answers: Literal["auto", "text", "both"] = "auto"
    preparations: Callable[[], Iterable[Callable[[], object]]] = tuple
    token_hint: Callable[[str], str] = lambda _: ""
