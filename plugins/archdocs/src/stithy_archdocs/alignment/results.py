"""What check-adr-alignment answers with."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from attrs import frozen

from stithy_archdocs.alignment.weighing import Verdict
from stithy_core.spi import Hint, Meta

MOST_EVIDENCE = 3
_QUOTE = 240


@frozen(kw_only=True)
class Evidence:
    """A place of a record that an answer rests on."""

    quote: str
    path: str
    line: int
    rule: str


@frozen(kw_only=True)
class Related:
    """A record that has something to say."""

    uri: Annotated[str, Meta("Read it whole with resources/read")]
    title: str
    adr_id: str
    status: str
    alignment: Literal["supports", "conflicts", "related"]
    reason: str
    relation: Annotated[str, Meta("How the two stand to each other, more exactly", cut=False)]
    confidence: Annotated[float, Meta("From 0 to 1")]
    evidence: list[Evidence]


@frozen(kw_only=True)
class Conflict:
    """A record that the proposal goes against."""

    adr_uri: str
    conflict_description: str


@frozen(kw_only=True)
class Alignment:
    """What the records say: conflicts first."""

    related_adrs: list[Related]
    conflicts: list[Conflict]
    suggestions: list[str]
    compared: Annotated[int, Meta("Decision records that there are")]
    omitted: Annotated[int, Meta("Records that had something to say, too, and are not shown")] = 0
    unread: Annotated[int | None, Meta("Documents that are still being read: ask again in some seconds")] = None

    def render(self) -> Iterator[str]:
        """Say it in a line for each record."""
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read: ask again in some seconds.")
        if not self.compared and not self.unread:
            yield Hint("There are no decision records here. [archdocs] in stithy.toml says where they are.")
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
    """Give a verdict as it is sent."""
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
    """Give the places, each once: those of the verdict's own side first."""
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
    """Say in one line what a proposal goes against, and where."""
    place = _evidence(verdict)[0]
    return f'{verdict.reason}: "{place.quote}" ({place.path}:{place.line})'


def suggestions(shown: Sequence[Verdict], *, has_records: bool) -> list[str]:
    """Say what to do next."""
    said = []
    conflicts = [one.document.path for one in shown if one.alignment == "conflicts"]
    relations = {one.relation for one in shown}
    if conflicts:
        read = f"Read {', '.join(conflicts)}."
        said.append(f"{read} If the proposal shall hold, write a record that supersedes what it goes against.")
    if "previously_rejected" in relations:
        said.append("It was rejected before: say what has changed since.")
    if "superseded" in relations:
        said.append("Refer to the record that holds now, not to the superseded one.")
    if "proposed_only" in relations:
        said.append("A proposal of the same subject is not decided yet: decide both together.")
    if has_records and not shown:
        said.append(
            "That no relation was recognized does not show that no record is about this: search with"
            " search-architecture (resource_type adr) and read what it finds before you write a record."
        )
    return said
