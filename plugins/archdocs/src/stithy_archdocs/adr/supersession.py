"""Follow supersession: from a record that no longer holds to the records that hold in its place."""

from collections import defaultdict
from collections.abc import Mapping

from attrs import frozen

from stithy_archdocs.document_models import DecisionState, Document, DocumentKind, DocumentSnapshot

NOT_IN_FORCE = (DecisionState.REJECTED, DecisionState.PROPOSED, DecisionState.DRAFT, DecisionState.ON_HOLD)
"""States of records whose statements about others do not count."""


@frozen
class SupersessionChain:
    """The successors of a record.

    Args:
        live: The records that hold now in its place, sorted by path.
        path: All records on the way, the nearest first.
        ends: Final successors that do not hold either, sorted by path.
        circular: Whether the chain leads back to a record that is already in it.
        broken: Successors that are named but do not exist, as written.
    """

    live: tuple[Document, ...] = ()
    path: tuple[Document, ...] = ()
    ends: tuple[Document, ...] = ()
    circular: bool = False
    broken: tuple[str, ...] = ()


def map_successors(snapshot: DocumentSnapshot) -> Mapping[str, tuple[str, ...]]:
    """Map the path of every superseded record to the sorted paths of its direct successors.

    Either side of a supersession may state it, since one side is often missing. Statements of proposed, draft, on-hold
    and rejected records about others do not count, and neither do partial supersessions.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for document in snapshot.list_kind(DocumentKind.ADR):
        decision = document.decision
        for link in decision.links if decision else ():
            if link.target is None or link.partial or link.target == document.path or decision is None:
                continue
            if link.relation == "superseded_by":
                found[document.path].append(link.target)
            elif link.relation == "supersedes" and decision.status.state not in NOT_IN_FORCE:
                found[link.target].append(document.path)
    return {path: tuple(sorted(set(paths))) for path, paths in found.items()}


def follow_supersession(
    snapshot: DocumentSnapshot, document: Document, known: Mapping[str, tuple[str, ...]] | None = None
) -> SupersessionChain:
    """Follow the successors of a record to the end.

    Args:
        snapshot: All records.
        document: The record to start from.
        known: The result of `successors` for this snapshot; pass it to follow many records cheaply.
    """
    after = map_successors(snapshot) if known is None else known
    seen, circular = {document.path: document}, False
    live: list[Document] = []
    ends: list[Document] = []
    waiting = list(after.get(document.path, ()))
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            circular = circular or path == document.path or _leads_back(path, after)
            continue
        here = seen[path] = snapshot.documents[path]
        beyond = after.get(path, ())
        waiting += beyond
        if not beyond:
            (live if here.decision and here.decision.status.state.is_live else ends).append(here)
    return SupersessionChain(
        live=tuple(sorted(live, key=_get_path)),
        path=tuple(seen.values())[1:],
        ends=tuple(sorted(ends, key=_get_path)),
        circular=circular,
        broken=_find_broken_links(tuple(seen.values())),
    )


def get_effective_state(
    snapshot: DocumentSnapshot, document: Document, known: Mapping[str, tuple[str, ...]] | None = None
) -> DecisionState:
    """Return the effective state of a record: superseded even if only its successor says so."""
    own = document.decision.status.state if document.decision else DecisionState.UNKNOWN
    after = map_successors(snapshot) if known is None else known
    replaced = document.path in after and own in (
        DecisionState.ACCEPTED,
        DecisionState.IMPLEMENTED,
        DecisionState.UNKNOWN,
    )
    return DecisionState.SUPERSEDED if replaced else own


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


def _find_broken_links(way: tuple[Document, ...]) -> tuple[str, ...]:
    return tuple(
        link.raw
        for document in way
        if document.decision
        for link in document.decision.get_links("superseded_by")
        if link.target is None and not link.partial
    )


def _get_path(document: Document) -> str:
    return document.path
