"""The provider of prompts for the server."""

from collections import Counter
from collections.abc import Mapping, Sequence

import anyio.to_thread

from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.prompts.prompt_book import PromptBook
from stithy_archdocs.prompts.prompt_expansion import PLACEHOLDER, Expansion
from stithy_archdocs.prompts.prompt_models import PromptTemplate
from stithy_archdocs.rules.languages import ENDINGS
from stithy_core.spi import InvalidArguments, NotFound, Prompt, PromptArgument, PromptMessage, PromptProvider, Scope

_HANDLE = "workflow_handle"


class ArchitecturePrompts(PromptProvider):
    """Serves prompts of the project's files, and the built-in ones."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._library = scope.shared(Library)
        self._book = scope.shared(PromptBook)

    async def list(self) -> Sequence[Prompt]:
        """Return the prompts."""
        edition = await anyio.to_thread.run_sync(self._book.load)
        return [self._make_prompt(template) for template in edition.templates.values()]

    async def get(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        """Return the messages of a prompt, filled in."""
        edition = await anyio.to_thread.run_sync(self._book.load)
        template = edition.templates.get(name)
        if template is None:
            raise NotFound(f"unknown prompt {name[:100]!r}", suggestion="Call prompts/list for the available ones.")
        _check(template, arguments)
        expansion = Expansion(template, arguments, await self._library.get_snapshot(), self.scope)
        return [PromptMessage(expansion.fill(message.text), message.role) for message in template.messages]

    async def complete(self, prompt: str, argument: str, value: str) -> Sequence[str]:  # noqa: ARG002 -- signature of the base class
        """Return values that start with the input."""
        return complete_values(await self._library.get_snapshot(), argument, value)

    def _make_prompt(self, template: PromptTemplate) -> Prompt:
        arguments = [
            PromptArgument(name=one.name, description=one.description, required=one.required)
            for one in template.arguments
        ]
        begins = self._names_workflow_tool(template) if template.workflow is None else template.workflow
        return Prompt(
            name=template.name,
            title=template.title,
            description=template.description,
            arguments=tuple(arguments),
            workflow=begins,
        )

    def _names_workflow_tool(self, template: PromptTemplate) -> bool:
        """Return whether a prompt refers to a tool that takes part in workflows."""
        tools = [found["tool"] for message in template.messages for found in PLACEHOLDER.finditer(message.text)]
        cards = [card for tool in tools if tool and (card := self.scope.tool(tool))]
        return any(_HANDLE in card.input.get("properties", {}) for card in cards)


def _check(template: PromptTemplate, arguments: Mapping[str, str]) -> None:
    for argument in template.arguments:
        if len(arguments.get(argument.name, "")) > argument.longest:
            raise InvalidArguments(
                f"{argument.name} has more than {argument.longest} characters", suggestion="Pass a shorter value."
            )


MOST = 100
KINDS = {
    "pattern_name": DocumentKind.PATTERN,
    "pattern": DocumentKind.PATTERN,
    "guideline_name": DocumentKind.GUIDELINE,
    "guideline": DocumentKind.GUIDELINE,
    "adr_id": DocumentKind.ADR,
    "adr": DocumentKind.ADR,
}


def complete_values(snapshot: DocumentSnapshot, argument: str, typed: str) -> Sequence[str]:
    """Return at most 100 values: names that start with the input, then documents with another such name."""
    asked = typed.strip().lower()
    if argument == "language":
        return [name for name in ENDINGS if name.startswith(asked)]
    kind = KINDS.get(argument)
    if kind is None:
        return ()
    counts = Counter(name for document in snapshot.list_kind(kind) for name in document.names)
    named = [(get_shortest_name(document, counts), document) for document in snapshot.list_kind(kind)]
    first = [name for name, _ in named if name.lower().startswith(asked)][:MOST]
    taken = set(first)
    rest = [
        name
        for name, document in named
        if name not in taken and any(other.startswith(asked) for other in document.names)
    ]
    return (first + rest)[:MOST]


def get_shortest_name(document: Document, counts: Mapping[str, int]) -> str:
    """Return the shortest name that matches only one document: its path without suffix, with it, or its URI.

    Args:
        document: The document.
        counts: How many documents of its kind have each name.
    """
    return next((name for name in (*document.names[1:2], document.names[0]) if counts[name] == 1), document.uri)
