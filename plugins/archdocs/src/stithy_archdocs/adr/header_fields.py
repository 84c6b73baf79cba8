# ruff: noqa: RUF001 -- people write these dashes and colons
"""Parse the `key: value` pairs of a record's header, in all the forms in which people write them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from attrs import frozen

from stithy_archdocs.adr.record_source import RecordSource, SourceLine
from stithy_archdocs.document_models import Section
from stithy_archdocs.documents.document_locations import Markup

_KEYS = (
    r"(?:(?:adr|current|decision|record|document)[ _-])?status|statut|estado|stato|state"
    r"|(?:(?:adr|decision|last)[ _-])?date"
    r"|created|decided(?: on)?"
    r"|deciders?|decision[- ]makers?|authors?|owners?|approvers?"
    r"|review(?:[- ](?:date|by|on))?|next review|revisit(?: on| by)?|expires?"
    r"|(?:partially |partly )?superse?c?e?ded[- ]by|replaced[- ]by|(?:partially )?super[sc]edes|replaces"
    r"|obsoletes|obsoleted[- ]by"
    r"|amends|amended[- ]by|extends|extended[- ]by|updates|updated[- ]by"
    r"|relate[sd](?: to| adrs?| decisions?| records?)?|see[- ]also|depends on|links?|id|adr(?: id| number|"
    r" no\.?)?|number|tags?"
)
_FIELD = re.compile(
    rf"^\s*(?:(?:[-*+•]|\d{{1,2}}[.)])\s+)?(?P<mark>\*\*|__|\*|_|`|<b>|<strong>)?[\s:]*(?P<key>{_KEYS})\s*"
    r"(?P<inner>[:：])?\s*(?P<close>\*\*|__|\*|_|`|</b>|</strong>)?\s*(?P<outer>[:：]"
    r"|(?(inner)(?!)|[-–—](?=\s)))?\s*(?P<value>.*?)\s*\\?$",
    re.IGNORECASE,
)
_RST_FIELD = re.compile(rf"^\s*:(?P<key>{_KEYS}):\s+(?P<value>.+?)\s*$", re.IGNORECASE)
_DESCRIBED = re.compile(rf"^\s*(?P<key>{_KEYS})::\s+(?P<value>.+?)\s*$", re.IGNORECASE)
"""Matches an entry of a description list in AsciiDoc; an attribute entry there is like a field of RST."""
_SPLIT = re.compile(
    r"(?<!\s)(?:\s{3,}|\s*(?:\||·|•|<br\s{0,3}/?>|&nbsp;)\s*)(?=(?:\*\*|__|<b>)[^*_]+(?:\*\*|__|</b>)?\s*[:：]?)"
)
_ROW = re.compile(r"^\s*\|(.*?)\|?\s*$")
_RULE = re.compile(r"^[\s|:+=-]+$")
_RELATION_KEYS = ("type", "relation", "rel", "kind")
_TARGET_KEYS = ("target", "adr", "ref", "to", "id", "path", "uri", "url", "document")
_ABOUT = re.compile(
    r"^(?:adr )?(?:meta(?:data)?|meta information|info(?:rmation)?|details|document (?:info|control|details)"
    r"|header|summary"
    r"|general|overview|properties|administrative|adr (?:info|details|metadata)|decision (?:info|details|record))\b",
    re.IGNORECASE,
)


@frozen
class HeaderField:
    """A key and value of a record's header.

    Args:
        key: The key in lower case, with `_` between words.
        value: The value as written.
        form: How it is written: front_matter, rst, bold, bullet or table.
        line: Line number, from 1.
    """

    key: str
    value: str
    form: str
    line: int


def parse_header(source: RecordSource) -> list[HeaderField]:
    """Return the fields of the front matter and of the header."""
    found = list(_fields_in_front_matter(source))
    for section in find_header_sections(source):
        lines = source.get_lines(section)
        found += _fields_in_tables(lines)
        if source.markup == "rst":
            found += _fields_in_list_tables(lines)
        if source.markup == "asciidoc":
            found += _fields_in_cell_lines(lines)
        for line in lines:
            found += _fields_in_line(line, source.markup)
        found += _fields_in_quotation(source, section, {field.key for field in found})
    return found


def _fields_in_quotation(source: RecordSource, section: Section, known: AbstractSet[str]) -> Iterator[HeaderField]:
    """Iterate over fields in a quotation (`> **Status**: Accepted`) whose key occurs nowhere else."""
    for line in source.get_quotations(section):
        yield from (field for field in _fields_in_line(line, source.markup) if field.key not in known and field.value)


def find_header_sections(source: RecordSource) -> Iterator[Section]:
    """Iterate over the sections that describe the record: those before the second heading, and "Metadata" etc."""
    for index, section in enumerate(source.sections):
        title = len(section.headings) == 1 and index < 2  # noqa: PLR2004 -- the text before the title, and the title's
        if not section.headings or title or (section.headings and _ABOUT.search(section.headings[-1])):
            yield section


def _fields_in_front_matter(source: RecordSource) -> Iterator[HeaderField]:
    for key, value in source.matter.values.items():
        line = source.matter.lines.get(key, 1)
        for named, text in _flatten_value(key, value):
            if isinstance(text, str) and text.strip():
                yield HeaderField(_normalize_key(named), text.strip(), "front_matter", line)


def _flatten_value(key: str, value: object) -> Iterator[tuple[str, object]]:
    """Flatten a value of front matter: a text, a list, `{supersedes: 3}` or `{type: supersedes, target: 3}`."""
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, Mapping):
            yield key, one
            continue
        lower = {str(name).lower(): inner for name, inner in one.items()}
        relation = next((lower[name] for name in _RELATION_KEYS if isinstance(lower.get(name), str)), None)
        target = next((lower[name] for name in _TARGET_KEYS if name in lower), None)
        said = [(str(relation), target)] if relation and target else lower.items()
        yield from ((name, part) for name, parts in said for part in (parts if isinstance(parts, list) else [parts]))


def _fields_in_line(line: SourceLine, markup: Markup) -> Iterator[HeaderField]:
    pieces = (
        _SPLIT.split(line.text)
        if "|" in line.text or "<br" in line.text or "·" in line.text or "   " in line.text
        else [line.text]
    )
    if _ROW.match(line.text):
        return
    for piece in pieces:
        found = _RST_FIELD.match(piece) if markup != "markdown" else None
        if found is None and markup == "asciidoc":
            found = _DESCRIBED.match(piece)
        if found is None:
            found = _FIELD.match(piece)
            if found is None or not (found["inner"] or found["outer"] or (found["mark"] and found["close"])):
                continue
        bold = "mark" in found.re.groupindex and found["mark"]
        form = "rst" if markup == "rst" else "bold" if bold else "bullet"
        yield HeaderField(_normalize_key(found["key"]), found["value"].strip(), form, line.number)


def _fields_in_tables(lines: Sequence[SourceLine]) -> Iterator[HeaderField]:
    """Iterate over the fields in rows of two cells, and in tables whose head row has the keys."""
    rows = [(line.number, cells) for line in lines if (cells := _split_cells(line.text)) is not None]
    for number, cells in rows:
        if len(cells) > 1 and (found := _match_key(cells[0])) and cells[1]:
            yield HeaderField(found, cells[1], "table", number)
    heads = [(number, [_match_key(cell) for cell in cells]) for number, cells in rows]
    for (number, keys), (below, values) in zip(heads, rows[1:], strict=False):
        named = [key for key in keys if key]
        if len(named) > 1 and below - number <= 2 and not _match_key(values[0] if values else ""):  # noqa: PLR2004 -- the rule between
            for key, value in zip(keys, values, strict=False):
                if key and value:
                    yield HeaderField(key, value, "table", below)


def _split_cells(text: str) -> list[str] | None:
    found = _ROW.match(text)
    if found is None or _RULE.match(text):
        return None
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", found[1])]


def _fields_in_cell_lines(lines: Sequence[SourceLine]) -> Iterator[HeaderField]:
    """Iterate over the fields of AsciiDoc tables that have each cell in its own line: `|Status` above `|Accepted`."""
    for line, below in pairwise(lines):
        head, value = _split_cells(line.text), _split_cells(below.text)
        if head and value and len(head) == len(value) == 1 and value[0] and (key := _match_key(head[0])):
            yield HeaderField(key, value[0], "table", below.number)


def _match_key(cell: str) -> str | None:
    bare = re.sub(r"[*_`:]", " ", re.sub(r"<[^>]*>", "", cell)).strip()
    return _normalize_key(bare) if re.fullmatch(_KEYS, bare, re.IGNORECASE) else None


def _fields_in_list_tables(lines: Sequence[SourceLine]) -> Iterator[HeaderField]:
    """Iterate over the fields of RST list tables: `* - Status` with `- Accepted` in the next line."""
    for line, below in pairwise(lines):
        head = re.match(r"^\s*\*\s+-\s+(.+)$", line.text)
        value = re.match(r"^\s+-\s+(.+)$", below.text)
        if head and value and (key := _match_key(head[1])):
            yield HeaderField(key, value[1].strip(), "table", below.number)


def _normalize_key(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().lower())
