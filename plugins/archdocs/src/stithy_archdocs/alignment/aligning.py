"""`check-adr-alignment`: whether a proposal goes with what was decided (ARCH-7)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial

from stithy_archdocs.alignment.lexicon import Lexicon, lexicon_with
from stithy_archdocs.alignment.reading import Proposal, Reading, read_proposal, read_record
from stithy_archdocs.alignment.results import Alignment, Conflict, conflict, related, suggestions
from stithy_archdocs.alignment.weighing import Verdict, verdicts
from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.offers import CheckAlignment
from stithy_archdocs.records import Document, Kind, Shelf
from stithy_archdocs.search.finding import go_on, index_of
from stithy_archdocs.search.ranking import Filters
from stithy_archdocs.search.words import Query, read_query
from stithy_archdocs.settings import ArchdocsSettings
from stithy_core.spi import Scope, SyncContext

MOST_COMPARED = 60
"""Records that are read closely, for each of two searches; where there are no more, no search is needed."""
MOST_SHOWN = 10
MOST_RELATED = 5
MOST_READ = 2_000
"""Readings that are kept for the next call."""
SECONDS = 10.0
"""How long records are read for one answer; the rest is read behind it, and said to be unread."""
_MOST_WORDS = 60


class Readings:
    """Records as they are compared, each read once: one for each server."""

    def __init__(self, scope: Scope) -> None:
        self.lexicon = lexicon_with(scope.settings(ArchdocsSettings).competitors)
        self._kept: OrderedDict[str, Reading] = OrderedDict()
        self._lock = threading.Lock()

    def has(self, document: Document) -> bool:
        """Return whether a record is read already, as it is now."""
        with self._lock:
            known = self._kept.get(document.path)
        return known is not None and known.document == document

    def of(self, document: Document) -> Reading:
        """Give a record's reading, made anew where the record is another version."""
        with self._lock:
            known = self._kept.get(document.path)
            if known is not None and known.document == document:
                self._kept.move_to_end(document.path)
                return known
        made = read_record(document, self.lexicon)
        with self._lock:
            self._kept[document.path] = made
            while len(self._kept) > MOST_READ:
                self._kept.popitem(last=False)
        return made


def align(worker: SyncContext, args: CheckAlignment) -> Alignment:
    """Compare a proposal with the records."""
    shelf = worker.shared(Library).within()
    readings = worker.shared(Readings)
    proposal = read_proposal(args.decision_description, readings.lexicon)
    near = []
    documents, missing = candidates(worker, shelf, args, proposal, readings.lexicon)
    ends = time.monotonic() + SECONDS
    for document in documents:
        worker.check()
        if time.monotonic() > ends and not readings.has(document):
            break
        near.append(readings.of(document))
    later = documents[len(near) :]
    missing += len(later)
    if shelf.unread or missing:
        tasks = [partial(readings.of, document) for document in later]
        go_on(worker, index=bool(shelf.unread or missing > len(later)), tasks=tasks)
    found = verdicts(shelf, proposal, near, readings.lexicon)
    shown = _shown(found)
    return Alignment(
        related_adrs=[related(one) for one in shown],
        conflicts=[
            Conflict(adr_uri=one.document.uri, conflict_description=conflict(one))
            for one in shown
            if one.alignment == "conflicts"
        ],
        suggestions=suggestions(shown, has_records=bool(shelf.of(Kind.ADR))),
        compared=len(shelf.of(Kind.ADR)),
        omitted=len(found) - len(shown),
        unread=shelf.unread + missing or None,
    )


def candidates(
    worker: SyncContext, shelf: Shelf, args: CheckAlignment, proposal: Proposal, lexicon: Lexicon
) -> tuple[Sequence[Document], int]:
    """Give the records worth reading, and how many no search finds yet.

    Those are all of few; of many, what a search finds by words and by rivals' names.
    """
    records = shelf.of(Kind.ADR)
    if len(records) <= MOST_COMPARED:
        return records, 0
    index = worker.shared(index_of)
    filters = Filters(kinds=(Kind.ADR,))
    own = read_query(args.decision_description).words + read_query(args.decision_context or "").words
    slots = {slot for token in proposal.words for slot in lexicon.slots.get(token.term, ())}
    names = [name.lower() for slot in sorted(slots) for name in lexicon.members[slot]]
    found: dict[str, Document] = {}
    missing = 0
    for words in (own, read_query(" ".join(names)).words):
        if words:
            ranking = index.rank(shelf, Query(tuple(dict.fromkeys(words))[:_MOST_WORDS], ""), filters, MOST_COMPARED)
            found |= {hit.document.path: hit.document for hit in ranking.hits}
            missing = ranking.missing
    return [document for _, document in sorted(found.items())], missing


def _shown(found: Sequence[Verdict]) -> list[Verdict]:
    near = [one for one in found if one.alignment == "related"]
    few = {one.document.path for one in near[:MOST_RELATED]} | {
        one.document.path for one in near if one.relation == "successor"
    }
    return [one for one in found if one.alignment != "related" or one.document.path in few][:MOST_SHOWN]
