"""Find problems between documents: numbers, links, supersessions."""

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from stithy_archdocs.adr.record_references import decode_link_path, find_references
from stithy_archdocs.adr.supersession import NOT_IN_FORCE, follow_supersession, map_successors
from stithy_archdocs.document_models import (
    DecisionState,
    Document,
    DocumentKind,
    DocumentProblem,
    DocumentSnapshot,
    RecordLink,
)
from stithy_archdocs.documents.document_locations import Markup, get_markup
from stithy_archdocs.documents.document_names import parse_file_number

_LINK_MARKS: Mapping[Markup, tuple[str, ...]] = {
    "markdown": ("](",),
    "asciidoc": ("link:", "xref:", "<<"),
    "rst": (),
}
"""What a line with links contains; RST has too many kinds of them."""
_INVERSE = {"superseded_by": "supersedes", "supersedes": "superseded_by"}


def find_problems_between(snapshot: DocumentSnapshot, root: Path, today: date) -> Iterator[DocumentProblem]:
    """Iterate over the problems between documents.

    Args:
        snapshot: The documents.
        root: The project, in which the targets of links are checked.
        today: Reviews before this date are overdue.
    """
    known = map_successors(snapshot)
    records = snapshot.list_kind(DocumentKind.ADR)
    yield from _find_duplicates(records)
    for document in snapshot.documents.values():
        yield from _find_broken_links(document, root)
    for document in records:
        yield from _find_one_sided(document, snapshot)
        yield from _find_chain_problems(document, snapshot, known)
        yield from _find_overdue_review(document, today)


def _find_duplicates(records: Sequence[Document]) -> Iterator[DocumentProblem]:
    """Iterate over duplicate numbers within a folder; the logs of several packages may each begin at 1."""
    by_number: dict[tuple[str, str], list[str]] = defaultdict(list)
    for document in records:
        if number := parse_file_number(document.path):
            folder = posixpath.dirname(document.path)
            head = posixpath.basename(document.path).lower().startswith(("readme.", "index."))
            by_number[posixpath.dirname(folder) if head else folder, number].append(document.path)
    for (_, number), paths in by_number.items():
        for path in paths if len(paths) > 1 else ():
            others = ", ".join(posixpath.basename(other) for other in paths if other != path)
            text = f"duplicate number {number}, also used by {others}; renumber one of them"
            yield DocumentProblem(rule="duplicate-number", path=path, line=1, message=text, severity="error")


def _find_broken_links(document: Document, root: Path) -> Iterator[DocumentProblem]:
    """Iterate over local links whose file does not exist."""
    told = set()
    for number, line in _lines_with_links(document):
        for reference in find_references(line):
            if not reference.is_local or reference.url in told:
                continue
            told.add(reference.url)
            if not _exists(reference.url, document, root):
                text = f"broken link {reference.url!r}; correct or remove it"
                yield DocumentProblem(
                    rule="broken-link", path=document.path, line=number, message=text, severity="error"
                )


def _lines_with_links(document: Document) -> Iterator[tuple[int, str]]:
    """Iterate over the lines with links outside of fences and comments, each with its number."""
    from stithy_archdocs.documents.document_parser import parse_source

    text, marks = document.text, _LINK_MARKS[get_markup(document.path)]
    if not any(mark in text for mark in marks):
        return
    spans = iter(parse_source(document.path, text).hidden)
    span = next(spans, None)
    for number, line in enumerate(text.split("\n"), 1):
        while span is not None and span[1] < number:
            span = next(spans, None)
        if any(mark in line for mark in marks) and not (span is not None and span[0] <= number):
            yield number, _strip_code(line)


def _strip_code(line: str) -> str:
    """Remove inline code from a line."""
    parts = line.split("`")
    return line if len(parts) < 3 else " ".join(parts[::2])  # noqa: PLR2004 -- one pair of backquotes


def _exists(url: str, document: Document, root: Path) -> bool:
    path = decode_link_path(url)
    if "\0" in path or len(path) > 1_000:  # noqa: PLR2004 -- longer than any path
        return False
    bases = ["", posixpath.dirname(document.path)] if path.startswith("/") else [posixpath.dirname(document.path)]
    for base in bases:
        whole = posixpath.normpath(posixpath.join(base, path.lstrip("/")))
        if whole.startswith(".."):
            return True  # files outside of the project are not checked
        if os.path.lexists(root / whole):
            return True
    return False


def _find_one_sided(document: Document, snapshot: DocumentSnapshot) -> Iterator[DocumentProblem]:
    for link in document.decision.links if document.decision else ():
        if link.relation not in _INVERSE:
            continue
        if link.target is None:
            yield _describe_dangling(document, link)
            continue
        if link.relation == "supersedes" and document.decision and document.decision.status.state in NOT_IN_FORCE:
            continue  # it takes effect when the record is accepted
        other = snapshot.documents[link.target].decision
        back = other.get_links(_INVERSE[link.relation]) if other else ()
        if not any(one.target == document.path or document.path in one.candidates for one in back):
            said, missing = link.relation.replace("_", " "), _INVERSE[link.relation].replace("_", " ")
            text = (
                f"one-sided: the record {'is ' if said.endswith('by') else ''}{said} {link.target}, but that one does"
            )
            text += f" not state that it {'is ' if missing.endswith('by') else ''}{missing} this record; add it there"
            yield DocumentProblem(rule="one-sided-supersession", path=document.path, line=link.line, message=text)


def _describe_dangling(document: Document, link: RecordLink) -> DocumentProblem:
    if link.candidates:
        text = f"ambiguous reference {link.raw!r}; matches {', '.join(link.candidates)}; link to the file"
        return DocumentProblem(rule="ambiguous-link", path=document.path, line=link.line, message=text)
    text = f"unknown record {link.raw!r}; link to its file"
    return DocumentProblem(
        rule="dangling-supersession", path=document.path, line=link.line, message=text, severity="error"
    )


def _find_chain_problems(
    document: Document, snapshot: DocumentSnapshot, known: Mapping[str, tuple[str, ...]]
) -> Iterator[DocumentProblem]:
    decision = document.decision
    if decision is None:
        return
    line = decision.status.line
    if document.path not in known:
        if decision.status.state is DecisionState.SUPERSEDED and not any(
            link.relation == "superseded_by" for link in decision.links
        ):
            text = "superseded without a successor; link to the record that supersedes it"
            yield DocumentProblem(rule="no-successor", path=document.path, line=line, message=text)
        return
    way = follow_supersession(snapshot, document, known)
    if document.path in {one for path in way.path for one in known.get(path.path, ())}:
        text = f"circular supersession through {', '.join(one.path for one in way.path)}; correct one of the links"
        yield DocumentProblem(
            rule="circular-supersession", path=document.path, line=line, message=text, severity="error"
        )
    elif not way.live and way.ends:
        ends = ", ".join(f"{one.path} ({one.decision.status.state.value})" for one in way.ends if one.decision)
        text = f"its successor does not hold either: {ends}"
        yield DocumentProblem(rule="dead-end", path=document.path, line=line, message=text)


def _find_overdue_review(document: Document, today: date) -> Iterator[DocumentProblem]:
    decision = document.decision
    if decision and decision.review and decision.review < today and decision.status.state.is_live:
        text = f"its review was due on {decision.review.isoformat()}; review it and set a new date"
        yield DocumentProblem(rule="stale-review", path=document.path, message=text)
