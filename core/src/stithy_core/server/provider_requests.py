"""Answers to the MCP methods of resources and prompts; failures of the plugins' providers become MCP errors."""

from __future__ import annotations

import base64
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import mcp_types as types
from attrs import frozen
from mcp.shared.exceptions import MCPError

from stithy_core.errors import InvalidArguments, NotFound, StithyError
from stithy_core.plugins import hook_calls
from stithy_core.plugins.document_library import BYTES, JSON, STATISTICS, TEXT
from stithy_core.plugins.hook_calls import call_listing, create_provider, list_rows
from stithy_core.redaction import redact
from stithy_core.sanitize import sendable
from stithy_core.server.contents import ServerContents
from stithy_core.server.tool_requests import RequestContext, cursor_error, session_key
from stithy_core.spi.faults import ends_caller
from stithy_core.tools import Cursors
from stithy_core.tools.cursors import Position

if TYPE_CHECKING:
    from stithy_core.plugins.document_library import DocumentSource
    from stithy_core.spi import (
        Content,
        Contribution,
        Prompt,
        PromptProvider,
        Resource,
        ResourceProvider,
        ResourceTemplate,
    )

T = TypeVar("T")

PAGE = 200


def cut_page(
    rows: Sequence[T],
    params: types.PaginatedRequestParams | None,
    method: str,
    keys: Sequence[str],
    cursors: Cursors,
) -> tuple[list[T], str | None]:
    """Return the requested page, and the cursor of the next one; None on the last page.

    Args:
        rows: The whole list, as it is now.
        params: The request's parameters; without a cursor the page is the first.
        method: The MCP method; cursors of one method are invalid for all others.
        keys: What identifies each row.
        cursors: Creates and reads cursors.

    Raises:
        MCPError: The cursor is invalid: -32602, as the MCP specification requires.
    """
    begin = _read_cursor(params.cursor, method, cursors).behind(keys) if params and params.cursor else 0
    end = min(begin + PAGE, len(rows))
    more = begin < end < len(rows)
    return list(rows[begin:end]), cursors.mint(Position.at(end, keys.__getitem__), method, {}) if more else None


def _read_cursor(cursor: str, method: str, cursors: Cursors) -> Position:
    try:
        return cursors.read(cursor, method, {})
    except InvalidArguments as error:
        raise cursor_error(method) from error


log = logging.getLogger("stithy.server")

MOST_COMPLETIONS = 100


async def complete_from(complete: Callable[[], Awaitable[Sequence[str]]], data: dict[str, str]) -> types.CompleteResult:
    """Return a provider's completions, as many as the protocol allows.

    Args:
        complete: Calls the provider.
        data: What identifies the request, for errors.

    Raises:
        MCPError: As for `call_provider`.
    """

    async def answer() -> types.CompleteResult:
        values = list(await complete())
        shown = [sendable(value) for value in values[:MOST_COMPLETIONS]]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )

    return await call_provider(answer, data)


async def call_provider(call: Callable[[], Awaitable[T]], data: dict[str, str]) -> T:
    """Call a provider.

    Args:
        call: Calls the provider.
        data: What identifies the request, for errors.

    Raises:
        MCPError: -32602 for what the provider does not know or does not accept; -32603 if it fails, without its text.
    """
    try:
        with anyio.fail_after(hook_calls.PROVIDER_SECONDS):
            return await call()
    except StithyError as error:
        is_callers = isinstance(error, NotFound | InvalidArguments)
        code = types.INVALID_PARAMS if is_callers else types.INTERNAL_ERROR
        raise MCPError(code, *_format_error(error, data)) from error
    except TimeoutError as error:
        log.exception("a provider is too slow")
        text = f"a provider took longer than {hook_calls.PROVIDER_SECONDS:.0f} seconds; retry"
        raise MCPError(types.INTERNAL_ERROR, text, data) from error
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider failed")
        raise MCPError(types.INTERNAL_ERROR, "a provider failed; the server's log has the cause", data) from error


