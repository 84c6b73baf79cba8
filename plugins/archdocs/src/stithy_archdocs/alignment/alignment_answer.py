"""The answer of `check-adr-alignment`: what is shown of each record, and what is cut so that the answer stays short."""

import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Annotated, Literal

from attrs import asdict, frozen

from stithy_archdocs.alignment.alignment_verdicts import CANDIDATE, RecordVerdict
from stithy_archdocs.alignment.certain_rules import CONFLICTS
from stithy_core.spi import Hint, Meta

MOST_SHOWN = 5
MOST_BYTES = 3_000
"""Maximum size of an answer as JSON; only a single record with very long paths may exceed it."""

_QUOTES = (180, 140, 120, 80)
"""Maximum characters of a quotation, tried in turn before a record is left out; titles and reasons have two thirds."""


@frozen(kw_only=True)
class Evidence:
    """A passage of a record to decide by."""

    quote: str
    line: int
    rule: Annotated[str, Meta("The rule that rests on it; for candidates, what it is: decision, rejected-option, …")]


@frozen(kw_only=True)
class RelatedRecord:
    """A record that concerns the proposal."""

    uri: Annotated[str, Meta("Pass to resources/read for the whole record")]
    path: str
    title: str
    adr_id: str
    status: str
    alignment: Literal["supports", "conflicts", "related"]
    reason: str
    relation: Annotated[str, Meta("More specific relation; candidate: not judged, read the evidence", cut=False)]
    confidence: Annotated[float | None, Meta("From 0 to 1, for supports and conflicts only")]
    evidence: list[Evidence]


@frozen(kw_only=True)
class RecordConflict:
    """A record that the proposal conflicts with."""

    adr_uri: str
    conflict_description: str


@frozen(kw_only=True)
class AlignmentResult:
    """The result of `check-adr-alignment`: conflicts first."""

    related_adrs: list[RelatedRecord]
    conflicts: list[RecordConflict]
    suggestions: list[str]
    compared: Annotated[int, Meta("Number of decision records")]
    omitted: Annotated[int, Meta("Other records that were found")] = 0
    unread: Annotated[int | None, Meta("Documents that are still being read; try again in a few seconds")] = None

    def render(self) -> Iterator[str]:
        """Return one line for each record."""
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read; try again in a few seconds.")
        if not self.compared and not self.unread:
            yield Hint("The project has no decision records. Set their location in [archdocs] in stithy.toml.")
            return
        if not self.related_adrs:
            yield Hint(f"No word of the proposal leads to one of the {self.compared} decision records searched.")
        for one in self.related_adrs:
            sure = "" if one.confidence is None else f", {one.confidence}"
            yield f"- {one.alignment} ({one.relation}{sure}): {one.uri} {one.title} [{one.status}]: {one.reason}"
            for place in one.evidence:
                yield f"  {one.path}:{place.line} ({place.rule}) {place.quote}"
        yield from (f"Suggestion: {text}" for text in self.suggestions)


def make_answer(verdicts: Sequence[RecordVerdict], *, compared: int, unread: int | None = None) -> AlignmentResult:
    """Return the answer for some verdicts, those that matter most first, in at most `MOST_BYTES`.

    Quotations, titles and reasons are shortened first; then the last records are left out, and `omitted` counts them.

    Args:
        verdicts: What is reported of the records.
        compared: Number of decision records.
        unread: Number of documents that are not read or indexed yet; None if there are none.
    """
    most = min(len(verdicts), MOST_SHOWN)
    for many, quote in product(range(most, 0, -1), _QUOTES):
        answer = _build_answer(verdicts, many, quote, compared=compared, unread=unread)
        if measure_size(answer) <= MOST_BYTES:
            return answer
    return _build_answer(verdicts, min(most, 1), _QUOTES[-1], compared=compared, unread=unread)


def _build_answer(
    verdicts: Sequence[RecordVerdict], many: int, quote: int, *, compared: int, unread: int | None
) -> AlignmentResult:
    shown = verdicts[:many]
    return AlignmentResult(
        related_adrs=[_make_related(one, quote, first=one is shown[0]) for one in shown],
        conflicts=[
            RecordConflict(
                adr_uri=one.document.uri,
                conflict_description=f"{_shorten(one.reason, quote)} ({one.document.path}:{one.passages[0].line})",
            )
            for one in shown
            if one.alignment == CONFLICTS
        ],
        suggestions=_make_suggestions(shown, has_records=bool(compared)),
        compared=compared,
        omitted=len(verdicts) - many,
        unread=unread,
    )


def measure_size(answer: AlignmentResult) -> int:
    """Return the bytes of an answer as JSON."""
    return len(json.dumps(asdict(answer), ensure_ascii=False).encode(errors="replace"))


def _make_related(verdict: RecordVerdict, quote: int, *, first: bool) -> RelatedRecord:
    """Convert a verdict to a result; the first one has two passages, the others one."""
    document = verdict.document
    numbers = document.decision.numbers if document.decision else ()
    return RelatedRecord(
        uri=document.uri,
        path=document.path,
        title=_shorten(document.title, quote * 2 // 3),
        adr_id=numbers[0] if numbers else document.names[1] if len(document.names) > 1 else document.names[0],
        status=verdict.state.value,
        alignment=verdict.alignment,  # type: ignore[arg-type]
        reason=_shorten(verdict.reason, quote * 2 // 3),
        relation=verdict.relation,
        confidence=verdict.confidence,
        evidence=[
            Evidence(quote=_shorten(one.quote, quote), line=one.line, rule=one.role)
            for one in verdict.passages[: 1 + first]
        ],
    )


def _shorten(text: str, most: int) -> str:
    """Return a text in at most some characters; an ellipsis marks what is cut off."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


_SUGGESTIONS = {
    "previously_rejected": "It was rejected before: state what has changed since.",
    "superseded": "Refer to the current record, not to the superseded one.",
    "proposed_only": "A proposal on the same subject is still open: decide both together.",
    CANDIDATE: "Candidates were found by their words and not judged: read their evidence and decide yourself.",
}
"""What to do next, by a relation that is shown."""


def _make_suggestions(shown: Sequence[RecordVerdict], *, has_records: bool) -> list[str]:
    """Return what to do next."""
    said = []
    conflicts = [one.document.path for one in shown if one.alignment == "conflicts"]
    relations = {one.relation for one in shown}
    if conflicts:
        read = f"Read {', '.join(conflicts)}."
        said.append(f"{read} To accept the proposal, write a record that supersedes what it conflicts with.")
    said += [text for relation, text in _SUGGESTIONS.items() if relation in relations]
    if has_records and not shown:
        said.append(
            "That nothing was found does not prove that no record covers this: call search-architecture"
            " (resource_type adr) with other words before writing a record."
        )
    return said
