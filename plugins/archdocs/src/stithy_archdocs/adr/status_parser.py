"""Parse the status of a record from all its forms, and choose the one that counts.

A record may state its status in front matter, a heading, a bullet, a table, boxes to tick or a history; see the table
in
plugins/archdocs/README.md.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import zip_longest

from attrs import evolve, frozen

from stithy_archdocs.adr.header_fields import HeaderField
from stithy_archdocs.adr.record_dates import parse_first_date
from stithy_archdocs.adr.record_source import RecordSource, SourceLine
from stithy_archdocs.adr.status_words import (
    STATUS_TITLE,
    UNREADABLE,
    StatusMeaning,
    interpret_status,
    is_placeholder,
    strip_markup,
)
from stithy_archdocs.document_models import DecisionState, DecisionStatus, DocumentProblem, RecordLink, Section

_KEYS = (
    "status",
    "statut",
    "estado",
    "stato",
    "adr_status",
    "current_status",
    "decision_status",
    "record_status",
    "document_status",
    "state",
)
_BOX = re.compile(r"^\s*(?:[-*+]\s+)?\[(?P<mark>[ xX✓✔])\](?![(\[])\s*(?P<text>.*)$")
_RELATION = re.compile(
    r"^\W*(?:super[sc]edes|amends|amended by|extends|replaces|relate[sd]|see also|updates|refines|clarifies|depends)\b",
    re.IGNORECASE,
)
_REPLACED = re.compile(r"super[sc]ee?d?ed|replaced|obsoleted|overridden", re.IGNORECASE)
_DRAFT_FILE = re.compile(r"(?:\d+[-_])?(?:DRAFT|WIP)[-_.]")
_DRAFT_TITLE = re.compile(
    r"(?:ADR)?[\s\d.:-]*(?i:[\[(](?:draft|wip)[\])]|(?:draft|wip|work in progress)\s*:|(?-i:DRAFT|WIP)\b)"
)
_MOST_LINES = 12
_FEW_WORDS = 2
_RAW = 300
_ADVANCED = (
    DecisionState.SUPERSEDED,
    DecisionState.DEPRECATED,
    DecisionState.REJECTED,
    DecisionState.IMPLEMENTED,
    DecisionState.ACCEPTED,
)


@frozen
class _StatusCandidate:
    raw: str
    form: str
    line: int
    meaning: StatusMeaning


def parse_status(
    source: RecordSource, header: list[HeaderField], links: Iterable[RecordLink], *, default: bool
) -> tuple[DecisionStatus, list[DocumentProblem]]:
    """Return the status of a record, and the problems with how it is written.

    Args:
        source: The record.
        header: The fields of its header.
        links: Its links: a link to a successor wins over the word of the status.
        default: Whether a record without a status is accepted and one with an unknown word a draft, as in log4brains.
    """
    found = [*_statuses_in_header(header), *_statuses_in_sections(source)] or [*_statuses_in_names(source)]
    said = _choose_status([one for one in found if not is_placeholder(one.raw)])
    problems = list(_find_problems(source, found, said))
    made = _make_status(said, default=default, placeholder=bool(found) and said is None, found=found)
    return _apply_successor_link(made, links), problems


def _statuses_in_header(header: list[HeaderField]) -> Iterator[_StatusCandidate]:
    for field in header:
        if field.key in _KEYS:
            yield _StatusCandidate(field.value, field.form, field.line, interpret_status(field.value))


def _statuses_in_sections(source: RecordSource) -> Iterator[_StatusCandidate]:
    form = "rst" if source.markup == "rst" else "heading"
    for section, following in zip_longest(source.sections, source.sections[1:]):
        title = STATUS_TITLE.match(section.headings[-1]) if section.headings else None
        if title is None:
            continue
        value = title["after"] or title["inside"]
        if not value and not source.get_lines(section) and following and _is_status(following, below=section):
            yield _StatusCandidate(
                following.headings[-1], form, following.first, interpret_status(following.headings[-1])
            )
        elif value and interpret_status(value).state is not DecisionState.UNKNOWN:
            yield _StatusCandidate(value, form, section.first, interpret_status(value))
        else:
            yield from _statuses_in_lines(
                source.get_lines(section)[:_MOST_LINES] or _get_short_quotation(source, section), form
            )


def _statuses_in_names(source: RecordSource) -> Iterator[_StatusCandidate]:
    """Iterate over a status if the file name or the title begins with it: "DRAFT-queue.md", "[WIP] Use a queue"."""
    heading = next((one for one in source.sections if one.headings), None)
    titled = heading is not None and _DRAFT_TITLE.match(heading.headings[0])
    if titled or _DRAFT_FILE.match(source.path.rpartition("/")[2]):
        yield _StatusCandidate("Draft", "name", heading.first if heading else 1, interpret_status("Draft"))


def _get_short_quotation(source: RecordSource, section: Section) -> Sequence[SourceLine]:
    """Return one or two quoted words under a heading; longer quotations explain the template."""
    lines = source.get_quotations(section)
    short = len(lines) == 1 and len(lines[0].text.split()) <= _FEW_WORDS
    return lines if short else ()


def _is_status(section: Section, *, below: Section) -> bool:
    """Return whether the heading below an empty "Status" heading is the status itself."""
    deeper = section.headings[:-1] == below.headings
    return deeper and interpret_status(section.headings[-1]).confidence == 1


def _statuses_in_lines(lines: Sequence[SourceLine], form: str) -> Iterator[_StatusCandidate]:
    """Iterate over the statuses under a heading: one value, boxes to tick, or a dated history."""
    boxes = [(line, box) for line in lines if (box := _BOX.match(line.text))]
    if boxes:
        ticked = [(line, box) for line, box in boxes if box["mark"] != " "]
        for line, box in ticked[-1:]:
            yield _StatusCandidate(box["text"].strip(), form, line.number, interpret_status(box["text"]))
        if ticked:
            return
        lines = [line for line in lines if not _BOX.match(line.text)]
    rows = [_reduce_row(line) for line in lines]
    said = [(line, means) for line in rows if (means := interpret_status(line.text)).state is not DecisionState.UNKNOWN]
    sure = [one for one in said if one[1].confidence == 1 and not _RELATION.match(one[0].text)]
    dated = [(when, line.number, (line, means)) for line, means in sure if (when := parse_first_date(line.text))]
    if len(dated) > 1 and len(dated) == len(sure):
        line, means = max(dated, key=_get_sort_key)[2]
    elif sure:
        line, means = sure[0]
    elif said:
        line, means = said[0]
    else:
        worded = [line for line in rows if not _RELATION.match(line.text)]
        for line in (worded or rows)[:1]:
            yield _StatusCandidate(_strip_markup_or_space(line.text), form, line.number, UNREADABLE)
        return
    yield _StatusCandidate(_strip_markup_or_space(line.text), form, line.number, means)


def _get_sort_key(dated: tuple[date, int, object]) -> tuple[date, int]:
    return dated[0], dated[1]


def _reduce_row(line: SourceLine) -> SourceLine:
    """Reduce a table row to its cell with a state and its cells with dates."""
    if not line.text.lstrip().startswith("|"):
        return line
    cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
    stated = [cell for cell in cells if interpret_status(cell).confidence == 1]
    return (
        SourceLine(line.number, " ".join([*stated[:1], *(cell for cell in cells if parse_first_date(cell))]))
        if stated
        else SourceLine(line.number, "")
    )


def _choose_status(found: list[_StatusCandidate]) -> _StatusCandidate | None:
    """Choose the status that is furthest in the life of a record, since templates start with the earliest one."""
    known = [one for one in found if one.meaning.state is not DecisionState.UNKNOWN]
    sure = [one for one in known if one.meaning.confidence == 1] or known
    # Templates leave "Proposed" in front matter while the heading says "Accepted": the later state is the actual one.
    for state in _ADVANCED:
        for one in sure:
            if one.meaning.state is state:
                return one
    return next(iter(sure or found), None)


def _make_status(
    said: _StatusCandidate | None, *, default: bool, placeholder: bool, found: list[_StatusCandidate]
) -> DecisionStatus:
    if said is None:
        if placeholder:
            return DecisionStatus(raw=_shorten(found[0].raw), form=found[0].form, line=found[0].line)
        return (
            DecisionStatus(state=DecisionState.ACCEPTED, form="default", confidence=0.5)
            if default
            else DecisionStatus()
        )
    state = said.meaning.state
    confidence = said.meaning.confidence
    if state is DecisionState.UNKNOWN and default:
        state, confidence = DecisionState.DRAFT, 0.5
    others = {one.meaning.state for one in found} - {DecisionState.UNKNOWN, state}
    return DecisionStatus(
        raw=_shorten(said.raw),
        state=state,
        form=said.form,
        confidence=confidence * (0.6 if others else 1),
        line=said.line,
    )


def _apply_successor_link(made: DecisionStatus, links: Iterable[RecordLink]) -> DecisionStatus:
    for link in links:
        if link.relation == "superseded_by" and not link.partial and made.state is not DecisionState.SUPERSEDED:
            if made.state in (DecisionState.REJECTED, DecisionState.DEPRECATED) and not _REPLACED.search(made.raw):
                continue
            if made.form == "none":
                return DecisionStatus(
                    raw=link.raw, state=DecisionState.SUPERSEDED, form="link", confidence=0.9, line=link.line
                )
            return evolve(made, state=DecisionState.SUPERSEDED, confidence=0.9)
    return made


def _find_problems(
    source: RecordSource, found: list[_StatusCandidate], said: _StatusCandidate | None
) -> Iterator[DocumentProblem]:
    if found and said is None:
        text = f"the status is still the template's placeholder {_shorten(found[0].raw)!r}; write the actual status"
        yield DocumentProblem(rule="placeholder", path=source.path, line=found[0].line, message=text)
    elif said and said.meaning.state is DecisionState.UNKNOWN:
        text = f"unknown status {_shorten(said.raw)!r}; expected accepted, proposed, rejected, superseded or similar"
        yield DocumentProblem(rule="unparsed-status", path=source.path, line=said.line, message=text)
    elif not found:
        text = "the record has no status; add a heading 'Status' with one word below it"
        yield DocumentProblem(rule="no-status", path=source.path, message=text)
    different = {one.meaning.state: one for one in found if one.meaning.confidence == 1}
    if len(different) > 1:
        text = "conflicting statuses: " + ", ".join(f"{one.raw!r} in line {one.line}" for one in different.values())
        yield DocumentProblem(
            rule="conflicting-status", path=source.path, line=next(iter(different.values())).line, message=text
        )


def _strip_markup_or_space(text: str) -> str:
    return strip_markup(text) or text.strip()


def _shorten(text: str) -> str:
    return text if len(text) <= _RAW else text[: _RAW - 1] + "…"
