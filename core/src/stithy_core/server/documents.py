"""Resources on the wire: whatever the plugins' providers have at the moment."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.plugins.library import BYTES, TEXT
from stithy_core.plugins.providing import listed
from stithy_core.sanitize import sendable
from stithy_core.server.calls import RequestContext
from stithy_core.server.contents import Contents
from stithy_core.server.paging import paged
from stithy_core.server.providers import completed, read

if TYPE_CHECKING:
    from stithy_core.spi import Content, Resource, ResourceProvider, ResourceTemplate

STATISTICS = "stithy://statistics"
JSON = "application/json"


class Documents:
    """The resources: the server's own statistics, and the plugins'."""

    def __init__(self, contents: Contents) -> None:
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
        given = [
            row
            for shelf in self._contents.library.shelves
            for row in await listed(
                shelf.provider.list, lambda row: types.Resource(uri=row.uri, name=row.name, **_said(row)), shelf.origin
            )
        ]
        rows, cursor = paged(
            [own, *given], params, "resources/list", lambda row: row.uri, self._contents.executor.cursors
        )
        return types.ListResourcesResult(resources=rows, next_cursor=cursor)

    async def templates(
        self,
        ctx: RequestContext,  # noqa: ARG002 -- the SDK's signature
        params: types.PaginatedRequestParams | None,
    ) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        given = [
            row
            for shelf in self._contents.library.shelves
            for row in await listed(
                shelf.provider.templates,
                lambda row: types.ResourceTemplate(uri_template=row.uri, name=row.name, **_said(row)),
                shelf.origin,
            )
        ]
        rows, cursor = paged(
            given, params, "resources/templates/list", lambda row: row.uri_template, self._contents.executor.cursors
        )
        return types.ListResourceTemplatesResult(resource_templates=rows, next_cursor=cursor)

    async def read(self, ctx: RequestContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `resources/read`.

        Raises:
            MCPError: There is no such resource: -32602 with its URI.
        """
        uri = str(params.uri)
        if uri == STATISTICS:
            text = json.dumps(self._contents.executor.statistics.as_dict())
            return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=JSON, text=text)])
        provider = self._provider_of(uri)

        async def content() -> types.TextResourceContents | types.BlobResourceContents:
            return _content(uri, await provider.read(uri))

        return types.ReadResourceResult(contents=[await read(content, {"uri": uri})])

    def _provider_of(self, uri: str) -> ResourceProvider:
        """Find the provider of a URI; one without any answers for what nobody has."""
        shelf = self._contents.library.shelf_of(uri)
        if shelf is None:
            raise MCPError(types.INVALID_PARAMS, f"no resource {uri[:200]}", {"uri": uri})
        return shelf.provider

    async def complete(self, template: str, argument: str, value: str) -> types.CompleteResult:
        """Complete a template's variable."""
        provider = self._provider_of(template)
        return await completed(lambda: provider.complete(template, argument, value), {"uri": template})


def _content(uri: str, given: str | bytes | Content) -> types.TextResourceContents | types.BlobResourceContents:
    """Show what was read, with its kind."""
    body, kind = (given, "") if isinstance(given, str | bytes) else (given.body, given.mime_type)
    if isinstance(body, bytes):
        return types.BlobResourceContents(uri=uri, mime_type=kind or BYTES, blob=base64.b64encode(body).decode())
    return types.TextResourceContents(uri=uri, mime_type=kind or TEXT, text=sendable(body))


def _said(row: Resource | ResourceTemplate) -> dict[str, Any]:
    return {"title": row.title or None, "description": row.description or None, "mime_type": row.mime_type}
