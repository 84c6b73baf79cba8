"""Taking parts out of a text so that what is left reads as if they had never been there."""

import re
from collections.abc import Iterable

# What follows a part that is cut out with its line: the end of the line and the blank lines behind it, quoted or not.
TO_NEXT_TEXT = re.compile(r"[ \t]*+(?:\n(?:[ \t>]*+\n)*+|\Z)")
BLANK = " \t>"


def replaced(text: str, parts: Iterable[tuple[int, int, str]]) -> str:
    """Give a text with something else, mostly nothing, in the place of parts of it.

    A line that had nothing else goes too, with the blank lines behind it.

    Args:
        text: The text; its lines end in a line feed.
        parts: Start and end of each part and what takes its place, in order; they do not overlap.
    """
    kept: list[str] = []
    here, whole_line = 0, True
    for start, end, instead in parts:
        before = text[here:start]
        line = before[before.rfind("\n") + 1 :]
        whole_line = not line.strip(BLANK) and (whole_line or "\n" in before)
        following = TO_NEXT_TEXT.match(text, end) if whole_line else None
        kept.append(before[: len(before) - len(line)] if following else before)
        kept.append(f"{instead}\n\n" if instead and following else instead)
        here = following.end() if following else end
    return "".join([*kept, text[here:]])


def unquoted(text: str, depth: int) -> str:
    """Give a text with up to so many quote marks fewer at the beginning of each line."""
    return re.sub(rf"^(?:[ \t]{{0,3}}>[ ]?){{1,{depth}}}", "", text, flags=re.MULTILINE) if depth else text


def trimmed(text: str) -> str:
    """Give a text without blank lines around it, quoted ones included."""
    lines = text.strip().split("\n")
    while lines and not lines[-1].strip(BLANK):
        lines.pop()
    return "\n".join(lines)
