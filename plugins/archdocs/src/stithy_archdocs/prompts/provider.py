"""The prompts as the server asks for them."""

from collections.abc import Mapping, Sequence

import anyio.to_thread

from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.prompts.book import PromptBook
from stithy_archdocs.prompts.completing import values_of
from stithy_archdocs.prompts.expansion import PLACEHOLDER, Expansion
from stithy_archdocs.prompts.records import Template
from stithy_core.spi import InvalidArguments, NotFound, Prompt, PromptArgument, PromptMessage, PromptProvider, Scope

_HANDLE = "workflow_handle"


class ArchitecturePrompts(PromptProvider):
    """Prompts of files and built-in ones."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._library = scope.shared(Library)
        self._book = scope.shared(PromptBook)

    async def list(self) -> Sequence[Prompt]:
        """Give the prompts."""
        edition = await anyio.to_thread.run_sync(self._book.now)
        return [self._shown(template) for template in edition.templates.values()]

    async def get(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        """Fill one prompt in."""
        edition = await anyio.to_thread.run_sync(self._book.now)
        template = edition.templates.get(name)
        if template is None:
            raise NotFound(f"no prompt {name[:100]!r}", suggestion="prompts/list says what is there")
        _check(template, arguments)
        expansion = Expansion(template, arguments, await self._library.shelf(), self.scope)
        return [PromptMessage(expansion.fill(message.text), message.role) for message in template.messages]

    async def complete(self, prompt: str, argument: str, value: str) -> Sequence[str]:  # noqa: ARG002 -- the base class's signature
        """Give values that begin with what was typed."""
        return values_of(await self._library.shelf(), argument, value)

    def _shown(self, template: Template) -> Prompt:
        arguments = [
            PromptArgument(name=one.name, description=one.description, required=one.required)
            for one in template.arguments
        ]
        begins = self._names_a_taker(template) if template.workflow is None else template.workflow
        return Prompt(
            name=template.name,
            title=template.title,
            description=template.description,
            arguments=tuple(arguments),
            workflow=begins,
        )

    def _names_a_taker(self, template: Template) -> bool:
        """Say whether a prompt names a tool that takes part in workflows."""
        tools = [found["tool"] for message in template.messages for found in PLACEHOLDER.finditer(message.text)]
        cards = [card for tool in tools if tool and (card := self.scope.tool(tool))]
        return any(_HANDLE in card.input.get("properties", {}) for card in cards)


def _check(template: Template, arguments: Mapping[str, str]) -> None:
    for argument in template.arguments:
        if len(arguments.get(argument.name, "")) > argument.longest:
            raise InvalidArguments(
                f"{argument.name} has more than {argument.longest} characters", suggestion="Give less of it."
            )
