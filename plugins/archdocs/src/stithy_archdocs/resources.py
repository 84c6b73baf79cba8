"""Documents as resources: architecture://guidelines/…, patterns/… and adr/…."""

from collections.abc import Sequence
from typing import ClassVar

from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.documents.document_locations import get_markup
from stithy_archdocs.documents.document_names import SCHEME, make_uri, parse_uri
from stithy_archdocs.documents.name_suggestions import complete_names, find_left_out, format_unread, suggest_names
from stithy_core.spi import Content, NotFound, Resource, ResourceProvider, ResourceTemplate, Scope

_MOST_NAMED = 20
_SETTING = {DocumentKind.GUIDELINE: "guidelines", DocumentKind.PATTERN: "patterns", DocumentKind.ADR: "adr"}


class ArchitectureResources(ResourceProvider):
    """Serves each document by its URI, and by each of its other names that matches only that document."""

    variables: ClassVar = {DocumentKind.GUIDELINE: "+path", DocumentKind.PATTERN: "+path", DocumentKind.ADR: "+id"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._listed: tuple[Resource, ...] = ()
        self._listed_version = 0

    async def list(self) -> Sequence[Resource]:
        """Return the documents that exist now; the same tuple until they change."""
        snapshot = await self.scope.shared(Library).get_snapshot()
        if self._listed_version != snapshot.version:
            self._listed = tuple(
                _make_resource(document) for kind in DocumentKind for document in snapshot.list_kind(kind)
            )
            self._listed_version = snapshot.version
        return self._listed

    async def read(self, uri: str) -> Content:
        """Return the text of a document.

        Raises:
            NotFound: No document matches, or several do; the suggestion names them.
        """
        snapshot = await self.scope.shared(Library).get_snapshot()
        found = find_document(snapshot, uri)
        return Content(found.text, _get_mime_type(found))

    async def templates(self) -> Sequence[ResourceTemplate]:
        """Return the URI template of each kind."""
        words = {
            DocumentKind.GUIDELINE: "a guideline",
            DocumentKind.PATTERN: "a pattern",
            DocumentKind.ADR: "a decision record",
        }
        by = {DocumentKind.ADR: "its path, number or slug"}
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
        """Return values for the variable: names that start with the input, then documents that contain it."""
        family = parse_uri(template)
        if family is None or argument not in ("path", "id"):
            return ()
        snapshot = await self.scope.shared(Library).get_snapshot()
        return complete_names(snapshot, family[0], value)


def find_document(snapshot: DocumentSnapshot, uri: str) -> Document:
    """Return the document that a URI means.

    Raises:
        NotFound: No document matches, or several do.
    """
    exact = next((document for document in snapshot.documents.values() if document.uri == uri), None)
    if exact is not None:
        return exact
    asked = parse_uri(uri)
    if asked is None:
        families = ", ".join(f"{SCHEME}{kind.value}/…" for kind in DocumentKind)
        raise NotFound(f"invalid document URI {uri[:200]!r}", suggestion=f"Expected one of {families}.")
    found = snapshot.find_named(*asked)
    if len(found) == 1:
        return found[0]
    if not found and (left := find_left_out(snapshot, asked[1])):
        raise NotFound(
            f"{left.path} was not read: {left.message}", suggestion="Correct that, then read the resource again."
        )
    if not found:
        raise NotFound(f"no document {uri[:200]!r}", suggestion=_suggest(snapshot, *asked) + format_unread(snapshot))
    uris = [document.uri for document in found[:_MOST_NAMED]]
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    raise NotFound(
        f"ambiguous URI {uri[:200]!r}: {len(found)} documents match", suggestion=f"Read one of {', '.join(uris)}{more}."
    )


def _suggest(snapshot: DocumentSnapshot, kind: DocumentKind, name: str) -> str:
    """Return a suggestion for a name that matches nothing."""
    if found := suggest_names(snapshot, kind, name):
        return f"Similar: {', '.join(make_uri(kind, one) for one in found)}."
    if not snapshot.list_kind(kind):
        return f"The project has no {kind.value}. Set [archdocs] {_SETTING[kind]} in stithy.toml to their location."
    return f"resources/list has all {len(snapshot.list_kind(kind))}; search-architecture searches them by words."


def _make_resource(document: Document) -> Resource:
    return Resource(
        uri=document.uri,
        name=document.names[0],
        title=document.title,
        description=_describe(document),
        mime_type=_get_mime_type(document),
    )


def _describe(document: Document) -> str:
    if document.decision is None:
        return f"{document.kind.value.removesuffix('s').capitalize()}, {document.path}"
    when = f", {document.decision.date.isoformat()}" if document.decision.date else ""
    return f"Decision record: {document.decision.status.state.value}{when}, {document.path}"


def _get_mime_type(document: Document) -> str:
    return {"rst": "text/x-rst", "asciidoc": "text/asciidoc"}.get(get_markup(document.path), "text/markdown")
