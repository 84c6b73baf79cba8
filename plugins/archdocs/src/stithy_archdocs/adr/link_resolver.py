"""Resolve references: which record each link means."""

import posixpath
import re
from collections.abc import Collection, Mapping

from attrs import evolve, field, frozen

from stithy_archdocs.adr.record_references import (
    RecordReference,
    decode_link_path,
    find_references_after_verb,
    parse_file_name,
)
from stithy_archdocs.document_models import Document, DocumentKind, RecordLink
from stithy_archdocs.documents.document_locations import SUFFIXES


class PathsByName:
    """Paths by a name that several may have; nearly all names have one, which takes no list."""

    def __init__(self) -> None:
        self._paths: dict[str, str | list[str]] = {}

    def add(self, name: str, path: str) -> None:
        """Add a path."""
        known = self._paths.setdefault(name, path)
        if isinstance(known, list):
            known.append(path)
        elif known is not path:
            self._paths[name] = [known, path]

    def get(self, name: str) -> list[str]:
        """Return the paths of a name."""
        found = self._paths.get(name, [])
        return found if isinstance(found, list) else [found]


@frozen
class RecordIndex:
    """All decision records, by the names and file names that refer to them.

    Args:
        documents: All documents, by path.
        by_name: Paths of records, by each of their names and the words of their titles.
        by_file: Paths of records, by file name in lower case.
    """

    documents: Mapping[str, Document]
    by_name: PathsByName = field(factory=PathsByName)
    by_file: PathsByName = field(factory=PathsByName)

    @classmethod
    def from_documents(cls, documents: Mapping[str, Document]) -> "RecordIndex":
        """Index the decision records."""
        index = cls(documents)
        for path, document in sorted(documents.items()):
            if document.kind is DocumentKind.ADR:
                for name in (*document.names, _normalize_words(document.title)):
                    index.by_name.add(name, path)
                index.by_file.add(document.names[0].rpartition("/")[2], path)  # the same string if it is in no folder
        return index

    def resolve(self, document: Document) -> Document:
        """Return a record whose links have their targets."""
        if document.decision is None or not document.decision.links:
            return document
        linked = self._resolve_links(document)
        return (
            document
            if linked == document.decision.links
            else evolve(document, decision=evolve(document.decision, links=linked))
        )

    def _resolve_links(self, document: Document) -> tuple[RecordLink, ...]:
        found: dict[tuple[str, str], RecordLink] = {}
        strong = set()
        for link in document.decision.links if document.decision else ():
            paths = self._find_targets(link, document)
            target = paths[0] if len(paths) == 1 else None
            made = evolve(link, target=target, candidates=tuple(paths) if len(paths) > 1 else ())
            if target == document.path or (link.relation == "related" and target in strong):
                continue
            if link.relation == "related" and not paths and not _is_local_file(link):
                continue
            if target and link.relation != "related":
                strong.add(target)
            key = (link.relation, target or link.raw)
            if key not in found:
                found[key] = made
        return tuple(found.values())

    def _find_targets(self, link: RecordLink, document: Document) -> list[str]:
        reference = find_references_after_verb(link.raw)[0] if link.raw else None
        if reference is None:
            return []
        if reference.url:
            exact = self._find_file(reference.url, document) if not reference.is_remote else []
            same = self.by_file.get(parse_file_name(reference.url).lower()) if reference.is_remote else []
            if exact or same:
                return exact or _prefer_same_folder(same, document)
            if reference.is_remote or not (reference.is_local or "." not in parse_file_name(reference.url)):
                return []
        return self._find_by_name(reference, document)

    def _find_file(self, url: str, document: Document) -> list[str]:
        path = decode_link_path(url)
        folder = posixpath.dirname(document.path)
        bases = ["", folder] if path.startswith("/") else [folder]
        for base in bases:
            whole = posixpath.normpath(posixpath.join(base, path.lstrip("/") if path.startswith("/") else path))
            for ending in ("", *SUFFIXES, "/README.md", "/index.md"):
                if whole + ending in self.documents:
                    return [whole + ending]
        return []

    def _find_by_name(self, reference: RecordReference, document: Document) -> list[str]:
        for name in (reference.name, parse_file_name(reference.url), reference.number):
            key = name.strip().strip("`'\"").lower()
            key = key.removesuffix(".md").removesuffix(".rst").removesuffix(".adoc")
            found = self.by_name.get(key) or self.by_name.get(_normalize_words(key)) if key else []
            if found and not (name == reference.number and found == [document.path]):
                return _prefer_same_folder(found, document)
        return []


def _prefer_same_folder(paths: list[str], document: Document) -> list[str]:
    """Prefer the records in the same folder."""
    folder = posixpath.dirname(document.path)
    unique = list(dict.fromkeys(paths))
    return [path for path in unique if posixpath.dirname(path) == folder] or unique


def _is_local_file(link: RecordLink) -> bool:
    """Return whether a link means a file that should exist in the project."""
    reference = find_references_after_verb(link.raw)[0] if link.raw else None
    return reference is not None and reference.is_local


def _normalize_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


class LinkResolver:
    """Resolves the links of all records; while no name changed, unchanged records are not resolved again."""

    def __init__(self) -> None:
        self._index = RecordIndex({})

    def resolve_all(
        self, documents: Mapping[str, Document], before: Mapping[str, Document], fresh: Collection[str]
    ) -> dict[str, Document]:
        """Return the documents with resolved links.

        Args:
            documents: All documents, as read.
            before: The last result of this method.
            fresh: The paths of the documents that were read since then.
        """
        new = {path: documents[path] for path in fresh if path in documents}
        if documents.keys() == before.keys() and all(
            _get_identity(new[path]) == _get_identity(before[path]) for path in new
        ):
            self._index = evolve(self._index, documents=documents)
            return {**before, **{path: self._index.resolve(document) for path, document in new.items()}}
        self._index = RecordIndex.from_documents(documents)
        return {path: self._index.resolve(document) for path, document in documents.items()}


def _get_identity(document: Document) -> tuple[object, ...]:
    return document.uri, document.names, document.title
