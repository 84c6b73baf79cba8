"""Draft new records: the header and the sections of the newest ones, without what they say."""

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_archdocs.adr.header_fields import HeaderField, find_header_sections, parse_header
from stithy_archdocs.adr.record_source import RecordSource
from stithy_archdocs.adr.status_words import STATUS_TITLE
from stithy_archdocs.authoring.folder_style import FolderStyle
from stithy_archdocs.authoring.record_titles import escape_title, measure_width
from stithy_archdocs.document_models import Document, Section
from stithy_archdocs.documents.document_parser import parse_source

NYGARD = """# {number}. {title}

Date: {date}

## Status

Proposed

## Context

## Decision

## Consequences
"""
MADR = """---
status: proposed
date: {date}
---

# {title}

## Context and Problem Statement

## Considered Options

## Decision Outcome

### Consequences
"""
TEMPLATES = {"nygard": NYGARD, "madr": MADR}
_HINTS = (
    (re.compile(r"(?i)context|problem"), "What is the situation, and why does it need a decision now?"),
    (re.compile(r"(?i)options|alternatives"), "Which options were there? One for each list item."),
    (re.compile(r"(?i)drivers"), "What weighs in the decision? One force for each list item."),
    (re.compile(r"(?i)decision"), "What is decided, in one sentence, and why?"),
    (re.compile(r"(?i)consequences"), "What becomes easier, what becomes harder, and what follows?"),
    (re.compile(r"(?i)confirmation|validation"), "How is it checked that the decision is followed?"),
)
_COMMENTS = {"markdown": "<!-- {} -->", "rst": ".. {}", "asciidoc": "// {}"}
_STANDARD = re.compile(r"(?i)(?:positive |negative |neutral )?consequences|confirmation|validation")
_DATE = re.compile(r"\d{4}-?\d\d-?\d\d")
_DATES = frozenset({"date", "created", "decision_date", "decided", "decided_on", "last_date"})
_STATUSES = frozenset({"status", "adr_status", "current_status", "decision_status", "record_status", "state"})
_PEOPLE = re.compile(r"deciders?|decision_makers?|authors?|owners?|approvers?|consulted|informed")
_LAID_OUT = frozenset({"layout", "parent", "grand_parent"})
_RULE = re.compile(r"^[\s|:+=-]*[|+=-][\s|:+=-]*$")
_DATE_TITLE = re.compile(r"^[\W\d_]*(?:decision )?date\W*$", re.IGNORECASE)


@frozen(kw_only=True)
class RecordDraft:
    """What a new record says.

    Args:
        title: Its title.
        number: Its number.
        today: Its date.
    """

    title: str
    number: int
    today: dt.date


def draft_record(style: FolderStyle, draft: RecordDraft, template: str = "") -> str:
    """Return the text of a new record; its status is that of the newest one, or proposed.

    Args:
        style: The style of its folder.
        draft: What it says.
        template: `nygard` or `madr`, instead of the form of the folder's records.
    """
    markup = style.markup
    if style.samples and not template:
        text = _Skeleton(style, draft).write()
    else:
        named = template or ("madr" if style.folder.rpartition("/")[2] == "decisions" else "nygard")
        title = escape_title(draft.title, "markdown")
        text = TEMPLATES[named].format(number=draft.number, title=title, date=draft.today.isoformat())
        markup = "markdown"
    return _add_hints(text, _COMMENTS[markup], parse_source(f"x{style.suffix}", text).sections)


def _add_hints(text: str, comment: str, sections: Sequence[Section]) -> str:
    lines = text.rstrip("\n").split("\n")
    for section in reversed(sections[1:] if sections and not sections[0].text.strip() else sections):
        title = section.headings[-1] if section.headings else ""
        hint = next((hint for pattern, hint in _HINTS if pattern.search(title)), "")
        if hint and not section.text.strip():
            end = section.last
            lines[end:end] = ["", comment.format(hint)]
    return "\n".join(lines) + "\n"


