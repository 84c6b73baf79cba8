"""Filling a prompt in, in one pass: nothing that came from an argument or a document is looked at again."""

import fnmatch
import re
from collections.abc import Iterator, Mapping

from attrs import define, field

from stithy_archdocs.documents.naming import asked_of
from stithy_archdocs.prompts.cards import described
from stithy_archdocs.prompts.records import Template
from stithy_archdocs.records import Document, Shelf
from stithy_core.spi import InvalidArguments, Scope

MOST_DOCUMENTS = 50
MOST_BYTES = 1_000_000
_VARIABLE = r"\{\{\s*(?:[A-Za-z0-9_-]+)\s*\}\}"
PLACEHOLDER = re.compile(
    rf"\{{\{{\s*resource:(?P<uri>(?:[^{{}}]|{_VARIABLE})+)\}}\}}"
    r"|\{\{\s*tool:(?P<tool>[A-Za-z0-9_-]+)\s*\}\}"
    r"|\{\{\s*(?P<name>[A-Za-z0-9_-]+)\s*\}\}"
)
INNER = re.compile(r"\{\{\s*([A-Za-z0-9_-]+)\s*\}\}")


@define
class Room:
    """What is left of the limits of one prompt."""

    documents: int = MOST_DOCUMENTS
    bytes: int = MOST_BYTES


@define
class Expansion:
    """One filling of one prompt.

    Args:
        template: The prompt.
        arguments: What it was given.
        shelf: The documents.
        scope: Knows the tools.
    """

    template: Template
    arguments: Mapping[str, str]
    shelf: Shelf
    scope: Scope
    room: Room = field(factory=Room)

    def fill(self, text: str) -> str:
        """Fill one message in.

        Raises:
            InvalidArguments: An argument names a document that is not there.
        """
        return PLACEHOLDER.sub(self._one, text)

    def _one(self, found: re.Match[str]) -> str:
        if found["uri"]:
            return self._resource(found["uri"].strip())
        if found["tool"]:
            card = self.scope.tool(found["tool"])
            return described(card) if card else f"(the tool {found['tool']} is not served here)"
        return self._variable(found["name"], found[0])

    def _variable(self, name: str, written: str) -> str:
        """Give an argument's value: empty where it was left out, as it stands where there is no such argument."""
        known = {argument.name for argument in self.template.arguments}
        return self.arguments.get(name, "") if name in known else written

    def _resource(self, written: str) -> str:
        names = INNER.findall(written)
        uri = INNER.sub(lambda found: self._variable(found[1], found[0]), written)
        if names and not all(self.arguments.get(name) for name in names):
            return ""
        found = matching(self.shelf, uri, wild="*" in written)
        if not found and names:
            raise InvalidArguments(
                f"no document {uri[:200]}", suggestion=f"Give another {names[0]}; it can be completed."
            )
        if not found and "*" not in written:
            return f"({written} is not there)"
        if len(found) > 1 and "*" not in written:
            uris = ", ".join(document.uri for document in found[:10])
            raise InvalidArguments(f"{uri[:200]} may mean several documents: {uris}", suggestion="Give one of these.")
        return "\n\n".join(self._embedded(found, several="*" in written))

    def _embedded(self, documents: list[Document], *, several: bool) -> Iterator[str]:
        left = []
        for document in documents:
            size = len(document.text.encode(errors="replace"))
            if self.room.documents < 1 or size > self.room.bytes:
                left.append(document.uri)
                continue
            self.room.documents -= 1
            self.room.bytes -= size
            yield f"[{document.uri}]\n\n{document.text}" if several else document.text
        if left:
            named = ", ".join(left[:20]) + (f" and {len(left) - 20} more" if len(left) > 20 else "")  # noqa: PLR2004
            yield (
                f"({len(left)} documents are left out: a prompt holds at most {MOST_DOCUMENTS} of them and"
                f" {MOST_BYTES:,} bytes. Read them by their URIs: {named})"
            )


def matching(shelf: Shelf, uri: str, *, wild: bool) -> list[Document]:
    """Give the documents that a reference means; only a `*` of the prompt itself means many."""
    exact = [document for document in shelf.documents.values() if document.uri == uri]
    asked = asked_of(uri)
    if exact or asked is None:
        return exact
    kind, name = asked
    if not wild:
        return list(shelf.named(kind, name))
    pattern = re.compile(fnmatch.translate(name.lower()))
    return [document for document in shelf.of(kind) if any(pattern.match(one) for one in document.names[:2])]