def _format_error(error: StithyError, data: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return message and data of an error. Hosts show the message alone, so it includes the suggestion."""
    if not error.suggestion:
        return redact(error.message), data
    suggestion = redact(error.suggestion)
    return f"{redact(error.message).rstrip('.')}. {suggestion}", {**data, "suggestion": suggestion}


@frozen
class _ListedResources:
    """The resources of one provider, with the URI of each."""

    rows: Sequence[Resource]
    keys: Sequence[str]


def _describe_statistics() -> Resource:
    from stithy_core.spi import Resource

    return Resource(
        uri=STATISTICS,
        name="statistics",
        title="Calls of this server",
        description="How often each tool was called, failed and timed out, and how long it took",
        mime_type=JSON,
    )


def _convert_resources(rows: Sequence[Resource]) -> list[types.Resource]:
    """Return resources as MCP has them; an invalid one is left out and logged."""
    made = []
    for row in rows:
        try:
            made.append(types.Resource(uri=row.uri, name=row.name, **_describe(row)))
        except (AttributeError, ValueError):
            log.exception("invalid resource %r", row)
    return made


class ResourceRequests:
    """Answers for the server's own statistics and the plugins' resources.

    Args:
        contents: What the server serves.
    """

    def __init__(self, contents: ServerContents) -> None:
        self._contents = contents
        self._listed: dict[tuple[str, str], _ListedResources] = {}

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `resources/list`; only the rows of the page are converted."""
        listed = [await self._list_source(source) for source in self._contents.library.sources]
        rows = list(chain.from_iterable(one.rows for one in listed))
        keys = [STATISTICS, *chain.from_iterable(one.keys for one in listed)]
        page, cursor = cut_page(
            [_describe_statistics(), *rows], params, "resources/list", keys, self._contents.executor.cursors
        )
        return types.ListResourcesResult(resources=_convert_resources(page), next_cursor=cursor)

    async def _list_source(self, source: DocumentSource) -> _ListedResources:
        """Return the resources of one provider; the keys of a tuple that it returns again are read once."""

        async def list_known() -> _ListedResources:
            given = await source.provider.list()
            name = (source.prefix, source.origin.distribution)
            known = self._listed.get(name)
            if known is None or known.rows is not given or not isinstance(given, tuple):
                known = self._listed[name] = _ListedResources(given, [row.uri for row in given])
            return known

        return await call_listing(list_known, source.origin, _ListedResources((), ()))

    async def templates(
        self,
        ctx: RequestContext,  # noqa: ARG002 -- the SDK's signature
        params: types.PaginatedRequestParams | None,
    ) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        rows = [
            row
            for source in self._contents.library.sources
            for row in await list_rows(
                source.provider.templates,
                lambda row: types.ResourceTemplate(uri_template=row.uri, name=row.name, **_describe(row)),
                source.origin,
            )
        ]
        keys = [row.uri_template for row in rows]
        page, cursor = cut_page(rows, params, "resources/templates/list", keys, self._contents.executor.cursors)
        return types.ListResourceTemplatesResult(resource_templates=page, next_cursor=cursor)

    async def read(self, ctx: RequestContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `resources/read`.

        Raises:
            MCPError: The resource is unknown: -32602 with its URI.
        """
        uri = str(params.uri)
        if uri == STATISTICS:
            text = self._contents.library.statistics()
            return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON, text=text)])
        provider = self._find_provider(uri)

        async def read_content() -> types.TextResourceContents | types.BlobResourceContents:
            return _to_mcp_content(uri, await provider.read(uri))

        return types.ReadResourceResult(contents=[await call_provider(read_content, {"uri": uri})])

    def _find_provider(self, uri: str) -> ResourceProvider:
        """Return the provider of a URI.

        Raises:
            MCPError: No plugin provides it: -32602 with the URI.
        """
        source = self._contents.library.find_source(uri)
        if source is None:
            raise MCPError(types.INVALID_PARAMS, f"unknown resource {uri[:200]!r}", {"uri": uri})
        return source.provider

    async def complete(self, template: str, argument: str, value: str) -> types.CompleteResult:
        """Answer `completion/complete` for a template's variable."""
        provider = self._find_provider(template)
        return await complete_from(lambda: provider.complete(template, argument, value), {"uri": template})


def _to_mcp_content(
    uri: str, content: str | bytes | Content
) -> types.TextResourceContents | types.BlobResourceContents:
    """Return a provider's content as MCP content, with its MIME type."""
    body, kind = (content, "") if isinstance(content, str | bytes) else (content.body, content.mime_type)
    if isinstance(body, bytes):
        return types.BlobResourceContents(uri=uri, mime_type=kind or BYTES, blob=base64.b64encode(body).decode())
    return types.TextResourceContents(uri=uri, mime_type=kind or TEXT, text=sendable(body))


def _describe(row: Resource | ResourceTemplate) -> dict[str, Any]:
    return {"title": row.title or None, "description": row.description or None, "mime_type": row.mime_type}


class PromptRequests:
    """Answers for the plugins' prompts.

    Args:
        contents: What the server serves.
    """

    def __init__(self, contents: ServerContents) -> None:
        self._contents = contents

    @cached_property
    def _providers(self) -> list[tuple[PromptProvider, Contribution]]:
        return [
            (provider, origin)
            for offer, origin, scope in self._contents.prompts
            if (provider := create_provider(offer.provider, origin, scope)) is not None
        ]

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `prompts/list`."""
        by_name: dict[str, types.Prompt] = {}
        for provider, origin in self._providers:
            for prompt in await list_rows(provider.list, _to_mcp_prompt, origin):
                by_name.setdefault(prompt.name, prompt)
        ordered = [by_name[name] for name in sorted(by_name)]
        rows, cursor = cut_page(ordered, params, "prompts/list", sorted(by_name), self._contents.executor.cursors)
        return types.ListPromptsResult(prompts=rows, next_cursor=cursor)

    async def get(self, ctx: RequestContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Answer `prompts/get`; the last message of a prompt that begins a workflow is the workflow's handle.

        Raises:
            MCPError: The prompt is unknown, or a required argument is missing: -32602.
        """
        provider, prompt, has_workflow = await self._find(params.name)
        arguments = dict(params.arguments or {})
        if missing := [row.name for row in prompt.arguments or () if row.required and row.name not in arguments]:
            raise MCPError(types.INVALID_PARAMS, f"prompt {params.name!r} requires the argument {', '.join(missing)}")

        async def render() -> types.GetPromptResult:
            messages = list(await provider.get(params.name, arguments))
            if has_workflow:
                from stithy_core.spi import PromptMessage, is_host_placeholder

                count = len(prompt.arguments or ())
                values = {name: value for name, value in arguments.items() if not is_host_placeholder(value, count)}
                added = self._contents.executor.extend_prompt(params.name, values, session_key(ctx))
                messages += map(PromptMessage, added)
            texts = [(row.role, types.TextContent(text=sendable(row.text))) for row in messages]
            return types.GetPromptResult(
                messages=[types.PromptMessage(role=role, content=text) for role, text in texts]
            )

        return await call_provider(render, {"name": params.name})

    async def complete(self, name: str, argument: str, value: str) -> types.CompleteResult:
        """Answer `completion/complete` for an argument of a prompt."""
        provider, _, _ = await self._find(name)
        return await complete_from(lambda: provider.complete(name, argument, value), {"name": name})

    async def _find(self, name: str) -> tuple[PromptProvider, types.Prompt, bool]:
        """Return a prompt's provider, the prompt, and whether it begins a workflow.

        Raises:
            MCPError: The prompt is unknown: -32602 with its name.
        """
        for provider, origin in self._providers:
            for prompt, has_workflow in await list_rows(
                provider.list, lambda row: (_to_mcp_prompt(row), row.workflow), origin
            ):
                if prompt.name == name:
                    return provider, prompt, has_workflow
        raise MCPError(types.INVALID_PARAMS, f"unknown prompt {name[:200]!r}", {"name": name})


def _to_mcp_prompt(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=row.name, description=row.description or None, required=row.required)
        for row in prompt.arguments
    ]
    return types.Prompt(
        name=prompt.name, title=prompt.title or None, description=prompt.description or None, arguments=arguments
    )