class _Skeleton:
    """Writes a record like the sample whose sections are the usual ones."""

    def __init__(self, style: FolderStyle, draft: RecordDraft) -> None:
        self._style, self._draft = style, draft
        sources = [parse_source(one.path, one.text) for one in style.samples]
        counts = Counter(name for source in sources for name in {_get_name(one) for one in source.sections})
        self._usual = {name for name, count in counts.items() if count * 2 > len(sources)}
        index = max(range(len(sources)), key=lambda at: self._count_usual(sources[at]))
        self._sample: Document = style.samples[index]
        self._source: RecordSource = sources[index]
        self._fields = {field.line: field for field in reversed(parse_header(self._source))}
        self._constant = _find_constant_fields([parse_header(source) for source in sources])
        self._headers = {section.first for section in find_header_sections(self._source)}

    def _count_usual(self, source: RecordSource) -> int:
        return len({_get_name(one) for one in source.sections} & self._usual)

    def write(self) -> str:
        """Return the text."""
        lines = [*self._write_front_matter()]
        title = next((one for one in self._source.sections if one.headings), None)
        for section in self._source.sections:
            lines += self._write_section(section, is_title=section is title)
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
        return text + "\n"

    def _write_front_matter(self) -> Iterator[str]:
        last = self._source.matter.last
        keys = {line: key for key, line in self._source.matter.lines.items()}
        for number in range(1, last + 1):
            line = self._source.lines[number - 1]
            if line.strip() in ("---", "..."):
                yield line
            elif key := keys.get(number):
                yield from self._write_entry(key, line)
        if last:
            yield ""

    def _write_entry(self, key: str, line: str) -> Iterator[str]:
        """Iterate over the lines for an entry of front matter: none if its value belongs to the sample alone."""
        name = re.sub(r"[\s_-]+", "_", key)
        head = line.partition(":")[0]
        number = self._sample.decision.numbers[0] if self._sample.decision and self._sample.decision.numbers else ""
        value = line.partition(":")[2].strip()
        if name in _STATUSES:
            yield line
        elif name in _DATES:
            yield _DATE.sub(self._draft.today.isoformat(), line)
        elif name == "title":
            yield f"{head}: {json.dumps(self._retitle(value.strip(chr(34) + chr(39))), ensure_ascii=False)}"
        elif name in _LAID_OUT or (value and (name, value.strip("\"'")) in self._constant):
            yield line
        elif number and re.fullmatch(rf"\D*0*{number}", value.strip("\"'")):
            yield f"{head}: {self._renumber(value, number)}"
        elif _PEOPLE.fullmatch(name):
            yield f"{head}:"

    def _write_section(self, section: Section, *, is_title: bool) -> Iterator[str]:
        end = self._source.get_heading_end(section)
        heading = self._source.lines[section.first - 1 : end] if section.headings else []
        name = _get_name(section)
        if is_title:
            yield from self._write_title(heading, section.headings[-1])
            if not any(self._source.lines[end : end + 1]):  # attributes of AsciiDoc stand directly below the title
                yield ""
        if STATUS_TITLE.match(name) and not is_title:
            yield from [*heading, *self._write_status_lines(section), ""]
        elif _DATE_TITLE.match(name) and not is_title:
            yield from [*heading, "", self._draft.today.isoformat(), ""]
        elif is_title or section.first in self._headers:
            yield from [*([] if is_title else heading), *self._write_header(section, end), ""]
        elif name in self._usual and self._is_main(section):
            yield from [*heading, ""]

    def _is_main(self, section: Section) -> bool:
        """Return whether a section is directly below the title, or one of the usual ones below those."""
        titled = (
            self._source.sections[0].headings or self._source.sections[min(1, len(self._source.sections) - 1)].headings
        )
        level = len(section.headings) - (section.headings[0] == titled[0] if titled else 0)
        return level <= 1 or bool(_STANDARD.fullmatch(section.headings[-1]))

    def _write_status_lines(self, section: Section) -> Iterator[str]:
        decision = self._sample.decision
        number = decision.status.line if decision else None
        if number is not None and section.first < number <= section.last:
            yield from ["", self._source.lines[number - 1]]

    def _write_header(self, section: Section, end: int) -> Iterator[str]:
        """Iterate over the fields of a header, with blank lines and the rules of tables between them."""
        for number in range(end + 1, section.last + 1):
            line = self._source.lines[number - 1]
            field = self._fields.get(number)
            if field and field.form != "front_matter":
                yield from self._write_field(field, line)
            elif not line.strip() or _RULE.match(line) or self._is_table_head(number):
                yield line

    def _is_table_head(self, number: int) -> bool:
        lines = self._source.lines
        following = lines[number] if number < len(lines) else ""
        return lines[number - 1].lstrip().startswith("|") and bool(_RULE.match(following)) and "|" in following

    def _write_field(self, field: HeaderField, line: str) -> Iterator[str]:
        if field.key in _STATUSES or (field.key in _DATES and _DATE.search(line)):
            yield _DATE.sub(self._draft.today.isoformat(), line)
        elif _PEOPLE.fullmatch(field.key):
            yield line.replace(field.value, "").rstrip() if field.form != "table" else line.replace(field.value, "")
        elif (field.key, field.value) in self._constant:
            yield line

    def _write_title(self, heading: list[str], old: str) -> Iterator[str]:
        new = self._retitle(old)
        for line in heading:
            bare = line.strip()
            if len(bare) > 1 and not bare.strip(bare[0]) and not bare[0].isalnum():
                yield bare[0] * max(measure_width(new), 3)
            else:
                yield line.replace(old, new) if old in line else f"{line[: len(line) - len(line.lstrip('#= '))]}{new}"

    def _retitle(self, old: str) -> str:
        """Return a heading for the new record in the form of an old one: `ADR-0012: Title`, `12. Title`, `Title`."""
        title = escape_title(self._draft.title, self._style.markup)
        number = self._sample.decision.numbers[0] if self._sample.decision and self._sample.decision.numbers else ""
        found = re.match(rf"(\D{{0,40}}?)(0*{number})(?!\d)([\s.:)\]–—-]+)", old) if number else None  # noqa: RUF001 -- people write these dashes
        if found:
            width = len(found[2]) if found[2][0] == "0" else 1
            return f"{found[1]}{self._draft.number:0{width}}{found[3]}{title}"
        lead = old[: -len(self._sample.title)] if old.endswith(self._sample.title) else ""
        return f"{lead}{title}"

    def _renumber(self, value: str, number: str) -> str:
        return re.sub(
            rf"0*{number}(?!\d)",
            lambda one: str(self._draft.number).zfill(len(one[0]) if one[0][0] == "0" else 1),
            value,
            count=1,
        )


def _get_name(section: Section) -> str:
    return section.headings[-1] if section.headings else ""


def _find_constant_fields(headers: Sequence[Sequence[HeaderField]]) -> set[tuple[str, str]]:
    """Return keys with the value that all samples have, of at least two."""
    if len(headers) < 2:  # noqa: PLR2004 -- one sample shows no custom
        return set()
    return set.intersection(*({(field.key, field.value) for field in header} for header in headers))
