"""Filling a prompt in, in one pass: nothing that came from an argument or a document is looked at again."""

import fnmatch
import re
from collections.abc import Iterator, Mapping

from attrs import define, field

from stithy_archdocs.documents.naming import asked_of
from stithy_archdocs.prompts.cards import described
from stithy_archdocs.prompts.records import Template
from stithy_archdocs.records import Document, Kind, Shelf
from stithy_core.spi import Scope, is_host_placeholder

MOST_DOCUMENTS = 50
MOST_BYTES = 1_000_000
SHOWN = 200
"""Characters of a URI or an argument that a message repeats."""
NOUNS = {Kind.GUIDELINE: "guideline", Kind.PATTERN: "pattern", Kind.ADR: "record"}
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
        """Fill one message in; what an argument names and is not there is written in its place."""
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
        if any(is_host_placeholder(self.arguments[name]) for name in names):
            return f"(Not looked up yet. Where a name stands at the end of this URI, read it: {uri[:SHOWN]})"
        found = matching(self.shelf, uri, wild="*" in written)
        if not found:
            return self._absence(uri, names)
        if len(found) > 1 and "*" not in written:
            uris = ", ".join(document.uri for document in found[:10])
            return f"({uri[:SHOWN]} may mean several documents: {uris}. Read the one that is meant.)"
        return "\n\n".join(self._embedded(found, several="*" in written))

    def _absence(self, uri: str, names: list[str]) -> str:
        """Write that no document has a URI, into the text: hosts show their users an error without its cause."""
        asked = asked_of(uri)
        kind = NOUNS[asked[0]] if asked else "document"
        unread = f"; {self._unread()}" if self.shelf.unread else ""
        said = f"(no such {kind} here: {uri[:SHOWN]}{unread}."
        given = [value for one in self.template.arguments if (value := self.arguments.get(one.name, ""))]
        if names and len(given) > 1 and not any(" " in value for value in given):
            split = " ".join(given)
            said += f" The host may have split one argument at its spaces: {split[:SHOWN]!r}."
        return f"{said})"

    def _unread(self) -> str:
        return f"{self.shelf.unread} documents are not read yet, get this prompt again later"

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
        if several and self.shelf.unread:
            yield f"({self._unread()})"


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
