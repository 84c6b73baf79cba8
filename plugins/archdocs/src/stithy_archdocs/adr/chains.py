"""From a record that no longer holds to the one that does."""

from collections import defaultdict
from collections.abc import Mapping

from attrs import frozen

from stithy_archdocs.records import Document, Kind, Shelf, State

_REFUSED = (State.REJECTED, State.PROPOSED, State.DRAFT, State.ON_HOLD)


@frozen
class Chain:
    """What came after a record.

    Args:
        live: The records that hold now in its place, by path.
        path: All records on the way, the nearest first.
        ends: Records where the way ends and that do not hold, by path.
        circular: Whether the way leads back to where it was.
        broken: What is named as a successor and is not there, as it is written.
    """

    live: tuple[Document, ...] = ()
    path: tuple[Document, ...] = ()
    ends: tuple[Document, ...] = ()
    circular: bool = False
    broken: tuple[str, ...] = ()


def successors(shelf: Shelf) -> Mapping[str, tuple[str, ...]]:
    """Give the direct successors of every record that has any, by path: as either side says.

    One side is often missing. What only a proposed or rejected record says of itself does not count; neither does what
    replaces a part alone.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for document in shelf.of(Kind.ADR):
        decision = document.decision
        for link in decision.links if decision else ():
            if link.target is None or link.partial or link.target == document.path or decision is None:
                continue
            if link.relation == "superseded_by":
                found[document.path].append(link.target)
            elif link.relation == "supersedes" and decision.status.state not in _REFUSED:
                found[link.target].append(document.path)
    return {path: tuple(sorted(set(paths))) for path, paths in found.items()}


def chain(shelf: Shelf, document: Document, known: Mapping[str, tuple[str, ...]] | None = None) -> Chain:
    """Follow a record's successors to the end.

    Args:
        shelf: All records.
        document: Where to begin.
        known: What `successors` gave for this shelf, for who follows many.
    """
    after = successors(shelf) if known is None else known
    seen, circular = {document.path: document}, False
    live: list[Document] = []
    ends: list[Document] = []
    waiting = list(after.get(document.path, ()))
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            circular = circular or path == document.path or _leads_back(path, after)
            continue
        here = seen[path] = shelf.documents[path]
        beyond = after.get(path, ())
        waiting += beyond
        if not beyond:
            (live if here.decision and here.decision.status.state.live else ends).append(here)
    return Chain(
        live=tuple(sorted(live, key=_path)),
        path=tuple(seen.values())[1:],
        ends=tuple(sorted(ends, key=_path)),
        circular=circular,
        broken=_broken(tuple(seen.values())),
    )


def live_successors(shelf: Shelf, document: Document) -> tuple[Document, ...]:
    """Give the records that hold now in a record's place; none where nothing replaced it, or the way leads nowhere."""
    return chain(shelf, document).live


def standing(shelf: Shelf, document: Document, known: Mapping[str, tuple[str, ...]] | None = None) -> State:
    """Say how a record stands in truth: superseded as well where only its successor says so."""
    own = document.decision.status.state if document.decision else State.UNKNOWN
    after = successors(shelf) if known is None else known
    replaced = document.path in after and own in (State.ACCEPTED, State.IMPLEMENTED, State.UNKNOWN)
    return State.SUPERSEDED if replaced else own


def _leads_back(start: str, after: Mapping[str, tuple[str, ...]]) -> bool:
    seen: set[str] = set()
    waiting = list(after.get(start, ()))
    while waiting:
        path = waiting.pop()
        if path == start:
            return True
        if path not in seen:
            seen.add(path)
            waiting += after.get(path, ())
    return False


def _broken(way: tuple[Document, ...]) -> tuple[str, ...]:
    return tuple(
        link.raw
        for document in way
        if document.decision
        for link in document.decision.links_of("superseded_by")
        if link.target is None and not link.partial
    )


def _path(document: Document) -> str:
    return document.path
