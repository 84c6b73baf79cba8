"""The author's own lines of a text: without code, quotes and HTML comments."""

import re
from collections.abc import Iterator

HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def iterate_own_lines(body: str) -> Iterator[str]:
    """Iterate over the lines that are not quoted, hidden or in a code block."""
    shown = HIDDEN.sub("", "\n".join(_outside_code(body)))
    return (line for line in shown.splitlines() if not line.lstrip().startswith(">"))


def _outside_code(body: str) -> Iterator[str]:
    fence = ""
    for line in body.splitlines():
        found = FENCE.match(line)
        if fence:
            ends = found is not None and found[1].startswith(fence) and not line[found.end() :].strip()
            fence = "" if ends else fence
        elif found:
            fence = found[1]
        else:
            yield line
