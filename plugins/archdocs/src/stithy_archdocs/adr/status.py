"""The status of a decision record: every form in which it is written, and which one counts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import zip_longest

from attrs import evolve, frozen

from stithy_archdocs.adr.dates import first_date
from stithy_archdocs.adr.header import Field
from stithy_archdocs.adr.source import Line, Source
from stithy_archdocs.adr.words import STATUS_TITLE, UNREADABLE, Meaning, clean, is_placeholder, meaning
from stithy_archdocs.records import Link, Problem, Section, State, Status

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
_BOX = re.compile(r"^\s*(?:[-*+]\s+)?\[(?P<mark>[ xX✓✔])\]\s*(?P<text>.*)$")
_RELATION = re.compile(
    r"^\W*(?:super[sc]edes|amends|amended by|extends|replaces|relate[sd]|see also|updates|refines|clarifies|depends)\b",
    re.IGNORECASE,
)
_REPLACED = re.compile(r"super[sc]ee?d?ed|replaced|obsoleted|overridden", re.IGNORECASE)
_MOST_LINES = 12
_FEW_WORDS = 2
_RAW = 300
_ADVANCED = (State.SUPERSEDED, State.DEPRECATED, State.REJECTED, State.IMPLEMENTED, State.ACCEPTED)


@frozen
class _Candidate:
    raw: str
    form: str
    line: int
    meaning: Meaning


def status(
    source: Source, header: list[Field], links: Iterable[Link], *, default: bool
) -> tuple[Status, list[Problem]]:
    """Say how a record stands, and what is wrong with how it says so.

    Args:
        source: The record.
        header: What it says of itself.
        links: What it says of others: a link to its successor outranks its word.
        default: Whether a record without a status is accepted, and one with an unknown word a draft, as log4brains
            has it.
    """
    found = [*_of_header(header), *_of_sections(source)]
    said = _choose([one for one in found if not is_placeholder(one.raw)])
    problems = list(_problems(source, found, said))
    made = _made(said, default=default, placeholder=bool(found) and said is None, found=found)
    return _outranked(made, links), problems


def _of_header(header: list[Field]) -> Iterator[_Candidate]:
    for field in header:
        if field.key in _KEYS:
            yield _Candidate(field.value, field.form, field.line, meaning(field.value))


def _of_sections(source: Source) -> Iterator[_Candidate]:
    form = "rst" if source.rst else "heading"
    for section, following in zip_longest(source.sections, source.sections[1:]):
        title = STATUS_TITLE.match(section.headings[-1]) if section.headings else None
        if title is None:
            continue
        value = title["after"] or title["inside"]
        if not value and not source.within(section) and following and _states(following, below=section):
            yield _Candidate(following.headings[-1], form, following.first, meaning(following.headings[-1]))
        elif value and meaning(value).state is not State.UNKNOWN:
            yield _Candidate(value, form, section.first, meaning(value))
        else:
            yield from _of_lines(source.within(section)[:_MOST_LINES] or _quoted(source, section), form)


def _quoted(source: Source, section: Section) -> Sequence[Line]:
    """Give the one word or two that are quoted under a heading; longer quotations explain what may be written."""
    lines = source.quoted(section)
    short = len(lines) == 1 and len(lines[0].text.split()) <= _FEW_WORDS
    return lines if short else ()


def _states(section: Section, *, below: Section) -> bool:
    """Tell whether the heading below an empty "Status" is the status itself."""
    deeper = section.headings[:-1] == below.headings
    return deeper and meaning(section.headings[-1]).confidence == 1


def _of_lines(lines: Sequence[Line], form: str) -> Iterator[_Candidate]:
    """Read what stands under a heading: one value, boxes to tick, or a history."""
    boxes = [(line, box) for line in lines if (box := _BOX.match(line.text))]
    if boxes:
        ticked = [(line, box) for line, box in boxes if box["mark"] != " "]
        for line, box in ticked[-1:]:
            yield _Candidate(box["text"].strip(), form, line.number, meaning(box["text"]))
        if ticked:
            return
        lines = [line for line in lines if not _BOX.match(line.text)]
    rows = [_row(line) for line in lines]
    said = [(line, means) for line in rows if (means := meaning(line.text)).state is not State.UNKNOWN]
    sure = [one for one in said if one[1].confidence == 1 and not _RELATION.match(one[0].text)]
    dated = [(when, line.number, (line, means)) for line, means in sure if (when := first_date(line.text))]
    if len(dated) > 1 and len(dated) == len(sure):
        line, means = max(dated, key=_moment)[2]
    elif sure:
        line, means = sure[0]
    elif said:
        line, means = said[0]
    else:
        worded = [line for line in rows if not _RELATION.match(line.text)]
        for line in (worded or rows)[:1]:
            yield _Candidate(_shown(line.text), form, line.number, UNREADABLE)
        return
    yield _Candidate(_shown(line.text), form, line.number, means)


def _moment(dated: tuple[date, int, object]) -> tuple[date, int]:
    return dated[0], dated[1]


def _row(line: Line) -> Line:
    """Take a table's row for the one cell that is a state."""
    if not line.text.lstrip().startswith("|"):
        return line
    cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
    stated = [cell for cell in cells if meaning(cell).confidence == 1]
    return (
        Line(line.number, " ".join([*stated[:1], *(cell for cell in cells if first_date(cell))]))
        if stated
        else Line(line.number, "")
    )


