# ruff: noqa: RUF001 -- people write these dashes
"""Parse what a record says about others: supersedes, superseded by, amends, amended by, related."""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from stithy_archdocs.adr.header_fields import HeaderField, find_header_sections, parse_header
from stithy_archdocs.adr.record_references import RecordReference, find_references, find_references_after_verb
from stithy_archdocs.adr.record_source import RecordSource, SourceLine
from stithy_archdocs.adr.status_words import STATUS_TITLE, is_placeholder
from stithy_archdocs.document_models import RecordLink

_NONE = re.compile(
    r"[\s*_~(>\"':：=|]*(?:"
    r"(?:none|nil|null|nothing|nobody|neither|never|not|n[./]?a\.?|tbd|does(?: not|n['’]t)|isn['’]t)(?![A-Za-z0-9/-])"
    r"|nein\b|no(?=[\s*_]*(?:$|[.,;:(–—](?!\s?\d)|-\s(?!\d)|(?:other|existing|previous|prior|earlier|older|such|one|adrs?|records?"
    r"|decisions?|documents?)\b))(?![ .]*#?\d)"
    r"|[-–—]+[\s*_]*(?:$|\()|[?{<]|\[\s*\]|$)",
    re.IGNORECASE,
)
"""Matches the beginning of a value that names nothing. `No. 12` and `[No ORM](3.md)` do name something."""
_NOT = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bneither|\bnor|\bwithout|\bno longer|\bcannot|\brather than|\binstead of)"
    r"[\s*_]+(?:[a-z]+[\s*_]+){0,2}$",
    re.IGNORECASE,
)
_AND = re.compile(r"[\s*_,]*(?:or|nor|and|/)[\s*_]+$|[\s*_,/]+$", re.IGNORECASE)
_EXCEPT = re.compile(r"(?:\bbut|\band|[,;(])\s*(?:not|excluding)\b|\bexcept(?: for)?\b", re.IGNORECASE)


def is_denied_value(text: str) -> bool:
    """Return whether the value of `Supersedes:` or "superseded by" states that there is nothing."""
    return _NONE.match(text) is not None


def is_denied_verb(text: str, start: int, *, previous_end: int | None = None) -> bool:
    """Return whether a verb is negated.

    Args:
        text: The line.
        start: Offset at which the verb begins.
        previous_end: Offset at which the verb before it ends, if that one is negated: "neither supersedes nor amends".
    """
    if _NOT.search(text[max(0, start - 60) : start]):
        return True
    return previous_end is not None and _AND.fullmatch(text[previous_end:start]) is not None


def end_of_affirmed(text: str) -> int:
    """Return the offset at which an exception begins ("ADR-3, but not ADR-4"); the length of the text if none does."""
    found = _EXCEPT.search(text)
    return found.start() if found else len(text)


_RELATIONS = {
    "superseded_by": r"(?:super[sc]ee?d?e?d|replaced|obsoleted|overridden|overruled|deprecated)[- ]+(?:by|with|through)"
    r"|super[sc]ee?d?ed(?=\s*[:(])|in favou?r of|see instead|successor",
    "supersedes": r"super[sc]edes?|superseding|superceding|replaces|replacing|obsoletes|overrides",
    "amended_by": r"(?:amended|augmented|extended|updated|refined|clarified|modified)[- ]+by",
    "amends": r"amends?|amending|extends|updates|refines|clarifies|modifies",
    "related": r"relate[sd](?: to)?|see also|depends on|builds on|links?|references?|complements|follows",
}
_VERB = re.compile(
    "|".join(f"(?P<{name}>(?<!no )\\b(?:{pattern})(?!\\w))" for name, pattern in _RELATIONS.items()), re.IGNORECASE
)
_RELATION_BY_KEY = {
    "superseded_by": "superseded_by", "superceded_by": "superseded_by", "supersededby": "superseded_by",
    "replaced_by": "superseded_by", "obsoleted_by": "superseded_by", "partially_superseded_by": "superseded_by",
    "supersedes": "supersedes", "supercedes": "supersedes", "replaces": "supersedes", "obsoletes": "supersedes",
    "partially_supersedes": "supersedes", "partly_superseded_by": "superseded_by",
    "amends": "amends", "extends": "amends", "updates": "amends",
    "amended_by": "amended_by", "extended_by": "amended_by", "updated_by": "amended_by",
    "related": "related", "relates_to": "related", "related_to": "related", "see_also": "related",
    "depends_on": "related",
    "links": "related", "related_adrs": "related", "related_decisions": "related", "related_adr": "related",
}  # fmt: skip
_PARTIAL = re.compile(r"\bpart(?:ly|ial(?:ly)?)\b|\bin part\b", re.IGNORECASE)
_LINKED = re.compile(
    r"^[\W\d_]*(?:links?|relat(?:ed|ions?|ionships?)\b.*|references?|more information|see also|supersedes|superseded by"
    r"|amends|dependencies|traceability|amendments?)\W*$",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"\bthis (?:adr|decision|record|document|proposal|rfc)?\s*(?:\w+\s+){0,3}?"
    r"(?:super[sc]edes?|superseding|replaces|amends|extends|(?:is|was|has been)(?: \w+)? (?:super[sc]eded"
    r"|replaced|amended) by)\b",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"[\W\d_]*(?:(?:note|warning|important|caution|update|status|this|the|adr|record|decision|document|proposal"
    r"|oep|rfc|is|was|has"
    r"|have|been|now|partially|partly|fully|largely|it)\W+)*",
    re.IGNORECASE,
)
_MOST = 200
_LONGEST_LINE = 4_000


