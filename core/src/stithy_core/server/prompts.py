"""Prompts on the wire: whatever the plugins' providers have at the moment."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.plugins.providing import listed, made
from stithy_core.sanitize import sendable
from stithy_core.server.calls import RequestContext
from stithy_core.server.contents import Contents
from stithy_core.server.paging import paged
from stithy_core.server.providers import completed, read
from stithy_core.server.sessions import session_of

if TYPE_CHECKING:
    from stithy_core.spi import Contribution, Prompt, PromptProvider


class PromptTexts:
    """The prompts of the plugins."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    @cached_property
    def _providers(self) -> list[tuple[PromptProvider, Contribution]]:
        return [
            (provider, origin)
            for offer, origin, scope in self._contents.prompts
            if (provider := made(offer.provider, origin, scope)) is not None
        ]

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `prompts/list`."""
        found: dict[str, types.Prompt] = {}
        for provider, origin in self._providers:
            for prompt in await listed(provider.list, _prompt, origin):
                found.setdefault(prompt.name, prompt)
        ordered = [found[name] for name in sorted(found)]
        rows, cursor = paged(ordered, params, "prompts/list", lambda row: row.name, self._contents.executor.cursors)
        return types.ListPromptsResult(prompts=rows, next_cursor=cursor)

    async def get(self, ctx: RequestContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Answer `prompts/get`; a prompt that begins a workflow is given its handle as the last message.

        Raises:
            MCPError: There is no such prompt, or an argument is missing: -32602.
        """
        provider, prompt, begins = await self._find(params.name)
        given = dict(params.arguments or {})
        if missing := [row.name for row in prompt.arguments or () if row.required and row.name not in given]:
            raise MCPError(types.INVALID_PARAMS, f"{params.name} needs the argument {', '.join(missing)}")

        async def filled() -> types.GetPromptResult:
            messages = list(await provider.get(params.name, given))
            if begins:
                from stithy_core.spi import PromptMessage, is_host_placeholder

                known = {name: value for name, value in given.items() if not is_host_placeholder(value)}
                added = self._contents.executor.extend_prompt(params.name, known, session_of(ctx))
                messages += map(PromptMessage, added)
            texts = [(row.role, types.TextContent(text=sendable(row.text))) for row in messages]
            return types.GetPromptResult(
                messages=[types.PromptMessage(role=role, content=text) for role, text in texts]
            )

        return await read(filled, {"name": params.name})

    async def complete(self, name: str, argument: str, value: str) -> types.CompleteResult:
        """Complete an argument of a prompt."""
        provider, _, _ = await self._find(name)
        return await completed(lambda: provider.complete(name, argument, value), {"name": name})

    async def _find(self, name: str) -> tuple[PromptProvider, types.Prompt, bool]:
        """Find a prompt, who gives it, and whether it begins a workflow."""
        for provider, origin in self._providers:
            for prompt, begins in await listed(provider.list, lambda row: (_prompt(row), row.workflow), origin):
                if prompt.name == name:
                    return provider, prompt, begins
        raise MCPError(types.INVALID_PARAMS, f"no prompt {name[:200]!r}", {"name": name})


def _prompt(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=row.name, description=row.description or None, required=row.required)
        for row in prompt.arguments
    ]
    return types.Prompt(
        name=prompt.name, title=prompt.title or None, description=prompt.description or None, arguments=arguments
    )