def _choose(found: list[_Candidate]) -> _Candidate | None:
    """Choose among several: what is furthest in a record's life, since templates begin with its beginning."""
    known = [one for one in found if one.meaning.state is not State.UNKNOWN]
    sure = [one for one in known if one.meaning.confidence == 1] or known
    for state in _ADVANCED:
        for one in sure:
            if one.meaning.state is state:
                return one
    return next(iter(sure or found), None)


def _made(said: _Candidate | None, *, default: bool, placeholder: bool, found: list[_Candidate]) -> Status:
    if said is None:
        if placeholder:
            return Status(raw=_short(found[0].raw), form=found[0].form, line=found[0].line)
        return Status(state=State.ACCEPTED, form="default", confidence=0.5) if default else Status()
    state = said.meaning.state
    confidence = said.meaning.confidence
    if state is State.UNKNOWN and default:
        state, confidence = State.DRAFT, 0.5
    others = {one.meaning.state for one in found} - {State.UNKNOWN, state}
    return Status(
        raw=_short(said.raw),
        state=state,
        form=said.form,
        confidence=confidence * (0.6 if others else 1),
        line=said.line,
    )


def _outranked(made: Status, links: Iterable[Link]) -> Status:
    for link in links:
        if link.relation == "superseded_by" and not link.partial and made.state is not State.SUPERSEDED:
            if made.state in (State.REJECTED, State.DEPRECATED) and not _REPLACED.search(made.raw):
                continue
            if made.form == "none":
                return Status(raw=link.raw, state=State.SUPERSEDED, form="link", confidence=0.9, line=link.line)
            return evolve(made, state=State.SUPERSEDED, confidence=0.9)
    return made


def _problems(source: Source, found: list[_Candidate], said: _Candidate | None) -> Iterator[Problem]:
    if found and said is None:
        text = f"the status is still the template's: {_short(found[0].raw)!r}; write what it is"
        yield Problem(rule="placeholder", path=source.path, line=found[0].line, message=text)
    elif said and said.meaning.state is State.UNKNOWN:
        text = f"{_short(said.raw)!r} is no status that is known; write accepted, proposed, rejected, superseded or so"
        yield Problem(rule="unparsed-status", path=source.path, line=said.line, message=text)
    elif not found:
        text = "nothing says how the decision stands; add a heading 'Status' with one word"
        yield Problem(rule="no-status", path=source.path, message=text)
    different = {one.meaning.state: one for one in found if one.meaning.confidence == 1}
    if len(different) > 1:
        text = "it says " + " and ".join(f"{one.raw!r} in line {one.line}" for one in different.values())
        yield Problem(
            rule="conflicting-status", path=source.path, line=next(iter(different.values())).line, message=text
        )


def _shown(text: str) -> str:
    return clean(text) or text.strip()


def _short(text: str) -> str:
    return text if len(text) <= _RAW else text[: _RAW - 1] + "…"
