"""Resources and prompts on the wire: whatever the plugins' providers have at the moment."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.errors import NotFound, StithyError
from stithy_core.redaction import redact
from stithy_core.server.calls import RequestContext
from stithy_core.server.contents import Contents

if TYPE_CHECKING:
    from stithy_core.spi import (
        Contribution,
        Prompt,
        PromptProvider,
        Resource,
        ResourceProvider,
        ResourceTemplate,
        Scope,
    )

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
            (offer.prefix, provider, origin)
            for offer, origin, scope in self._contents.resources
            if (provider := _made(self._contents, offer.provider, origin, scope)) is not None
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
        given = [
            row
            for _, provider, origin in self._providers
            for row in await _contained(
                provider.list, lambda row: types.Resource(uri=row.uri, name=row.name, **_said(row)), origin
            )
        ]
        return types.ListResourcesResult(resources=[own, *given])

    async def templates(
        self,
        ctx: RequestContext,  # noqa: ARG002 -- the SDK's signature
        params: types.PaginatedRequestParams | None,  # noqa: ARG002
    ) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        given = [
            row
            for _, provider, origin in self._providers
            for row in await _contained(
                provider.templates,
                lambda row: types.ResourceTemplate(uri_template=row.uri, name=row.name, **_said(row)),
                origin,
            )
        ]
        return types.ListResourceTemplatesResult(resource_templates=given)

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
            given = await provider.read(uri)
            if isinstance(given, bytes):
                return types.BlobResourceContents(uri=uri, blob=base64.b64encode(given).decode())
            return types.TextResourceContents(uri=uri, text=given)

        return types.ReadResourceResult(contents=[await _read(content, {"uri": uri})])

    def _provider_of(self, uri: str) -> ResourceProvider:
        """Find the provider with the longest prefix that fits; one without any answers for what nobody has."""
        fitting = [row for row in self._providers if uri.startswith(row[0])]
        if not fitting:
            raise MCPError(types.INVALID_PARAMS, f"no resource {uri[:200]}", {"uri": uri})
        return max(fitting, key=lambda row: len(row[0]))[1]

    async def complete(self, template: str, argument: str, value: str) -> types.CompleteResult:
        """Complete a template's variable."""
        provider = self._provider_of(template)
        return await _completed(lambda: provider.complete(template, argument, value), {"uri": template})


class PromptTexts:
    """The prompts of the plugins."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    @cached_property
    def _providers(self) -> list[tuple[PromptProvider, Contribution]]:
        return [
            (provider, origin)
            for offer, origin, scope in self._contents.prompts
            if (provider := _made(self._contents, offer.provider, origin, scope)) is not None
        ]

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `prompts/list`."""
        found: dict[str, types.Prompt] = {}
        for provider, origin in self._providers:
            for prompt in await _contained(provider.list, _prompt, origin):
                found.setdefault(prompt.name, prompt)
        return types.ListPromptsResult(prompts=[found[name] for name in sorted(found)])

    async def get(self, ctx: RequestContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `prompts/get`.

        Raises:
            MCPError: There is no such prompt, or an argument is missing: -32602.
        """
        provider, prompt = await self._find(params.name)
        given = dict(params.arguments or {})
        if missing := [row.name for row in prompt.arguments or () if row.required and row.name not in given]:
            raise MCPError(types.INVALID_PARAMS, f"{params.name} needs the argument {', '.join(missing)}")

        async def filled() -> types.GetPromptResult:
            messages = await provider.get(params.name, given)
            texts = [(row.role, types.TextContent(text=row.text)) for row in messages]
            return types.GetPromptResult(
                messages=[types.PromptMessage(role=role, content=text) for role, text in texts]
            )

        return await _read(filled, {"name": params.name})

    async def complete(self, name: str, argument: str, value: str) -> types.CompleteResult:
        """Complete an argument of a prompt."""
        provider, _ = await self._find(name)
        return await _completed(lambda: provider.complete(name, argument, value), {"name": name})

    async def _find(self, name: str) -> tuple[PromptProvider, types.Prompt]:
        for provider, origin in self._providers:
            for prompt in await _contained(provider.list, _prompt, origin):
                if prompt.name == name:
                    return provider, prompt
        raise MCPError(types.INVALID_PARAMS, f"no prompt {name[:200]!r}", {"name": name})


def _made(contents: Contents, provider: object, origin: Contribution, scope: Scope) -> Any:
    """Make a provider; one that cannot be made is left out, and the others' lists are served."""
    try:
        return contents.resolve(provider)(scope)
    except (Exception, SystemExit):
        log.exception("a provider of %s cannot be made", origin)
        return None


async def _contained(
    list_them: Callable[[], Awaitable[Sequence[Any]]], show: Callable[[Any], T], origin: Contribution
) -> Sequence[T]:
    """List what one provider has; one that raises, or gives no such rows, must not take the others' rows away."""
    try:
        return [show(row) for row in await list_them()]
    except (Exception, SystemExit):
        log.exception("a provider of %s cannot list", origin)
        return ()


def _said(row: Resource | ResourceTemplate) -> dict[str, Any]:
    return {"title": row.title or None, "description": row.description or None, "mime_type": row.mime_type}


def _prompt(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=row.name, description=row.description or None, required=row.required)
        for row in prompt.arguments
    ]
    return types.Prompt(
        name=prompt.name, title=prompt.title or None, description=prompt.description or None, arguments=arguments
    )


async def _completed(complete: Callable[[], Awaitable[Sequence[str]]], data: dict[str, str]) -> types.CompleteResult:
    """Complete from what a provider gives, as far as the protocol lets it be shown."""

    async def completed() -> types.CompleteResult:
        values = list(await complete())
        shown = values[:MOST_COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )

    return await _read(completed, data)


async def _read(get: Callable[[], Awaitable[T]], data: dict[str, str]) -> T:
    """Read from a provider; what it does not know is the caller's error, what breaks in it is masked."""
    try:
        return await get()
    except NotFound as error:
        raise MCPError(types.INVALID_PARAMS, redact(error.message), data) from error
    except StithyError as error:
        raise MCPError(types.INTERNAL_ERROR, redact(error.message), data) from error
    except (Exception, SystemExit) as error:
        log.exception("a provider failed")
        raise MCPError(types.INTERNAL_ERROR, "a provider failed; the server's log has the cause", data) from error
