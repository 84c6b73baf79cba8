"""The tool `check-adr-alignment`: whether a proposal agrees with what was decided (ARCH-7)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial

from stithy_archdocs.alignment.lexicon import Lexicon, lexicon_with
from stithy_archdocs.alignment.reading import Proposal, Reading, read_proposal, read_record
from stithy_archdocs.alignment.results import Alignment, Conflict, conflict, related, suggestions
from stithy_archdocs.alignment.weighing import Verdict, verdicts
from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.library import Library
from stithy_archdocs.search.search_query import SearchQuery, parse_query
from stithy_archdocs.search.search_tool import continue_in_background, open_index
from stithy_archdocs.search.section_ranking import SearchFilters
from stithy_archdocs.settings import ArchdocsSettings
from stithy_archdocs.tools import CheckAlignment
from stithy_core.spi import Scope, SyncContext

MOST_COMPARED = 60
"""Maximum number of records that each of two searches selects; with fewer records no search is needed."""
MOST_SHOWN = 10
MOST_RELATED = 5
MOST_READ = 2_000
"""Maximum number of parsed records in the cache."""
SECONDS = 10.0
"""Seconds of parsing for one answer; the remaining records are parsed in the background and reported as unread."""
_MOST_WORDS = 60


class Readings:
    """Cache of parsed records; one instance for each server."""

    def __init__(self, scope: Scope) -> None:
        self.lexicon = lexicon_with(scope.settings(ArchdocsSettings).competitors)
        self._kept: OrderedDict[str, Reading] = OrderedDict()
        self._lock = threading.Lock()

    def has(self, document: Document) -> bool:
        """Return whether the current version of a record is in the cache."""
        with self._lock:
            known = self._kept.get(document.path)
        return known is not None and known.document == document

    def of(self, document: Document) -> Reading:
        """Return the parsed record; it is parsed again if the document changed."""
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
    snapshot = worker.shared(Library).get_snapshot_within()
    readings = worker.shared(Readings)
    proposal = read_proposal(args.decision_description, readings.lexicon)
    near = []
    documents, missing = candidates(worker, snapshot, args, proposal, readings.lexicon)
    ends = time.monotonic() + SECONDS
    for document in documents:
        worker.check()
        if time.monotonic() > ends and not readings.has(document):
            break
        near.append(readings.of(document))
    later = documents[len(near) :]
    missing += len(later)
    if snapshot.unread or missing:
        tasks = [partial(readings.of, document) for document in later]
        continue_in_background(worker, index=bool(snapshot.unread or missing > len(later)), tasks=tasks)
    found = verdicts(snapshot, proposal, near, readings.lexicon)
    shown = _shown(found)
    return Alignment(
        related_adrs=[related(one) for one in shown],
        conflicts=[
            Conflict(adr_uri=one.document.uri, conflict_description=conflict(one))
            for one in shown
            if one.alignment == "conflicts"
        ],
        suggestions=suggestions(shown, has_records=bool(snapshot.list_kind(DocumentKind.ADR))),
        compared=len(snapshot.list_kind(DocumentKind.ADR)),
        omitted=len(found) - len(shown),
        unread=snapshot.unread + missing or None,
    )


def candidates(
    worker: SyncContext, snapshot: DocumentSnapshot, args: CheckAlignment, proposal: Proposal, lexicon: Lexicon
) -> tuple[Sequence[Document], int]:
    """Return the records worth comparing, and how many are not indexed yet.

    With few records these are all; with many, those that a search finds by the words of the proposal and by the names
    of
    competing technologies.
    """
    records = snapshot.list_kind(DocumentKind.ADR)
    if len(records) <= MOST_COMPARED:
        return records, 0
    index = worker.shared(open_index)
    filters = SearchFilters(kinds=(DocumentKind.ADR,))
    own = parse_query(args.decision_description).words + parse_query(args.decision_context or "").words
    slots = {slot for token in proposal.words for slot in lexicon.slots.get(token.term, ())}
    names = [name.lower() for slot in sorted(slots) for name in lexicon.members[slot]]
    found: dict[str, Document] = {}
    missing = 0
    for words in (own, parse_query(" ".join(names)).words):
        if words:
            ranking = index.rank(
                snapshot, SearchQuery(tuple(dict.fromkeys(words))[:_MOST_WORDS], ""), filters, MOST_COMPARED
            )
            found |= {hit.document.path: hit.document for hit in ranking.hits}
            missing = ranking.missing
    return [document for _, document in sorted(found.items())], missing


def _shown(found: Sequence[Verdict]) -> list[Verdict]:
    near = [one for one in found if one.alignment == "related"]
    few = {one.document.path for one in near[:MOST_RELATED]} | {
        one.document.path for one in near if one.relation == "successor"
    }
    return [one for one in found if one.alignment != "related" or one.document.path in few][:MOST_SHOWN]
