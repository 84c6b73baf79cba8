"""Which record a mention means."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Mapping

from attrs import evolve, field, frozen

from stithy_archdocs.adr.references import Reference, after_verb, file_name, path_of
from stithy_archdocs.records import Document, Kind, Link

_SUFFIXES = (".md", ".rst", ".markdown")


@frozen
class Index:
    """All records, by what they are called."""

    documents: Mapping[str, Document]
    by_name: dict[str, list[str]] = field(factory=lambda: defaultdict(list))
    by_file: dict[str, list[str]] = field(factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, documents: Mapping[str, Document]) -> "Index":
        """Index the decision records."""
        index = cls(documents)
        for path, document in sorted(documents.items()):
            if document.kind is Kind.ADR:
                for name in (*document.names, _words(document.title)):
                    index.by_name[name].append(path)
                index.by_file[posixpath.basename(path).lower()].append(path)
        return index

    def resolve(self, document: Document) -> Document:
        """Point a record's links at the records that they mean."""
        if document.decision is None or not document.decision.links:
            return document
        linked = self._links(document)
        return (
            document
            if linked == document.decision.links
            else evolve(document, decision=evolve(document.decision, links=linked))
        )

    def _links(self, document: Document) -> tuple[Link, ...]:
        found: dict[tuple[str, str], Link] = {}
        strong = set()
        for link in document.decision.links if document.decision else ():
            paths = self._meant(link, document)
            target = paths[0] if len(paths) == 1 else None
            made = evolve(link, target=target, candidates=tuple(paths) if len(paths) > 1 else ())
            if target == document.path or (link.relation == "related" and target in strong):
                continue
            if link.relation == "related" and not paths and not _own_file(link):
                continue
            if target and link.relation != "related":
                strong.add(target)
            key = (link.relation, target or link.raw)
            if key not in found:
                found[key] = made
        return tuple(found.values())

    def _meant(self, link: Link, document: Document) -> list[str]:
        reference = after_verb(link.raw)[0] if link.raw else None
        if reference is None:
            return []
        if reference.url:
            exact = self._file(reference.url, document) if not reference.remote else []
            same = self.by_file.get(file_name(reference.url).lower(), []) if reference.remote else []
            if exact or same:
                return exact or _near(same, document)
            if reference.remote or not (reference.local or "." not in file_name(reference.url)):
                return []
        return self._named(reference, document)

    def _file(self, url: str, document: Document) -> list[str]:
        path = path_of(url)
        folder = posixpath.dirname(document.path)
        bases = ["", folder] if path.startswith("/") else [folder]
        for base in bases:
            whole = posixpath.normpath(posixpath.join(base, path.lstrip("/") if path.startswith("/") else path))
            for ending in ("", *_SUFFIXES, "/README.md", "/index.md"):
                if whole + ending in self.documents:
                    return [whole + ending]
        return []

    def _named(self, reference: Reference, document: Document) -> list[str]:
        for name in (reference.name, file_name(reference.url), reference.number):
            key = name.strip().strip("`'\"").lower().removesuffix(".md").removesuffix(".rst")
            found = self.by_name.get(key, []) or self.by_name.get(_words(key), []) if key else []
            if found and not (name == reference.number and found == [document.path]):
                return _near(found, document)
        return []


def _near(paths: list[str], document: Document) -> list[str]:
    """Prefer what lies in the same folder."""
    folder = posixpath.dirname(document.path)
    unique = list(dict.fromkeys(paths))
    return [path for path in unique if posixpath.dirname(path) == folder] or unique


def _own_file(link: Link) -> bool:
    """Tell whether a link means a file that should be there."""
    reference = after_verb(link.raw)[0] if link.raw else None
    return reference is not None and reference.local


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


class Links:
    """Points links of records at what they mean; while all are called as before, those of unchanged records stay."""

    def __init__(self) -> None:
        self._index = Index({})

    def pointed(
        self, documents: Mapping[str, Document], before: Mapping[str, Document], fresh: Collection[str]
    ) -> dict[str, Document]:
        """Give the documents with their links.

        Args:
            documents: All of them, as they were read.
            before: What this gave the last time.
            fresh: The paths of those that were read anew.
        """
        new = {path: documents[path] for path in fresh if path in documents}
        if documents.keys() == before.keys() and all(_called(new[path]) == _called(before[path]) for path in new):
            self._index = evolve(self._index, documents=documents)
            return {**before, **{path: self._index.resolve(document) for path, document in new.items()}}
        self._index = Index.of(documents)
        return {path: self._index.resolve(document) for path, document in documents.items()}


def _called(document: Document) -> tuple[object, ...]:
    return document.uri, document.names, document.title
