"""Answers to the MCP methods of resources, from the plugins' providers."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.plugins.library import BYTES, TEXT
from stithy_core.plugins.providing import listed
from stithy_core.sanitize import sendable
from stithy_core.server.contents import ServerContents
from stithy_core.server.list_pages import cut_page
from stithy_core.server.provider_requests import call_provider, complete_from
from stithy_core.server.tool_requests import RequestContext

if TYPE_CHECKING:
    from stithy_core.spi import Content, Resource, ResourceProvider, ResourceTemplate

STATISTICS = "stithy://statistics"
JSON = "application/json"


class ResourceRequests:
    """Answers for the server's own statistics and the plugins' resources.

    Args:
        contents: What the server serves.
    """

    def __init__(self, contents: ServerContents) -> None:
        self._contents = contents

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `resources/list`."""
        own = types.Resource(
            uri=STATISTICS,
            name="statistics",
            title="Calls of this server",
            description="How often each tool was called, failed and timed out, and how long it took",
            mime_type=JSON,
        )
        rows = [
            row
            for shelf in self._contents.library.shelves
            for row in await listed(
                shelf.provider.list,
                lambda row: types.Resource(uri=row.uri, name=row.name, **_describe(row)),
                shelf.origin,
            )
        ]
        page, cursor = cut_page(
            [own, *rows], params, "resources/list", lambda row: row.uri, self._contents.executor.cursors
        )
        return types.ListResourcesResult(resources=page, next_cursor=cursor)

    async def templates(
        self,
        ctx: RequestContext,  # noqa: ARG002 -- the SDK's signature
        params: types.PaginatedRequestParams | None,
    ) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        rows = [
            row
            for shelf in self._contents.library.shelves
            for row in await listed(
                shelf.provider.templates,
                lambda row: types.ResourceTemplate(uri_template=row.uri, name=row.name, **_describe(row)),
                shelf.origin,
            )
        ]
        page, cursor = cut_page(
            rows, params, "resources/templates/list", lambda row: row.uri_template, self._contents.executor.cursors
        )
        return types.ListResourceTemplatesResult(resource_templates=page, next_cursor=cursor)

    async def read(self, ctx: RequestContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `resources/read`.

        Raises:
            MCPError: The resource is unknown: -32602 with its URI.
        """
        uri = str(params.uri)
        if uri == STATISTICS:
            text = json.dumps(self._contents.executor.statistics.as_dict())
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
        shelf = self._contents.library.shelf_of(uri)
        if shelf is None:
            raise MCPError(types.INVALID_PARAMS, f"unknown resource {uri[:200]!r}", {"uri": uri})
        return shelf.provider

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
