"""Results of `check-adr-alignment`."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from attrs import frozen

from stithy_archdocs.alignment.weighing import Verdict
from stithy_core.spi import Hint, Meta

MOST_EVIDENCE = 3
_QUOTE = 240


@frozen(kw_only=True)
class Evidence:
    """A passage of a record that supports the verdict."""

    quote: str
    path: str
    line: int
    rule: str


@frozen(kw_only=True)
class Related:
    """A record that concerns the proposal."""

    uri: Annotated[str, Meta("Pass to resources/read for the whole record")]
    title: str
    adr_id: str
    status: str
    alignment: Literal["supports", "conflicts", "related"]
    reason: str
    relation: Annotated[str, Meta("More specific relation between proposal and record", cut=False)]
    confidence: Annotated[float, Meta("From 0 to 1")]
    evidence: list[Evidence]


@frozen(kw_only=True)
class Conflict:
    """A record that the proposal conflicts with."""

    adr_uri: str
    conflict_description: str


@frozen(kw_only=True)
class Alignment:
    """The result of `check-adr-alignment`: conflicts first."""

    related_adrs: list[Related]
    conflicts: list[Conflict]
    suggestions: list[str]
    compared: Annotated[int, Meta("Number of decision records")]
    omitted: Annotated[int, Meta("Related records that are not shown")] = 0
    unread: Annotated[int | None, Meta("Documents that are still being read; try again in a few seconds")] = None

    def render(self) -> Iterator[str]:
        """Return one line for each record."""
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read; try again in a few seconds.")
        if not self.compared and not self.unread:
            yield Hint("The project has no decision records. Set their location in [archdocs] in stithy.toml.")
            return
        if not self.related_adrs:
            yield Hint(f"No relation to the proposal was recognized in {self.compared} decision records.")
        for one in self.related_adrs:
            yield (
                f"- {one.alignment} ({one.relation}, {one.confidence}): {one.uri} {one.title} [{one.status}]:"
                f" {one.reason}"
            )
            for place in one.evidence:
                yield f"  {place.path}:{place.line} ({place.rule}) {place.quote}"
        yield from (f"Suggestion: {text}" for text in self.suggestions)


def related(verdict: Verdict) -> Related:
    """Convert a verdict to a result."""
    document = verdict.document
    numbers = document.decision.numbers if document.decision else ()
    return Related(
        uri=document.uri,
        title=document.title,
        adr_id=numbers[0] if numbers else document.names[1] if len(document.names) > 1 else document.names[0],
        status=verdict.state.value,
        alignment=verdict.alignment,  # type: ignore[arg-type]
        reason=verdict.reason,
        relation=verdict.relation,
        confidence=round(verdict.confidence, 2),
        evidence=_evidence(verdict),
    )


def _evidence(verdict: Verdict) -> list[Evidence]:
    """Return the passages, each once; those for the verdict's own alignment first."""
    found: dict[int, Evidence] = {}
    for signal in sorted(verdict.signals, key=lambda one: one.alignment != verdict.alignment):
        said = signal.evidence
        if said is not None and said.line not in found:
            found[said.line] = Evidence(
                quote=said.quote[:_QUOTE], path=verdict.document.path, line=said.line, rule=signal.rule
            )
    if not found:
        line = next((section.first for section in verdict.document.sections if section.headings), 1)
        found[line] = Evidence(quote=verdict.document.title, path=verdict.document.path, line=line, rule="same-words")
    return list(found.values())[:MOST_EVIDENCE]


def conflict(verdict: Verdict) -> str:
    """Return one line with what a proposal conflicts with, and where."""
    place = _evidence(verdict)[0]
    return f'{verdict.reason}: "{place.quote}" ({place.path}:{place.line})'


def suggestions(shown: Sequence[Verdict], *, has_records: bool) -> list[str]:
    """Return what to do next."""
    said = []
    conflicts = [one.document.path for one in shown if one.alignment == "conflicts"]
    relations = {one.relation for one in shown}
    if conflicts:
        read = f"Read {', '.join(conflicts)}."
        said.append(f"{read} To accept the proposal, write a record that supersedes what it conflicts with.")
    if "previously_rejected" in relations:
        said.append("It was rejected before: state what has changed since.")
    if "superseded" in relations:
        said.append("Refer to the current record, not to the superseded one.")
    if "proposed_only" in relations:
        said.append("A proposal on the same subject is still open: decide both together.")
    if has_records and not shown:
        said.append(
            "That no relation was recognized does not prove that no record covers this: call"
            " search-architecture (resource_type adr) and read the results before writing a record."
        )
    return said