def parse_links(source: RecordSource, header: list[HeaderField] | None = None) -> tuple[RecordLink, ...]:
    """Return all links of a record, each once; a specific relation wins over "related"."""
    found = [*_links_in_fields(parse_header(source) if header is None else header), *_links_in_sections(source)]
    kept: dict[tuple[str, str], RecordLink] = {}
    for link in found:
        kept.setdefault((link.relation, link.raw), link)
    told = {link.raw for link in kept.values()}
    for link in _iterate_mentions(source):
        if link.raw not in told and len(kept) < _MOST:
            told.add(link.raw)
            kept[link.relation, link.raw] = link
    return tuple(kept.values())


def parse_relations(text: str, line: int) -> Iterator[RecordLink]:
    """Iterate over the links that the verbs of a line state; a negated verb states none."""
    if is_placeholder(text):
        return
    verbs = [verb for verb in _VERB.finditer(text[:_LONGEST_LINE]) if not _is_in_link(text, verb.start())]
    denied_end: int | None = None
    for verb, following in zip_longest(verbs, verbs[1:]):
        relation = str(verb.lastgroup)
        begin = verb.end()
        rest = text[begin : following.start() if following else len(text)]
        if is_denied_verb(text, verb.start(), previous_end=denied_end):
            denied_end = begin
            continue
        denied_end = None
        if is_denied_value(rest) and rest.strip(" :*_"):
            continue
        partial = bool(_PARTIAL.search(text[max(0, verb.start() - 24) : verb.start()] + rest[:12]))
        named = _find_affirmed(rest)
        if relation != "superseded_by":
            named = [one for one in named if _is_explicit(one)]
        yield from _make_links(relation, named, line, partial=partial)


def _is_in_link(text: str, position: int) -> bool:
    """Return whether a verb is only part of another record's title or of a URL."""
    return any(one.start <= position < one.end for one in find_references(text) if one.url)


def _links_in_fields(header: Iterable[HeaderField]) -> Iterator[RecordLink]:
    for field in header:
        if field.key in ("status", "adr_status", "current_status", "decision_status", "state"):
            yield from parse_relations(field.value, field.line)
        elif (relation := _RELATION_BY_KEY.get(field.key)) and is_denied_value(field.value):
            yield from parse_relations(field.value, field.line)  # the verb in "None (extends ADR-87)" still counts
        elif relation:
            given = (
                find_references(field.value)
                if relation == "related" and field.form != "front_matter"
                else _find_affirmed(field.value)
            )
            partial = "part" in field.key or bool(_PARTIAL.search(field.value))
            yield from _make_links(relation, given, field.line, partial=partial)


