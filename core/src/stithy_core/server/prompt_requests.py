"""Answers to the MCP methods of prompts, from the plugins' providers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.plugins.providing import listed, made
from stithy_core.sanitize import sendable
from stithy_core.server.contents import ServerContents
from stithy_core.server.list_pages import cut_page
from stithy_core.server.provider_requests import call_provider, complete_from
from stithy_core.server.sessions import session_key
from stithy_core.server.tool_requests import RequestContext

if TYPE_CHECKING:
    from stithy_core.spi import Contribution, Prompt, PromptProvider


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
            if (provider := made(offer.provider, origin, scope)) is not None
        ]

    async def list(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:  # noqa: ARG002 -- the SDK's signature
        """Answer `prompts/list`."""
        by_name: dict[str, types.Prompt] = {}
        for provider, origin in self._providers:
            for prompt in await listed(provider.list, _to_mcp_prompt, origin):
                by_name.setdefault(prompt.name, prompt)
        ordered = [by_name[name] for name in sorted(by_name)]
        rows, cursor = cut_page(ordered, params, "prompts/list", lambda row: row.name, self._contents.executor.cursors)
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

                values = {name: value for name, value in arguments.items() if not is_host_placeholder(value)}
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
            for prompt, has_workflow in await listed(
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
