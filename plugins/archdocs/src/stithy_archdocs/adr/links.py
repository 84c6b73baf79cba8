"""What a record says of others: supersedes, superseded by, amends, amended by, related."""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from stithy_archdocs.adr.denials import end_of_affirmed, is_denied_value, is_denied_verb
from stithy_archdocs.adr.header import Field, fields, header_sections
from stithy_archdocs.adr.references import Reference, after_verb, references
from stithy_archdocs.adr.source import Line, Source
from stithy_archdocs.adr.words import STATUS_TITLE, is_placeholder
from stithy_archdocs.records import Link

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
_OF_KEY = {
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


def links(source: Source, header: list[Field] | None = None) -> tuple[Link, ...]:
    """Give all links of a record, each once: what says more than "related" comes first."""
    found = [*_of_fields(fields(source) if header is None else header), *_of_sections(source)]
    kept: dict[tuple[str, str], Link] = {}
    for link in found:
        kept.setdefault((link.relation, link.raw), link)
    told = {link.raw for link in kept.values()}
    for link in _mentions(source):
        if link.raw not in told and len(kept) < _MOST:
            told.add(link.raw)
            kept[link.relation, link.raw] = link
    return tuple(kept.values())


def in_status(text: str, line: int) -> Iterator[Link]:
    """Read the verbs of one line, each with the records after it; a verb that is negated relates to nothing."""
    if is_placeholder(text):
        return
    verbs = [verb for verb in _VERB.finditer(text[:_LONGEST_LINE]) if not _in_link(text, verb.start())]
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
        named = _affirmed(rest)
        if relation != "superseded_by":
            named = [one for one in named if _is_named(one)]
        yield from _made(relation, named, line, partial=partial)


def _in_link(text: str, position: int) -> bool:
    """Tell whether a verb is only a word of another record's title or of a URL."""
    return any(one.start <= position < one.end for one in references(text) if one.url)


def _of_fields(header: Iterable[Field]) -> Iterator[Link]:
    for field in header:
        if field.key in ("status", "adr_status", "current_status", "decision_status", "state"):
            yield from in_status(field.value, field.line)
        elif (relation := _OF_KEY.get(field.key)) and is_denied_value(field.value):
            yield from in_status(field.value, field.line)  # "None (extends ADR-87)" has a verb of its own
        elif relation:
            given = (
                references(field.value)
                if relation == "related" and field.form != "front_matter"
                else _affirmed(field.value)
            )
            partial = "part" in field.key or bool(_PARTIAL.search(field.value))
            yield from _made(relation, given, field.line, partial=partial)


def _of_sections(source: Source) -> Iterator[Link]:
    for section in source.parts(STATUS_TITLE):
        for line in source.within(section):
            yield from in_status(line.text, line.number)
    for section in source.parts(_LINKED):
        verb = _VERB.match(section.headings[-1].lstrip("0123456789. "))
        of_title = str(verb.lastgroup) if verb else "related"
        for line in source.within(section):
            if is_denied_value(line.text) and line.text.strip():
                of_title = "related"  # what is named after "None" is only mentioned
            yield from _listed(line, of_title)
    for section in header_sections(source):
        for number in range(source.heading_ends(section) + 1, section.last + 1):
            text = source.lines[number - 1]
            if "by" in text and not source.is_hidden(number) and len(text) < _LONGEST_LINE:
                yield from _replaced(text, number)


def _replaced(text: str, line: int) -> Iterator[Link]:
    """Read "this record is superseded by [12](…)"; what is said of anything else does not count."""
    verb = _VERB.search(text)
    if verb and verb.lastgroup == "superseded_by" and _OF_ITSELF.fullmatch(text[: verb.start()]):
        yield from (link for link in in_status(text, line) if link.relation == "superseded_by" and _names_one(link))


def _listed(line: Line, of_title: str) -> Iterator[Link]:
    """Read a line of a list of links: "Supersedes [3](…)", "[3](…) - superseded by this", or a link alone."""
    lead = _VERB.search(line.text)
    given = list(references(line.text))
    if lead and (not given or lead.start() < given[0].start) and not _in_link(line.text, lead.start()):
        yield from (link for link in in_status(line.text, line.number) if _names_one(link))
    elif (
        lead
        and given
        and of_title == "related"
        and lead.lastgroup in ("superseded_by", "amended_by")
        and "this" in line.text.lower()
    ):
        yield from _made(
            {"superseded_by": "supersedes", "amended_by": "amends"}[str(lead.lastgroup)], given[:1], line.number
        )
    else:
        yield from _made(of_title, (one for one in given if _is_record(one)), line.number)


def _mentions(source: Source) -> Iterator[Link]:
    """Give what the rest of the text mentions: by "this supersedes …" or just so."""
    for section in source.sections:
        for line in source.within(section):
            if len(line.text) > _LONGEST_LINE:
                continue
            lower = line.text.lower()
            if "this" in lower and _OURS.search(line.text):
                yield from (link for link in in_status(line.text, line.number) if _names_one(link))
            if _may_name(lower):
                yield from _made("related", (one for one in references(line.text) if _is_record(one)), line.number)


def _may_name(lower: str) -> bool:
    """Tell whether a line can name a record at all, which is much cheaper than looking for names."""
    return "](" in lower or "adr" in lower or ("`" in lower and any(sign in lower for sign in (":`", "<", "[")))


def _is_record(reference: Reference) -> bool:
    if reference.url:
        return reference.local or (
            reference.remote and reference.url.endswith((".md", ".rst")) and bool(reference.number)
        )
    return bool(reference.number) or reference.raw.startswith((":ref:", ":doc:", "[["))


def _is_named(reference: Reference) -> bool:
    """Tell whether something is named by link, number or role, and not by words alone."""
    return bool(reference.url or reference.number or reference.raw.startswith((":", "[[")))


def _affirmed(text: str) -> list[Reference]:
    """Return the records that follow a verb, without those that are excepted."""
    given = after_verb(text)
    end = end_of_affirmed(text)
    inside = any(one.start < end < one.end for one in given)
    return given if inside or end == len(text) else [one for one in given if one.end <= end] or after_verb(text[:end])


def _names_one(link: Link) -> bool:
    return any(_is_record(one) for one in references(link.raw))


def _made(relation: str, given: Iterable[Reference], line: int, *, partial: bool = False) -> Iterator[Link]:
    for reference in given:
        yield Link(relation=relation, raw=reference.raw.strip(), partial=partial, line=line)