def _links_in_sections(source: RecordSource) -> Iterator[RecordLink]:
    for section in source.find_sections(STATUS_TITLE):
        for line in source.get_lines(section):
            yield from parse_relations(line.text, line.number)
    for section in source.find_sections(_LINKED):
        verb = _VERB.match(section.headings[-1].lstrip("0123456789. "))
        of_title = str(verb.lastgroup) if verb else "related"
        for line in source.get_lines(section):
            if is_denied_value(line.text) and line.text.strip():
                of_title = "related"  # a record after "None" is only mentioned
            yield from _links_in_list_line(line, of_title)
    for section in find_header_sections(source):
        for number in range(source.get_heading_end(section) + 1, section.last + 1):
            text = source.lines[number - 1]
            if "by" in text and not source.is_hidden(number) and len(text) < _LONGEST_LINE:
                yield from _links_in_notice(text, number)


def _links_in_notice(text: str, line: int) -> Iterator[RecordLink]:
    """Iterate over the links of "this record is superseded by [12](…)"; sentences about other things do not count."""
    verb = _VERB.search(text)
    if verb and verb.lastgroup == "superseded_by" and _OF_ITSELF.fullmatch(text[: verb.start()]):
        yield from (
            link for link in parse_relations(text, line) if link.relation == "superseded_by" and _has_record(link)
        )


def _links_in_list_line(line: SourceLine, of_title: str) -> Iterator[RecordLink]:
    """Iterate over the links of a list line: "Supersedes [3](…)", "[3](…) - superseded by this", or a link alone."""
    lead = _VERB.search(line.text)
    given = list(find_references(line.text))
    if lead and (not given or lead.start() < given[0].start) and not _is_in_link(line.text, lead.start()):
        yield from (link for link in parse_relations(line.text, line.number) if _has_record(link))
    elif (
        lead
        and given
        and of_title == "related"
        and lead.lastgroup in ("superseded_by", "amended_by")
        and "this" in line.text.lower()
    ):
        yield from _make_links(
            {"superseded_by": "supersedes", "amended_by": "amends"}[str(lead.lastgroup)], given[:1], line.number
        )
    else:
        yield from _make_links(of_title, (one for one in given if _is_record(one)), line.number)


def _iterate_mentions(source: RecordSource) -> Iterator[RecordLink]:
    """Iterate over the links in the rest of the text: "this supersedes …", and records that are only mentioned."""
    for section in source.sections:
        for line in source.get_lines(section):
            if len(line.text) > _LONGEST_LINE:
                continue
            lower = line.text.lower()
            if "this" in lower and _OURS.search(line.text):
                yield from (link for link in parse_relations(line.text, line.number) if _has_record(link))
            if _may_mention_record(lower):
                yield from _make_links(
                    "related", (one for one in find_references(line.text) if _is_record(one)), line.number
                )


def _may_mention_record(lower: str) -> bool:
    """Return whether a line can mention a record at all; much cheaper than searching for references."""
    return (
        "](" in lower
        or "adr" in lower
        or ".adoc" in lower
        or ("`" in lower and any(sign in lower for sign in (":`", "<", "[")))
    )


def _is_record(reference: RecordReference) -> bool:
    if reference.url:
        return reference.is_local or (
            reference.is_remote and reference.url.endswith((".md", ".rst", ".adoc")) and bool(reference.number)
        )
    return bool(reference.number) or reference.raw.startswith((":ref:", ":doc:", "[["))


def _is_explicit(reference: RecordReference) -> bool:
    """Return whether a record is referred to by link, number or role, and not by words alone."""
    return bool(reference.url or reference.number or reference.raw.startswith((":", "[[")))


def _find_affirmed(text: str) -> list[RecordReference]:
    """Return the records behind a verb, without the excepted ones."""
    given = find_references_after_verb(text)
    end = end_of_affirmed(text)
    inside = any(one.start < end < one.end for one in given)
    return (
        given
        if inside or end == len(text)
        else [one for one in given if one.end <= end] or find_references_after_verb(text[:end])
    )


def _has_record(link: RecordLink) -> bool:
    return any(_is_record(one) for one in find_references(link.raw))


def _make_links(
    relation: str, given: Iterable[RecordReference], line: int, *, partial: bool = False
) -> Iterator[RecordLink]:
    for reference in given:
        yield RecordLink(relation=relation, raw=reference.raw.strip(), partial=partial, line=line)
