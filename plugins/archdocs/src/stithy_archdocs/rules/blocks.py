"""Fenced blocks of a Markdown document."""

import re
from collections.abc import Iterator

from attrs import frozen

from stithy_archdocs.records import Document

_FENCE = re.compile(r"^(?P<indent>[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$")


@frozen(kw_only=True)
class Block:
    """One fenced block.

    Args:
        words: What its first line says: `yaml ast-grep`, in lower case.
        text: What is in it.
        line: The first line of its text.
        headings: The headings above it.
        before: The last line of prose above it, in its section.
    """

    words: tuple[str, ...]
    text: str
    line: int
    headings: tuple[str, ...]
    before: str = ""


def blocks(document: Document) -> Iterator[Block]:
    """Give the fenced blocks, in order; one that is never closed goes to the end of its section."""
    for section in document.sections:
        lines = section.text.split("\n")
        start = section.last - len(lines) + 1
        index, before = 0, ""
        while index < len(lines):
            opened = _FENCE.match(lines[index])
            if opened is None or ("`" in opened["info"] and opened["mark"][0] == "`"):
                before = lines[index].strip() or before
                index += 1
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
