"""From a file's text to a document."""

from attrs import evolve

from stithy_archdocs.adr.deciding import decide
from stithy_archdocs.adr.source import Source
from stithy_archdocs.documents.finding import Found
from stithy_archdocs.documents.matter import Matter, front_matter, read
from stithy_archdocs.documents.naming import file_number, names_of, title_number, title_of, uri_of
from stithy_archdocs.documents.reading import NoText, decode
from stithy_archdocs.documents.sections import MOST, Layout, markdown, rst
from stithy_archdocs.records import Document, Kind, Problem, Section

LONGEST = 256 * 1024
"""Characters of a decision record in which status, links and options are looked for."""

_STANDARD = ("tags", "tag", "keywords", "categories", "labels")


def parse(found: Found, data: bytes, *, side: bytes = b"", default: bool = False) -> Document:
    """Read a document.

    Args:
        found: Its file.
        data: What the file holds.
        side: What the file beside it holds that has its front matter.
        default: Whether a decision without a status is accepted.

    Raises:
        NoText: There is a zero byte in it.
    """
    text, problems = decode(data, found.path)
    is_rst = found.path.lower().endswith(".rst")
    matter = Matter() if is_rst else front_matter(text)
    layout = rst(text) if is_rst else markdown(text, matter.last)
    if found.side:
        matter = _beside(matter, side)
    problems += [*_faults(matter, found), *_cuts(found, text, layout)]
    document = _document(found, text, layout, matter)
    if found.kind is not Kind.ADR:
        return evolve(document, problems=tuple(problems))
    numbers, doubts = _numbers(found, document)
    source = _source(found.path, text, layout, matter, rst=is_rst)
    decided = decide(source, numbers, document.names[1].rpartition("/")[2], default=default)
    return evolve(
        document,
        names=names_of(found.below, numbers, matter.values, text),
        decision=decided.decision,
        problems=(*problems, *doubts, *decided.problems),
    )


def _document(found: Found, text: str, layout: Layout, matter: Matter) -> Document:
    return Document(
        path=found.path,
        uri=uri_of(found.kind, found.below),
        kind=found.kind,
        title=title_of(layout.sections, matter.values.get("title"), found.below),
        names=names_of(found.below, (), matter.values, text),
        text=text,
        sections=layout.sections,
        tags=_tags(matter),
        matter=matter.values,
    )


def _numbers(found: Found, document: Document) -> tuple[tuple[str, ...], list[Problem]]:
    """Give the number of a record, and a doubt where its file and its title have one each."""
    number, other = file_number(found.below), title_number(document.sections, document.matter.get("title"))
    doubts = []
    if number and other and number != other:
        text = f"its file has number {number} and its title {other}; the file's counts"
        doubts.append(Problem(rule="number-mismatch", path=found.path, line=1, message=text))
    return tuple(one for one in (number or other,) if one), doubts


def _source(path: str, text: str, layout: Layout, matter: Matter, *, rst: bool) -> Source:
    """Give what is read as a decision: of a text that is no record by its length, only the beginning."""
    lines = text[:LONGEST].split("\n")
    sections = tuple(
        section if section.last <= len(lines) else _shortened(section, len(lines))
        for section in layout.sections
        if section.first <= len(lines)
    )
    return Source(path, lines, sections, layout.hidden, matter, rst)


def _shortened(section: Section, last: int) -> Section:
    kept = section.text.split("\n")
    return evolve(section, text="\n".join(kept[: max(0, len(kept) - (section.last - last))]), last=last)


def _beside(matter: Matter, side: bytes) -> Matter:
    """Join what stands in the document and in the file beside it; the document's own word counts more."""
    try:
        given = read(decode(side[: 64 * 1024], "")[0])
    except NoText:
        return matter
    return Matter(
        {**given.values, **matter.values},
        {**dict.fromkeys(given.values, 1), **matter.lines},
        matter.last,
        matter.fault,
        matter.fault_line,
    )


def _faults(matter: Matter, found: Found) -> list[Problem]:
    if not matter.fault:
        return []
    advice = "write key: value, with a space behind the colon" if "mapping" in matter.fault else "put it in quotes"
    text = f"the front matter is no YAML ({matter.fault}): its plain lines were read alone; {advice}"
    return [Problem(rule="yaml", path=found.path, line=matter.fault_line, message=text)]


def _cuts(found: Found, text: str, layout: Layout) -> list[Problem]:
    """Say what of a very long document is not read."""
    problems = []
    if found.kind is Kind.ADR and len(text) > LONGEST:
        line = text.count("\n", 0, LONGEST) + 1
        said = f"status, links and options are read in the first {LONGEST:,} of its {len(text):,} characters alone"
        problems.append(Problem(rule="too-long", path=found.path, line=line, message=f"{said}; part it"))
    if layout.cut:
        said = f"it has more than {MOST:,} headings: what follows this one is one section; part it"
        problems.append(Problem(rule="too-many-headings", path=found.path, line=layout.cut, message=said))
    return problems


def _tags(matter: Matter) -> tuple[str, ...]:
    for key in _STANDARD:
        value = matter.values.get(key)
        if isinstance(value, str) and value.strip():
            return tuple(tag.strip() for tag in value.strip("[]").split(",") if tag.strip())
        if isinstance(value, list):
            return tuple(tag.strip() for tag in value if isinstance(tag, str) and tag.strip())
    return ()
