"""Answers to the MCP methods of tools, the identity of callers, and the preparation of first calls."""

import gc
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from attrs import evolve
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from stithy_core.agent_hosts import find_host
from stithy_core.errors import ToolNotFound
from stithy_core.sanitize import sendable
from stithy_core.server.contents import ServerContents
from stithy_core.spi import Effects, ToolAnswer
from stithy_core.spi.call_state import token_identity
from stithy_core.tools import Tool
from stithy_core.tools.schema import HINTS

SEARCH_HINT = "anthropic/searchHint"
"""Key in the `_meta` of a tool for words that a host's search for tools finds it by."""
FIRST_PAUSE = 0.25
"""Seconds after `tools/list`, in which hosts send further requests of a start."""
PAUSE = 0.002
"""Seconds between two steps, so that a request that has arrived begins before the next one."""
CALLER_KEY = "stithy.caller"
"""Key in the ASGI scope of a request under which a transport stores the caller's name or address."""


def session_key(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """Return the identity of a caller: its name or address, and a hash of the forge tokens that it sends.

    A gateway may send the requests of many callers with one bearer token, and a forge token for each. A session id of
    the client's does not count: the server issues none. None is the one user of standard input and output.
    """
    if ctx.request is None:
        return None
    return f"{ctx.request.scope[CALLER_KEY]} {token_identity()}"


RequestContext = ServerRequestContext[Any, Any]

log = logging.getLogger("stithy.server")


APPS = "io.modelcontextprotocol/ui"
"""The MCP extension for pages of tools."""
APP_TYPE = "text/html;profile=mcp-app"


def supports_apps(ctx: RequestContext) -> bool:
    """Return whether the client announced that it shows pages of tools.

    `mcp.server.apps` has the same check, and imports the SDK's high-level server.
    """
    capabilities = ctx.session.client_capabilities
    settings = (capabilities.extensions or {}).get(APPS) if capabilities else None
    return settings is not None and APP_TYPE in settings.get("mimeTypes", ())


class IdlePreparation:
    """Runs steps in a thread once the tools were listed, and none while a call runs.

    The model of an idle client thinks for a second or more before it calls a tool. Without these steps, the first call
    of a session takes a quarter of a second of CPU longer than later ones.

    No request waits for it, unless it needs the very module that is being imported.

    Args:
        steps: Returns the steps. One that fails is left to the call that needs it.
    """

    def __init__(self, steps: Callable[[], Iterable[Callable[[], object]]]) -> None:
        self._steps = steps
        self._calls = 0
        self._listed = anyio.Event()
        self._ended = anyio.Event()

    def allow(self) -> None:
        """Allow the first step: the client knows the tools."""
        self._listed.set()

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Run no step within the block, in which a call runs."""
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._ended.set()
                self._ended = anyio.Event()

    async def run(self) -> None:
        """Run all steps, then exclude what they created from garbage collection: it lives as long as the server."""
        await self._listed.wait()
        await anyio.sleep(FIRST_PAUSE)
        for step in self._steps():
            while self._calls:
                await self._ended.wait()
            try:
                await anyio.to_thread.run_sync(_take_step, step, abandon_on_cancel=True)
            except RuntimeError as error:  # the system has no thread left
                log.info("cannot prepare first calls: %s", error)
                return
            await anyio.sleep(PAUSE)
        gc.freeze()


def _take_step(step: Callable[[], object]) -> None:
    try:
        step()
    except BaseException as error:  # noqa: BLE001 -- a plugin's import may raise anything, and this thread has no user
        log.debug("a first call was not prepared: %s", type(error).__name__)


class ToolRequests:
    """Answers `tools/list`, the same for every caller but for the views, and `tools/call`.

    Args:
        contents: What the server serves.
        remote: Whether callers may be on other machines.

    Attributes:
        preparation: Prepares first calls; it does nothing until it is run.
    """

    def __init__(self, contents: ServerContents, *, remote: bool = False) -> None:
        self._executor = contents.executor
        self._token_hint = contents.token_hint
        # A schema of results promises an object.
        self._answers = "both" if contents.output_schemas else contents.answers
        self._has_hinted = False
        self.preparation = IdlePreparation(contents.preparations)
        served = self._executor.registry.tools
        self._tools = {name: tool.remote if remote else tool for name, tool in served.items()}
        tools = self._tools.values()
        self._views = contents.views
        self._list = types.ListToolsResult(tools=[_to_mcp_tool(tool, output=contents.output_schemas) for tool in tools])

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Answer `tools/list`, always with one page: some hosts request only the first.

        Raises:
            MCPError: The request has a cursor; no answer had one.
        """
        refuse_cursor(params, "tools/list")
        self.preparation.allow()
        return self._list_with_views if self._views and supports_apps(ctx) else self._list

    @cached_property
    def _list_with_views(self) -> types.ListToolsResult:
        """The list for clients that show pages of tools."""
        return types.ListToolsResult(tools=[_add_view(tool, self._views.get(tool.name)) for tool in self._list.tools])

    async def call(self, ctx: RequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer `tools/call`.

        Raises:
            MCPError: The tool is unknown: -32602, as the MCP specification requires, with our error as its data.
        """

        async def report(done: float, total: float | None, message: str) -> None:
            await ctx.session.report_progress(done, total, sendable(message))

        alone = self._sends_text_alone(ctx)
        try:
            with self.preparation.suspend():
                answer = await self._executor.call(
                    params.name, params.arguments, report, session_key(ctx), text_alone=alone
                )
        except ToolNotFound as error:
            raise MCPError(types.INVALID_PARAMS, error.message, error.as_dict()) from error
        if answer.is_error and not self._has_hinted and ctx.request is None:
            answer = self._with_token_hint(ctx, answer)
        return types.CallToolResult(
            content=[types.TextContent(text=answer.text)],
            structured_content=None if alone else dict(answer.structured),
            is_error=answer.is_error,
        )

    def _sends_text_alone(self, ctx: RequestContext) -> bool:
        """Return whether the answer to a request has no object.

        Clients without a name get both: over HTTP, those of the handshake name themselves in a request of its own.
        """
        if self._views and supports_apps(ctx):  # a page shows the object
            return False
        if self._answers != "auto":
            return self._answers == "text"
        client = ctx.session.client_params
        return client is not None and find_host(client.client_info.name) is not None

    def _with_token_hint(self, ctx: RequestContext, answer: ToolAnswer) -> ToolAnswer:
        """Return an error with the hint that the host did not pass on a token, once for each server."""
        client = ctx.session.client_params
        hint = self._token_hint(client.client_info.name) if client else ""
        self._has_hinted = bool(hint)
        return (
            evolve(answer, structured={**answer.structured, HINTS: hint}, text=f"{answer.text}\n{hint}")
            if hint
            else answer
        )

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return a tool's schema for the SDK, which would otherwise list all tools to find it."""
        tool = self._tools.get(name)
        return tool.published if tool else None


def _to_mcp_tool(tool: Tool, *, output: bool) -> types.Tool:
    effects = tool.spec.effects
    return types.Tool(
        name=tool.spec.name,
        title=tool.spec.title,
        description=tool.spec.description,
        input_schema=tool.list_schema,
        output_schema=_describe_result(tool) if output else None,
        annotations=_annotate(effects, is_open=bool(tool.spec.needs)),
        _meta={SEARCH_HINT: ", ".join(tool.spec.keywords)} if tool.spec.keywords else None,
    )


def _add_view(tool: types.Tool, uri: str | None) -> types.Tool:
    if uri is None:
        return tool
    return tool.model_copy(update={"meta": {**(tool.meta or {}), "ui": {"resourceUri": uri}}})


def _annotate(effects: Effects, *, is_open: bool) -> types.ToolAnnotations:
    """Return the hints: whether it reads, and what differs from its default; one that reads has none about writes."""
    if effects is Effects.READ:
        return types.ToolAnnotations(read_only_hint=True, open_world_hint=None if is_open else False)
    return types.ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False if effects is Effects.ADD else None,
        idempotent_hint=None if effects is Effects.ADD else True,
        open_world_hint=None if is_open else False,
    )


def _describe_result(tool: Tool) -> dict[str, Any] | None:
    """Return the schema of a tool's result; None if that fails, so that the other tools are listed."""
    try:
        return tool.output
    except Exception:
        log.exception("cannot describe the result of %s, a tool of %s", tool.spec.name, tool.origin)
        return None


def refuse_cursor(params: types.PaginatedRequestParams | None, method: str) -> None:
    """Refuse every cursor for a list that has one page.

    Raises:
        MCPError: The request has a cursor.
    """
    if params and params.cursor:
        raise cursor_error(method)


def cursor_error(method: str) -> MCPError:
    """Return the error for an invalid cursor of a list: -32602."""
    return MCPError(types.INVALID_PARAMS, f"invalid cursor for {method}; omit it to get the first page")
