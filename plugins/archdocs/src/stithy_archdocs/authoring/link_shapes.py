"""References to other records, in the shape that the records of a folder use."""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import quote

from stithy_archdocs.authoring.folder_style import FolderStyle
from stithy_archdocs.authoring.record_titles import escape_title
from stithy_archdocs.document_models import Document, DocumentSnapshot
from stithy_archdocs.documents.document_locations import get_markup

_LINK = re.compile(r"\[(?P<text>.*)\]\([^()]*\)")
_KEYED = re.compile(
    r"^[\s|>*_`:+-]*[\"']?(?:super[sc]ed(?:es|ed[-_ ]?by)|replaces|replaced[-_ ]by)[\"']?[*_`]*\s*(?:[:|]|::)",
    re.IGNORECASE,
)


def write_link(style: FolderStyle, snapshot: DocumentSnapshot, source: Document, target: Document) -> str:
    """Return a reference from one record to another, in the shape of the newest one of the folder."""
    in_front_matter = source.decision is not None and source.decision.status.form == "front_matter"
    for example, raw in _iterate_examples(style, snapshot, in_front_matter=in_front_matter):
        if shaped := _write_like(raw, example, source, target):
            return shaped
    number = target.decision.numbers[0] if target.decision and target.decision.numbers else ""
    if in_front_matter:
        return f"ADR-{number:0>{style.width}}" if number else posixpath.basename(target.path)
    return _write_default(source, target, number)


def find_keyed_prefix(style: FolderStyle, relation: str) -> str:
    """Return how a line begins that has the relation as its key, as `- Superseded by: `; empty if no record has one."""
    for record in style.samples:
        lines = record.text.split("\n")
        for link in record.decision.get_links(relation) if record.decision else ():
            line = lines[link.line - 1]
            if _KEYED.match(line) and link.raw in line:
                return line[: line.index(link.raw)]
    return ""


def _iterate_examples(
    style: FolderStyle, snapshot: DocumentSnapshot, *, in_front_matter: bool
) -> Iterator[tuple[Document, str]]:
    """Iterate over references as written, each with the record that it leads to; supersessions come first."""
    for relations in (("superseded_by", "supersedes"), ("amends", "amended_by")):
        for record in style.samples:
            if record.decision is None or in_front_matter != (record.decision.status.form == "front_matter"):
                continue
            for link in record.decision.links:
                if link.relation in relations and link.target:
                    yield snapshot.documents[link.target], link.raw


def _write_like(raw: str, example: Document, source: Document, target: Document) -> str:
    """Return a reference in the shape of another; empty if the shape is not understood."""
    if found := _LINK.fullmatch(raw):
        text = _substitute(found["text"], example, target)
        return f"[{_escape_link_text(text)}]({_make_url(source, target)})" if text else ""
    return _substitute(raw, example, target) if re.fullmatch(r"[\w.-]+(?: \d+)?", raw) else ""


def _substitute(text: str, example: Document, target: Document) -> str:
    """Replace title, file name and number of one record with those of another; empty if none occurs."""
    names = [(example.title, target.title), (posixpath.basename(example.path), posixpath.basename(target.path))]
    names.append((posixpath.splitext(names[1][0])[0], posixpath.splitext(names[1][1])[0]))
    shaped, count = text, 0
    for index, (old, _) in enumerate(names):
        shaped, some = re.subn(rf"(?<!\w){re.escape(old)}(?!\w)", f"\0{index}\0", shaped) if old else (shaped, 0)
        count += some
    shaped, numbered = _replace_number(shaped, example, target)
    for index, (_, new) in enumerate(names):
        shaped = shaped.replace(f"\0{index}\0", new)
    return shaped if count or numbered else ""


def _replace_number(text: str, example: Document, target: Document) -> tuple[str, bool]:
    if not (example.decision and example.decision.numbers and target.decision and target.decision.numbers):
        return text, False
    old, new = example.decision.numbers[0], target.decision.numbers[0]
    shaped, count = re.subn(
        rf"(?<![\d\0])0*{old}(?![\d\0])", lambda found: new.zfill(len(found[0]) if found[0][0] == "0" else 1), text
    )
    return shaped, bool(count)


def _write_default(source: Document, target: Document, number: str) -> str:
    markup = get_markup(source.path)
    text = escape_title(f"{number}. {target.title}" if number else target.title, markup)
    url = _make_url(source, target)
    if markup == "rst":
        return f":doc:`{text.replace('<', '')} <{posixpath.splitext(url)[0]}>`"
    if markup == "asciidoc":
        return f"xref:{url}[{text.replace(']', chr(92) + ']')}]"
    return f"[{_escape_link_text(text)}]({url})"


def _make_url(source: Document, target: Document) -> str:
    return quote(posixpath.relpath(target.path, posixpath.dirname(source.path)), safe="/-._~!$&'+,;=:@")


def _escape_link_text(text: str) -> str:
    return re.sub(r"(?<!\\)([\[\]|])", r"\\\1", text)
