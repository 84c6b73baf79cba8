"""Resources and prompts on the wire: whatever the plugins' providers have at the moment."""

import base64
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.errors import NotFound, StithyError
from stithy_core.redaction import redact
from stithy_core.server.calls import RequestContext
from stithy_core.server.contents import Contents
from stithy_core.spi import Contribution, PromptProvider, ResourceProvider

T = TypeVar("T")

log = logging.getLogger("stithy.server")

STATISTICS = "stithy://statistics"
JSON = "application/json"
MOST_COMPLETIONS = 100


class Documents:
    """The resources: the server's own statistics, and the plugins'."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    @cached_property
    def _providers(self) -> list[tuple[str, ResourceProvider, Contribution]]:
        made = [
            (offer.prefix, _made(self._contents, offer.provider, scope), origin)
            for offer, origin, scope in self._contents.resources
        ]
        return sorted(made, key=lambda row: (row[0], row[2].distribution))

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `resources/list`."""
        own = types.Resource(
            uri=STATISTICS,
            name="statistics",
            title="Calls of this server",
            description="How often each tool was called, failed and timed out, and how long it took",
            mime_type=JSON,
        )
        given = [row for _, provider, origin in self._providers for row in await _contained(provider.list, origin)]
        return types.ListResourcesResult(
            resources=[
                own,
                *(
                    types.Resource(
                        uri=row.uri,
                        name=row.name,
                        title=row.title or None,
                        description=row.description or None,
                        mime_type=row.mime_type,
                    )
                    for row in given
                ),
            ]
        )

    async def templates(
        self,
        ctx: RequestContext,  # noqa: ARG002 -- the SDK's signature
        params: types.PaginatedRequestParams | None,  # noqa: ARG002
    ) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        given = [row for _, provider, origin in self._providers for row in await _contained(provider.templates, origin)]
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=row.uri,
                    name=row.name,
                    title=row.title or None,
                    description=row.description or None,
                    mime_type=row.mime_type,
                )
                for row in given
            ]
        )

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
        content = await _read(lambda: provider.read(uri), {"uri": uri})
        if isinstance(content, bytes):
            blob = base64.b64encode(content).decode()
            return types.ReadResourceResult(contents=[types.BlobResourceContents(uri=uri, blob=blob)])
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text=content)])

    def _provider_of(self, uri: str) -> ResourceProvider:
        """Find the provider with the longest prefix that fits; one without any answers for what nobody has."""
        fitting = [row for row in self._providers if uri.startswith(row[0])]
        if not fitting:
            raise MCPError(types.INVALID_PARAMS, f"no resource {uri[:200]}", {"uri": uri})
        return max(fitting, key=lambda row: len(row[0]))[1]

    async def complete(self, template: str, argument: str, value: str) -> Sequence[str]:
        """Complete a template's variable."""
        provider = self._provider_of(template)
        return await _read(lambda: provider.complete(template, argument, value), {"uri": template})


class PromptTexts:
    """The prompts of the plugins."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    @cached_property
    def _providers(self) -> list[tuple[PromptProvider, Contribution]]:
        return [
            (_made(self._contents, offer.provider, scope), origin) for offer, origin, scope in self._contents.prompts
        ]

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `prompts/list`."""
        found: dict[str, types.Prompt] = {}
        for provider, origin in self._providers:
            for prompt in await _contained(provider.list, origin):
                arguments = [
                    types.PromptArgument(name=row.name, description=row.description or None, required=row.required)
                    for row in prompt.arguments
                ]
                listed = types.Prompt(
                    name=prompt.name,
                    title=prompt.title or None,
                    description=prompt.description or None,
                    arguments=arguments,
                )
                found.setdefault(prompt.name, listed)
        return types.ListPromptsResult(prompts=[found[name] for name in sorted(found)])

    async def get(self, ctx: RequestContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `prompts/get`.

        Raises:
            MCPError: There is no such prompt, or an argument is missing: -32602.
        """
        provider, prompt = await self._find(params.name)
        given = dict(params.arguments or {})
        if missing := [row.name for row in prompt.arguments if row.required and row.name not in given]:
            raise MCPError(types.INVALID_PARAMS, f"{params.name} needs the argument {', '.join(missing)}")
        messages = await _read(lambda: provider.get(params.name, given), {"name": params.name})
        return types.GetPromptResult(
            messages=[types.PromptMessage(role=row.role, content=types.TextContent(text=row.text)) for row in messages]
        )

    async def complete(self, name: str, argument: str, value: str) -> Sequence[str]:
        """Complete an argument of a prompt."""
        provider, _ = await self._find(name)
        return await _read(lambda: provider.complete(name, argument, value), {"name": name})

    async def _find(self, name: str) -> tuple[PromptProvider, Any]:
        for provider, origin in self._providers:
            for prompt in await _contained(provider.list, origin):
                if prompt.name == name:
                    return provider, prompt
        raise MCPError(types.INVALID_PARAMS, f"no prompt {name[:200]!r}", {"name": name})


def _made(contents: Contents, provider: object, scope: object) -> Any:
    return contents.resolve(provider)(scope)


async def _contained(list_them: Callable[[], Awaitable[Sequence[T]]], origin: Contribution) -> Sequence[T]:
    """List what one provider has; one that raises must not take the others' rows away."""
    try:
        return await list_them()
    except Exception:
        log.exception("a provider of %s cannot list", origin)
        return ()


async def _read(get: Callable[[], Awaitable[T]], data: dict[str, str]) -> T:
    """Read from a provider; what it does not know is the caller's error, what breaks in it is masked."""
    try:
        return await get()
    except NotFound as error:
        raise MCPError(types.INVALID_PARAMS, redact(error.message), data) from error
    except StithyError as error:
        raise MCPError(types.INTERNAL_ERROR, redact(error.message), data) from error
    except Exception as error:
        log.exception("a provider failed")
        raise MCPError(types.INTERNAL_ERROR, "a provider failed; the server's log has the cause", data) from error
