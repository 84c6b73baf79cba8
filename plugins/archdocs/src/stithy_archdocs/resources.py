"""The documents as resources: architecture://guidelines/…, patterns/… and adr/…."""

from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import unquote

from stithy_archdocs.documents.naming import SCHEME, asked_of
from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.records import Document, Kind, Shelf
from stithy_core.spi import Content, NotFound, Resource, ResourceProvider, ResourceTemplate

_MOST_NAMED = 20
_MOST_COMPLETED = 100


class Architecture(ResourceProvider):
    """Every document has one URI of its own; it is found by all its other names as well, if they mean one alone."""

    variables: ClassVar = {Kind.GUIDELINE: "+path", Kind.PATTERN: "+path", Kind.ADR: "+id"}

    async def list(self) -> Sequence[Resource]:
        """Give the documents that are there now."""
        shelf = await self.scope.shared(Library).shelf()
        return [_resource(document) for kind in Kind for document in shelf.of(kind)]

    async def read(self, uri: str) -> Content:
        """Read one document.

        Raises:
            NotFound: None has that URI or name, or several have it: then they are named.
        """
        shelf = await self.scope.shared(Library).shelf()
        found = find(shelf, uri)
        return Content(found.text, _mime(found))

    async def templates(self) -> Sequence[ResourceTemplate]:
        """Give the three families."""
        words = {Kind.GUIDELINE: "a guideline", Kind.PATTERN: "a pattern", Kind.ADR: "a decision record"}
        by = {Kind.ADR: "its path, number or slug"}
        return [
            ResourceTemplate(
                uri=f"{SCHEME}{kind.value}/{{{variable}}}",
                name=kind.value,
                title=f"One {words[kind].partition(' ')[2]}",
                description=f"The text of {words[kind]}, by {by.get(kind, 'its path or name')}",
                mime_type="text/markdown",
            )
            for kind, variable in self.variables.items()
        ]

    async def complete(self, template: str, argument: str, value: str) -> Sequence[str]:
        """Give what may stand for the variable: what begins so, then what has it anywhere in path or title."""
        family = asked_of(template)
        if family is None or argument not in ("path", "id"):
            return ()
        shelf = await self.scope.shared(Library).shelf()
        return completions(shelf, family[0], value)


def find(shelf: Shelf, uri: str) -> Document:
    """Give the one document of a URI.

    Raises:
        NotFound: There is none, or the name is that of several.
    """
    exact = next((document for document in shelf.documents.values() if document.uri == uri), None)
    if exact is not None:
        return exact
    asked = asked_of(uri)
    found = shelf.named(*asked) if asked else ()
    if len(found) == 1:
        return found[0]
    if not found:
        near = completions(shelf, *asked)[:5] if asked else ()
        hint = f"near it: {', '.join(near)}" if near else "resources/list says what is there"
        raise NotFound(f"no document {uri}; {hint}", suggestion=hint)
    uris = [document.uri for document in found[:_MOST_NAMED]]
    raise NotFound(f"{uri} may mean {len(found)} documents; read one of {', '.join(uris)}")


def completions(shelf: Shelf, kind: Kind, value: str) -> Sequence[str]:
    """Give names that begin with what was typed, then those of documents that have it anywhere."""
    typed = value.strip().lower()
    begin, inside = [], []
    for document in shelf.of(kind):
        name = unquote(document.uri.removeprefix(f"{SCHEME}{kind.value}/"))
        fitting = name.lower().startswith(typed) or any(one.startswith(typed) for one in document.names)
        if fitting:
            begin.append(name)
        elif typed in document.path.lower() or typed in document.title.lower():
            inside.append(name)
    return [*begin, *inside][:_MOST_COMPLETED]


def _resource(document: Document) -> Resource:
    return Resource(
        uri=document.uri,
        name=document.names[0],
        title=document.title,
        description=_description(document),
        mime_type=_mime(document),
    )


def _description(document: Document) -> str:
    if document.decision is None:
        return f"{document.kind.value.removesuffix('s').capitalize()}, {document.path}"
    when = f", {document.decision.date.isoformat()}" if document.decision.date else ""
    return f"Decision record: {document.decision.status.state.value}{when}, {document.path}"


def _mime(document: Document) -> str:
    return "text/x-rst" if document.path.lower().endswith(".rst") else "text/markdown"
