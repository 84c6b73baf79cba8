"""Blocks of code in a document of reStructuredText: `.. code-block:: python`."""

import re
from collections.abc import Iterator, Sequence

from stithy_archdocs.records import Section
from stithy_archdocs.rules.records import Block

_OPENED = re.compile(r"^(?P<indent>[ \t]*)\.\.[ \t]+(?:code-block|sourcecode|code)::[ \t]*(?P<words>[^\n]*)$")
_COMMENT = re.compile(r"^(?P<indent>[ \t]*)\.\.(?:[ \t]+(?![_\[|]|[\w:.+-]+::)(?P<text>\S.*))?[ \t]*$")
"""What begins with two dots and is no directive, target, footnote or substitution."""
_OPTION = re.compile(r"^[ \t]+:(?P<name>[\w-]+):[ \t]*(?P<value>.*)$")
_NAMING = ("class", "name", "caption")
_RULE = re.compile(r"^rule:", re.MULTILINE), re.compile(r"^id:", re.MULTILINE)
_POLICY = re.compile(r"^imports:", re.MULTILINE), re.compile(r"\b(?:disallow|prefer):")


def directives(section: Section) -> Iterator[Block]:
    """Give the blocks of a section, in order.

    The directive takes one word, so `:class: ast-grep` names what a block of YAML holds; without it, its keys do.
    """
    lines = section.text.split("\n")
    start = section.last - len(lines) + 1
    index, before = 0, ""
    while index < len(lines):
        opened = _OPENED.match(lines[index])
        if opened is None:
            before = lines[index].strip() or before
            index = max(index + 1, _comment_end(lines, index))
            continue
        first, end = index + 1, _end(lines, index + 1, len(opened["indent"].expandtabs()))
        words = opened["words"]
        while first < end and (option := _OPTION.match(lines[first])):
            words += f" {option['value']}" if option["name"] in _NAMING else ""
            first += 1
        while first < end and not lines[first].strip():
            first += 1
        if text := _outdented(lines[first:end]):
            names = _words(words.lower().split(), text)
            yield Block(words=names, text=text, line=start + first, headings=section.headings, before=before)
        index = end


def _end(lines: Sequence[str], index: int, indent: int) -> int:
    """Say before which line a block ends: one that says something and is not further in."""
    while index < len(lines) and (not lines[index].strip() or _indent(lines[index]) > indent):
        index += 1
    while not lines[index - 1].strip():
        index -= 1
    return index


def _comment_end(lines: Sequence[str], index: int) -> int:
    """Return before which line a comment ends; 0 where the line begins none. A bare `..` hides nothing behind a gap."""
    found = _COMMENT.match(lines[index])
    following = lines[index + 1] if index + 1 < len(lines) else ""
    if found is None or (not found["text"] and not following.strip()):
        return 0
    return _end(lines, index + 1, len(found["indent"].expandtabs()))


def _indent(line: str) -> int:
    wide = line.expandtabs()
    return len(wide) - len(wide.lstrip())


def _outdented(lines: Sequence[str]) -> str:
    least = min((_indent(line) for line in lines if line.strip()), default=0)
    return "\n".join(line.expandtabs()[least:] if "\t" in line[:least] else line[least:] for line in lines)


def _words(words: list[str], text: str) -> tuple[str, ...]:
    """Give what a block is called, and for YAML that nobody named, what its keys make of it."""
    if words[:1] not in (["yaml"], ["yml"]) or "ast-grep" in words or "policy" in words:
        return tuple(words)
    for name, keys in (("ast-grep", _RULE), ("policy", _POLICY)):
        if all(key.search(text) for key in keys):
            return (*words, name)
    return tuple(words)
