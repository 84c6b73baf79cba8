"""The tools, resources and prompts that the MCP conformance suite asks a server for, as a plugin of stithy.

What a plugin cannot offer is missing here and stands in `expected-failures.yaml` with the reason.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import anyio
from attrs import frozen

from stithy_core.spi import (
    Changed,
    Content,
    Context,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptProvider,
    Prompts,
    Rejected,
    Resource,
    ResourceProvider,
    Resources,
    ResourceTemplate,
    ToolSpec,
    hookimpl,
)

STITHY_API = 1
PROGRESS_EVERY = 0.11
"""Seconds: what comes faster than ten times a second is not sent, and the suite wants all of it."""

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


@frozen
class Nothing:
    """No arguments."""


@frozen
class Text:
    """A result that is nothing but its text."""

    text: str

    def render(self) -> Iterator[str]:
        yield self.text


async def simple(ctx: Context, args: Nothing) -> Text:
    return Text("This is a simple text response for testing.")


async def fails(ctx: Context, args: Nothing) -> Text:
    raise Rejected("This tool intentionally returns an error for testing")


async def progress(ctx: Context, args: Nothing) -> Text:
    for done in (0, 50, 100):
        await ctx.progress(done, 100, f"Completed step {done} of 100")
        await anyio.sleep(PROGRESS_EVERY)
    return Text("All steps are done.")


async def logs(ctx: Context, args: Nothing) -> Text:
    ctx.log.warning("what a tool logs goes to standard error")
    return Text("It was logged.")


async def tools_change(ctx: Context, args: Nothing) -> Text:
    await ctx.changed(Changed("tools"))
    return Text("The tools changed.")


async def prompts_change(ctx: Context, args: Nothing) -> Text:
    await ctx.changed(Changed("prompts"))
    return Text("The prompts changed.")


TOOLS = {
    "test_simple_text": simple,
    "test_error_handling": fails,
    "test_tool_with_progress": progress,
    "test_logging_tool": logs,
    "test_trigger_tool_change": tools_change,
    "test_trigger_prompt_change": prompts_change,
}


@hookimpl
def stithy_tools() -> list[ToolSpec[Any]]:
    return [
        ToolSpec(name=name, title=name, description="For the conformance suite.", input=Nothing, handler=handler)
        for name, handler in TOOLS.items()
    ]


class Documents(ResourceProvider):
    """Texts, bytes and a family of documents."""

    async def list(self) -> list[Resource]:
        return [
            Resource(uri="test://static-text", name="text", description="A text", mime_type="text/plain"),
            Resource(uri="test://static-binary", name="image", description="An image", mime_type="image/png"),
            Resource(uri="test://watched-resource", name="watched", description="One that changes"),
        ]

    async def templates(self) -> Sequence[ResourceTemplate]:
        uri = "test://template/{id}/data"
        return [ResourceTemplate(uri=uri, name="template", description="By id", mime_type="application/json")]

    async def read(self, uri: str) -> str | Content:
        if uri == "test://static-binary":
            return Content(PNG, "image/png")
        if uri in {"test://static-text", "test://watched-resource"}:
            return "This is the content of the static text resource."
        if uri.startswith("test://template/") and uri.endswith("/data"):
            number = uri.removeprefix("test://template/").removesuffix("/data")
            text = json.dumps({"id": number, "templateTest": True, "data": f"Data for ID: {number}"})
            return Content(text, "application/json")
        return await super().read(uri)


class Texts(PromptProvider):
    """Prompts of text, one with arguments."""

    async def list(self) -> list[Prompt]:
        arguments = tuple(PromptArgument(name=name, description=name, required=True) for name in ("arg1", "arg2"))
        return [
            Prompt(name="test_simple_prompt", description="Without arguments"),
            Prompt(name="test_prompt_with_arguments", description="With arguments", arguments=arguments),
        ]

    async def get(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        if name == "test_simple_prompt":
            return [PromptMessage("This is a simple prompt for testing.")]
        return [PromptMessage(f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'")]

    async def complete(self, prompt: str, argument: str, value: str) -> Sequence[str]:
        return [word for word in ("paris", "park", "party") if word.startswith(value)]


@hookimpl
def stithy_resources() -> list[Resources]:
    return [Resources(prefix="test://", provider=Documents)]


@hookimpl
def stithy_prompts() -> list[Prompts]:
    return [Prompts(provider=Texts)]
