"""What is wrong between documents: numbers, links, supersessions."""

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from stithy_archdocs.adr.chains import chain, successors
from stithy_archdocs.adr.references import path_of, references
from stithy_archdocs.documents.naming import file_number
from stithy_archdocs.records import Document, Kind, Link, Problem, Shelf, State

_INVERSE = {"superseded_by": "supersedes", "supersedes": "superseded_by"}


def examine(shelf: Shelf, root: Path, today: date) -> Iterator[Problem]:
    """Look at all documents together.

    Args:
        shelf: The documents.
        root: The project, in which files that links mean are looked for.
        today: Before which a review is late.
    """
    known = successors(shelf)
    records = shelf.of(Kind.ADR)
    yield from _duplicates(records)
    for document in shelf.documents.values():
        yield from _links(document, root)
    for document in records:
        yield from _one_sided(document, shelf)
        yield from _chain(document, shelf, known)
        yield from _review(document, today)


def _duplicates(records: Sequence[Document]) -> Iterator[Problem]:
    """Numbers count within a folder: logs of several packages each begin at 1."""
    by_number: dict[tuple[str, str], list[str]] = defaultdict(list)
    for document in records:
        if number := file_number(document.path):
            folder = posixpath.dirname(document.path)
            head = posixpath.basename(document.path).lower().startswith(("readme.", "index."))
            by_number[posixpath.dirname(folder) if head else folder, number].append(document.path)
    for (_, number), paths in by_number.items():
        for path in paths if len(paths) > 1 else ():
            others = ", ".join(posixpath.basename(other) for other in paths if other != path)
            text = f"number {number} is also that of {others}; give one of them a new number"
            yield Problem(rule="duplicate-number", path=path, line=1, message=text, severity="error")


def _links(document: Document, root: Path) -> Iterator[Problem]:
    """Look for the files that local links mean."""
    told = set()
    for number, line in _linked(document):
        for reference in references(line):
            if not reference.local or reference.url in told:
                continue
            told.add(reference.url)
            if not _is_there(reference.url, document, root):
                text = f"{reference.url} is not there; correct the link, or take it out"
                yield Problem(rule="broken-link", path=document.path, line=number, message=text, severity="error")


def _linked(document: Document) -> Iterator[tuple[int, str]]:
    """Give the lines with links that are in no fence or comment."""
    from stithy_archdocs.documents.sections import markdown

    if document.path.lower().endswith(".rst") or "](" not in document.text:
        return
    hidden = markdown(document.text).hidden
    spans = iter(hidden)
    span = next(spans, None)
    for number, line in enumerate(document.text.split("\n"), 1):
        while span is not None and span[1] < number:
            span = next(spans, None)
        if "](" in line and not (span is not None and span[0] <= number):
            yield number, _without_code(line)


def _without_code(line: str) -> str:
    """Take out what stands between backquotes."""
    parts = line.split("`")
    return line if len(parts) < 3 else " ".join(parts[::2])  # noqa: PLR2004 -- one pair of marks


def _is_there(url: str, document: Document, root: Path) -> bool:
    path = path_of(url)
    if "\0" in path or len(path) > 1_000:  # noqa: PLR2004 -- no path
        return False
    bases = ["", posixpath.dirname(document.path)] if path.startswith("/") else [posixpath.dirname(document.path)]
    for base in bases:
        whole = posixpath.normpath(posixpath.join(base, path.lstrip("/")))
        if whole.startswith(".."):
            return True  # outside of the project, where nothing is looked at
        if os.path.lexists(root / whole):
            return True
    return False


def _one_sided(document: Document, shelf: Shelf) -> Iterator[Problem]:
    for link in document.decision.links if document.decision else ():
        if link.relation not in _INVERSE:
            continue
        if link.target is None:
            yield _dangling(document, link)
            continue
        other = shelf.documents[link.target].decision
        back = other.links_of(_INVERSE[link.relation]) if other else ()
        if not any(one.target == document.path or document.path in one.candidates for one in back):
            said, missing = link.relation.replace("_", " "), _INVERSE[link.relation].replace("_", " ")
            text = f"it {'is ' if said.endswith('by') else ''}{said} {link.target}, which does not say that it"
            text += f" {'is ' if missing.endswith('by') else ''}{missing} this; write it there"
            yield Problem(rule="one-sided-supersession", path=document.path, line=link.line, message=text)


def _dangling(document: Document, link: Link) -> Problem:
    if link.candidates:
        text = f"{link.raw!r} may mean {', '.join(link.candidates)}; link to the file"
        return Problem(rule="ambiguous-link", path=document.path, line=link.line, message=text)
    text = f"{link.raw!r} is no record that is there; link to its file"
    return Problem(rule="dangling-supersession", path=document.path, line=link.line, message=text, severity="error")


def _chain(document: Document, shelf: Shelf, known: Mapping[str, tuple[str, ...]]) -> Iterator[Problem]:
    decision = document.decision
    if decision is None:
        return
    line = decision.status.line
    if document.path not in known:
        if decision.status.state is State.SUPERSEDED and not any(
            link.relation == "superseded_by" for link in decision.links
        ):
            text = "it is superseded, and nothing says by what; link to its successor"
            yield Problem(rule="no-successor", path=document.path, line=line, message=text)
        return
    way = chain(shelf, document, known)
    if document.path in {one for path in way.path for one in known.get(path.path, ())}:
        text = f"it is superseded in a circle, by way of {', '.join(one.path for one in way.path)}"
        yield Problem(rule="circular-supersession", path=document.path, line=line, message=text, severity="error")
    elif not way.live and way.ends:
        ends = ", ".join(f"{one.path} ({one.decision.status.state.value})" for one in way.ends if one.decision)
        text = f"what supersedes it does not hold either: {ends}"
        yield Problem(rule="dead-end", path=document.path, line=line, message=text)


def _review(document: Document, today: date) -> Iterator[Problem]:
    decision = document.decision
    if decision and decision.review and decision.review < today and decision.status.state.live:
        text = f"its review was due on {decision.review.isoformat()}; look at it again and set a new date"
        yield Problem(rule="stale-review", path=document.path, message=text)
