"""Removing parts of a text without leaving blank lines behind."""

import re
from collections.abc import Iterable

# After a part that is removed with its line: the line end and the blank lines after it, quoted or not.
TO_NEXT_TEXT = re.compile(r"[ \t]*+(?:\n(?:[ \t>]*+\n)*+|\Z)")
BLANK = " \t>"


def replace_parts(text: str, parts: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with parts of it replaced, mostly by nothing.

    A line that has nothing but the part is removed with it, and so are the blank lines after it.

    Args:
        text: The text; its lines end in a line feed.
        parts: Start, end and replacement of each part, in order; they do not overlap.
    """
    pieces: list[str] = []
    here, whole_line = 0, True
    for start, end, instead in parts:
        before = text[here:start]
        line = before[before.rfind("\n") + 1 :]
        whole_line = not line.strip(BLANK) and (whole_line or "\n" in before)
        following = TO_NEXT_TEXT.match(text, end) if whole_line else None
        pieces.append(before[: len(before) - len(line)] if following else before)
        pieces.append(f"{instead}\n\n" if instead and following else instead)
        here = following.end() if following else end
    return "".join([*pieces, text[here:]])


def strip_quote_marks(text: str, depth: int) -> str:
    """Return a text without up to `depth` quote marks at the beginning of each line."""
    return re.sub(rf"^(?:[ \t]{{0,3}}>[ ]?){{1,{depth}}}", "", text, flags=re.MULTILINE) if depth else text


def strip_blank_lines(text: str) -> str:
    """Return a text without blank lines around it; a line of quote marks only is blank at the end."""
    lines = text.strip().split("\n")
    while lines and not lines[-1].strip(BLANK):
        lines.pop()
    return "\n".join(lines)
