"""Find code blocks in a document: fences of Markdown, and directives of reStructuredText."""

import re
from collections.abc import Iterator, Sequence

from stithy_archdocs.document_models import Document, Section
from stithy_archdocs.documents.document_locations import get_markup
from stithy_archdocs.documents.text_sections import find_comment_end
from stithy_archdocs.rules.rule_models import CodeBlock

_OPENED = re.compile(r"^(?P<indent>[ \t]*)\.\.[ \t]+(?:code-block|sourcecode|code)::[ \t]*(?P<words>[^\n]*)$")
_COMMENT = re.compile(r"^(?P<indent>[ \t]*)\.\.(?:[ \t]+(?![_\[|]|[\w:.+-]+::)(?P<text>\S.*))?[ \t]*$")
"""Matches `..` lines that are neither a directive, target, footnote nor substitution."""
_OPTION = re.compile(r"^[ \t]+:(?P<name>[\w-]+):[ \t]*(?P<value>.*)$")
_NAMING = ("class", "name", "caption")
_RULE = re.compile(r"^rule:", re.MULTILINE), re.compile(r"^id:", re.MULTILINE)
_POLICY = re.compile(r"^imports:", re.MULTILINE), re.compile(r"\b(?:disallow|prefer):")


def parse_directives(section: Section) -> Iterator[CodeBlock]:
    """Iterate over the blocks of a section, in order.

    The directive takes one word, so `:class: ast-grep` marks a block of YAML as rules; without it, its keys decide.
    """
    lines = section.text.split("\n")
    start = section.last - len(lines) + 1
    index, before = 0, ""
    while index < len(lines):
        opened = _OPENED.match(lines[index])
        if opened is None:
            before = lines[index].strip() or before
            index = max(index + 1, _find_comment_end(lines, index))
            continue
        first, end = index + 1, _find_block_end(lines, index + 1, len(opened["indent"].expandtabs()))
        words = opened["words"]
        while first < end and (option := _OPTION.match(lines[first])):
            words += f" {option['value']}" if option["name"] in _NAMING else ""
            first += 1
        while first < end and not lines[first].strip():
            first += 1
        if text := _remove_common_indent(lines[first:end]):
            names = _describe_block(words.lower().split(), text)
            yield CodeBlock(words=names, text=text, line=start + first, headings=section.headings, before=before)
        index = end


def _find_block_end(lines: Sequence[str], index: int, indent: int) -> int:
    """Return the index behind a block: of the next line that is neither blank nor indented deeper."""
    while index < len(lines) and (not lines[index].strip() or _measure_indent(lines[index]) > indent):
        index += 1
    while not lines[index - 1].strip():
        index -= 1
    return index


def _find_comment_end(lines: Sequence[str], index: int) -> int:
    """Return the index behind a comment; 0 if the line starts none. A bare `..` hides nothing behind a blank line."""
    found = _COMMENT.match(lines[index])
    following = lines[index + 1] if index + 1 < len(lines) else ""
    if found is None or (not found["text"] and not following.strip()):
        return 0
    return _find_block_end(lines, index + 1, len(found["indent"].expandtabs()))


def _measure_indent(line: str) -> int:
    wide = line.expandtabs()
    return len(wide) - len(wide.lstrip())


def _remove_common_indent(lines: Sequence[str]) -> str:
    least = min((_measure_indent(line) for line in lines if line.strip()), default=0)
    return "\n".join(line.expandtabs()[least:] if "\t" in line[:least] else line[least:] for line in lines)


def _describe_block(words: list[str], text: str) -> tuple[str, ...]:
    """Return the words that describe a block; unmarked YAML is classified by its keys."""
    if words[:1] not in (["yaml"], ["yml"]) or "ast-grep" in words or "policy" in words:
        return tuple(words)
    for name, keys in (("ast-grep", _RULE), ("policy", _POLICY)):
        if all(key.search(text) for key in keys):
            return (*words, name)
    return tuple(words)


_FENCE = re.compile(r"^(?P<indent>[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$")


def find_blocks(document: Document) -> Iterator[CodeBlock]:
    """Iterate over the code blocks of a document, in order."""
    read = _READERS[get_markup(document.path)]
    return (block for section in document.sections for block in read(section))


_LISTING = re.compile(r"^\[(?P<words>[^\]\n]*)\][ \t]*$")
_LISTING_MARK = re.compile(r"^(-{4,}|\.{4,})[ \t]*$")
_ASCIIDOC_BLOCK = re.compile(r"^(/{4,}|-{4,}|\.{4,}|\+{4,})[ \t]*$")


def parse_listings(section: Section) -> Iterator[CodeBlock]:
    """Iterate over the listing blocks of AsciiDoc and its Markdown fences, in order, without those in comments.

    `[source,yaml,role=ast-grep]` marks a block of YAML as rules; without the role, its keys decide.
    """
    lines = section.text.split("\n")
    start = section.last - len(lines) + 1
    index, before, words = 0, "", ""
    while index < len(lines):
        line = lines[index]
        fence = _FENCE.match(line)
        if opened := _ASCIIDOC_BLOCK.match(line) or fence:
            mark = fence["mark"] if fence else opened[1]
            end = next((at for at in range(index + 1, len(lines)) if lines[at].rstrip() == mark), len(lines))
            text = "\n".join(lines[index + 1 : end])
            if fence or _LISTING_MARK.match(line):
                named = re.split(r"[\s,=#.%\"]+", (fence["info"] if fence else words).lower())
                kept = tuple(word for word in named if word not in ("", "source", "role", "listing"))
                described = _describe_block([*kept], text)
                yield CodeBlock(
                    words=described, text=text, line=start + index + 1, headings=section.headings, before=before
                )
            words, index = "", end + 1
            continue
        listed = _LISTING.match(line)
        words = listed["words"] if listed else words if line.startswith(".") else ""
        before = before if listed or not line.strip() else line.strip()
        index += 1


def parse_fences(section: Section) -> Iterator[CodeBlock]:
    """Iterate over the fenced blocks of a section, in order, without those in comments.

    An unclosed fence extends to the end of the section.
    """
    lines = section.text.split("\n")
    start = section.last - len(lines) + 1
    index, before = 0, ""
    while index < len(lines):
        opened = _FENCE.match(lines[index])
        if opened is None or ("`" in opened["info"] and opened["mark"][0] == "`"):
            before = lines[index].strip() or before
            hidden = find_comment_end(lines, index + 1) if "<!--" in lines[index] else 0
            index = max(index + 1, hidden)
            continue
        end = _find_fence_end(lines, index + 1, opened["mark"])
        body = [_remove_indent(line, len(opened["indent"])) for line in lines[index + 1 : end]]
        yield CodeBlock(
            words=tuple(opened["info"].strip().lower().replace("{", " ").replace("}", " ").split()),
            text="\n".join(body),
            line=start + index + 1,
            headings=section.headings,
            before=before,
        )
        index = end + 1


_READERS = {"markdown": parse_fences, "rst": parse_directives, "asciidoc": parse_listings}


def _find_fence_end(lines: list[str], index: int, mark: str) -> int:
    closing = re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
    while index < len(lines) and not closing.fullmatch(lines[index]):
        index += 1
    return index


def _remove_indent(line: str, width: int) -> str:
    """Remove as much indentation, or as many quotation marks (`>`), as stand before the fence."""
    kept = 0
    while kept < width and kept < len(line) and line[kept] in " \t>":
        kept += 1
    return line[kept:]
