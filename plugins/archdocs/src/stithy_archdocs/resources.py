"""The documents as resources: architecture://guidelines/…, patterns/… and adr/…."""

from collections.abc import Sequence
from typing import ClassVar

from stithy_archdocs.documents.naming import SCHEME, asked_of, uri_of
from stithy_archdocs.documents.nearby import completions, near, unread
from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.records import Document, Kind, Shelf
from stithy_core.spi import Content, NotFound, Resource, ResourceProvider, ResourceTemplate

_MOST_NAMED = 20
_SETTING = {Kind.GUIDELINE: "guidelines", Kind.PATTERN: "patterns", Kind.ADR: "adr"}


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
    if asked is None:
        families = ", ".join(f"{SCHEME}{kind.value}/…" for kind in Kind)
        raise NotFound(f"{uri[:200]} is no document's URI", suggestion=f"They are {families}.")
    found = shelf.named(*asked)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(f"no document {uri[:200]}", suggestion=_instead(shelf, *asked) + unread(shelf))
    uris = [document.uri for document in found[:_MOST_NAMED]]
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    raise NotFound(f"{uri} may mean {len(found)} documents", suggestion=f"Read one of {', '.join(uris)}{more}.")


def _instead(shelf: Shelf, kind: Kind, name: str) -> str:
    """Say what to do where nothing has a name."""
    if found := near(shelf, kind, name):
        return f"Near it: {', '.join(uri_of(kind, one) for one in found)}."
    if not shelf.of(kind):
        return f"There are no {kind.value} here: [archdocs] {_SETTING[kind]} in stithy.toml says where they are."
    return f"resources/list has the {len(shelf.of(kind))} that are there; search-architecture finds them by words."


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
