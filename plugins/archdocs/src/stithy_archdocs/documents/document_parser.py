"""Parse the text of a file to a document."""

from attrs import evolve

from stithy_archdocs.adr.decision_parser import parse_decision
from stithy_archdocs.adr.record_source import RecordSource
from stithy_archdocs.document_models import Document, DocumentKind, DocumentProblem, DocumentText, Section
from stithy_archdocs.documents.asciidoc_sections import parse_asciidoc
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_locations import get_markup
from stithy_archdocs.documents.document_names import (
    list_names,
    make_uri,
    parse_file_number,
    parse_title,
    parse_title_number,
)
from stithy_archdocs.documents.front_matter import FrontMatter, parse_front_matter, parse_mapping
from stithy_archdocs.documents.text_decoding import NotText, decode_text
from stithy_archdocs.documents.text_sections import MOST, TextLayout, parse_markdown, parse_rst

LONGEST = 256 * 1024
"""Characters of a decision record in which status, links and options are searched."""

_NO_MATTER: dict[str, object] = {}
"""The front matter of documents without one; nothing may write to it."""
_STANDARD = ("tags", "tag", "keywords", "categories", "labels")


def parse_document(found: DocumentFile, data: bytes, *, side: bytes = b"", default: bool = False) -> Document:
    """Parse a document.

    Args:
        found: Its file.
        data: Content of the file.
        side: Content of the file beside it that holds its front matter.
        default: Whether a decision without a status counts as accepted.

    Raises:
        NoText: The file contains a zero byte.
    """
    text, problems = decode_text(data, found.path)
    matter, layout = _parse_structure(found.path, text)
    if found.side:
        matter = _merge_side_file(matter, side)
    problems += [*_find_faults(matter, found), *_find_cuts(found, text, layout)]
    document = _make_document(found, text, layout, matter)
    if found.kind is not DocumentKind.ADR:
        return evolve(document, problems=tuple(problems))
    numbers, doubts = _find_numbers(found, layout, matter)
    source = _make_source(found.path, text, layout, matter)
    decided = parse_decision(source, numbers, document.names[1].rpartition("/")[2], default=default)
    return evolve(
        document,
        names=list_names(found.below, numbers, matter.values, text),
        decision=decided.decision,
        problems=(*problems, *doubts, *decided.problems),
    )


def parse_source(path: str, text: str) -> RecordSource:
    """Parse the lines and sections of a record, as the parsers of its parts need them."""
    matter, layout = _parse_structure(path, text)
    return _make_source(path, text, layout, matter)


def _parse_structure(path: str, text: str) -> tuple[FrontMatter, TextLayout]:
    markup = get_markup(path)
    if markup == "rst":
        return FrontMatter(), parse_rst(text)
    matter = parse_front_matter(text)
    parse = parse_asciidoc if markup == "asciidoc" else parse_markdown
    return matter, parse(text, matter.last)


def _make_document(found: DocumentFile, text: str, layout: TextLayout, matter: FrontMatter) -> Document:
    return Document(
        path=found.path,
        uri=make_uri(found.kind, found.below),
        kind=found.kind,
        title=parse_title(layout.sections, matter.values.get("title"), found.below),
        names=list_names(found.below, (), matter.values, text),
        content=DocumentText.pack(text, layout.sections),
        tags=_parse_tags(matter),
        matter=matter.values or _NO_MATTER,
    )


def _find_numbers(
    found: DocumentFile, layout: TextLayout, matter: FrontMatter
) -> tuple[tuple[str, ...], list[DocumentProblem]]:
    """Return the number of a record, and a problem if its file name and its title have different ones."""
    number, other = parse_file_number(found.below), parse_title_number(layout.sections, matter.values.get("title"))
    doubts = []
    if number and other and number != other:
        text = f"the file name has number {number}, the title {other}; the file name wins"
        doubts.append(DocumentProblem(rule="number-mismatch", path=found.path, line=1, message=text))
    return tuple(one for one in (number or other,) if one), doubts


def _make_source(path: str, text: str, layout: TextLayout, matter: FrontMatter) -> RecordSource:
    """Return the lines to parse as a decision: of a text that is too long for a record only the beginning."""
    lines = text[:LONGEST].split("\n")
    sections = tuple(
        section if section.last <= len(lines) else _shorten_section(section, len(lines))
        for section in layout.sections
        if section.first <= len(lines)
    )
    return RecordSource(path, lines, sections, layout.hidden, matter, get_markup(path))


def _shorten_section(section: Section, last: int) -> Section:
    kept = section.text.split("\n")
    return evolve(section, text="\n".join(kept[: max(0, len(kept) - (section.last - last))]), last=last)


def _merge_side_file(matter: FrontMatter, side: bytes) -> FrontMatter:
    """Merge the front matter of the document and of the file beside it; the document's values win."""
    try:
        given = parse_mapping(decode_text(side[: 64 * 1024], "")[0])
    except NotText:
        return matter
    return FrontMatter(
        {**given.values, **matter.values},
        {**dict.fromkeys(given.values, 1), **matter.lines},
        matter.last,
        matter.fault,
        matter.fault_line,
    )


def _find_faults(matter: FrontMatter, found: DocumentFile) -> list[DocumentProblem]:
    if not matter.fault:
        return []
    advice = "write key: value, with a space after the colon" if "mapping" in matter.fault else "quote the value"
    text = f"invalid YAML in the front matter ({matter.fault}); only its key: value lines are used; {advice}"
    return [DocumentProblem(rule="yaml", path=found.path, line=matter.fault_line, message=text)]


def _find_cuts(found: DocumentFile, text: str, layout: TextLayout) -> list[DocumentProblem]:
    """Return problems for the parts of a very long document that are not parsed."""
    problems = []
    if found.kind is DocumentKind.ADR and len(text) > LONGEST:
        line = text.count("\n", 0, LONGEST) + 1
        said = f"status, links and options are read only in the first {LONGEST:,} of {len(text):,} characters"
        problems.append(
            DocumentProblem(rule="too-long", path=found.path, line=line, message=f"{said}; split the record")
        )
    if layout.cut:
        said = f"more than {MOST:,} headings; everything after this one is one section; split the document"
        problems.append(DocumentProblem(rule="too-many-headings", path=found.path, line=layout.cut, message=said))
    return problems


def _parse_tags(matter: FrontMatter) -> tuple[str, ...]:
    for key in _STANDARD:
        value = matter.values.get(key)
        if isinstance(value, str) and value.strip():
            return tuple(" ".join(tag.split()) for tag in value.strip("[]").split(",") if tag.strip())
        if isinstance(value, list):
            return tuple(" ".join(tag.split()) for tag in value if isinstance(tag, str) and tag.strip())
    return ()
