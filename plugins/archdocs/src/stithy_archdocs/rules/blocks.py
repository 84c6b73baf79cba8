"""Blocks of code in a document: fenced ones of Markdown, and directives of reStructuredText."""

import re
from collections.abc import Iterator

from stithy_archdocs.documents.sections import comment_ends
from stithy_archdocs.records import Document, Section
from stithy_archdocs.rules.directives import directives
from stithy_archdocs.rules.records import Block

_FENCE = re.compile(r"^(?P<indent>[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$")


def blocks(document: Document) -> Iterator[Block]:
    """Give the blocks of code of a document, in order."""
    read = directives if document.path.lower().endswith(".rst") else fences
    return (block for section in document.sections for block in read(section))


def fences(section: Section) -> Iterator[Block]:
    """Return the fenced blocks of a section, in order, without those in comments.

    One that is never closed goes to the end of the section.
    """
    lines = section.text.split("\n")
    start = section.last - len(lines) + 1
    index, before = 0, ""
    while index < len(lines):
        opened = _FENCE.match(lines[index])
        if opened is None or ("`" in opened["info"] and opened["mark"][0] == "`"):
            before = lines[index].strip() or before
            hidden = comment_ends(lines, index + 1) if "<!--" in lines[index] else 0
            index = max(index + 1, hidden)
            continue
        end = _end(lines, index + 1, opened["mark"])
        body = [_outdented(line, len(opened["indent"])) for line in lines[index + 1 : end]]
        yield Block(
            words=tuple(opened["info"].strip().lower().replace("{", " ").replace("}", " ").split()),
            text="\n".join(body),
            line=start + index + 1,
            headings=section.headings,
            before=before,
        )
        index = end + 1


def _end(lines: list[str], index: int, mark: str) -> int:
    closing = re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
    while index < len(lines) and not closing.fullmatch(lines[index]):
        index += 1
    return index


def _outdented(line: str, width: int) -> str:
    """Take away as much space, or marks of quotation, as stands before the fence."""
    kept = 0
    while kept < width and kept < len(line) and line[kept] in " \t>":
        kept += 1
    return line[kept:]
