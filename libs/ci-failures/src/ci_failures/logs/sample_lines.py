"""Lines of a sample that were not printed by a step: they lack what precedes the others."""

import re
from collections.abc import Sequence
from itertools import filterfalse

RECORDED = re.compile("Script (?:started|done) on ")
"""What `script` adds before and after a recording."""
SCRIPT_BEGINS, SCRIPT_ENDS = ("##[group]Run ", "::group::Run "), ("##[endgroup]", "::endgroup::")
COMMAND = re.compile(r"##\[(?:group|endgroup|error)\]|::(?:group|endgroup|error)::")
"""A line that a runner adds before or after what a step prints; tools print other commands themselves."""
LONGEST_SCRIPT = 100
FEWEST_OF_A_STEP = 8
"""Lines of a step from which alone a prefix is learned: fewer may begin with the same words of a tool."""


def without_recording(lines: Sequence[str], data: bytes) -> Sequence[str]:
    """Return lines without those that `script` adds, and without the empty ones next to these, at both ends.

    Args:
        lines: The lines.
        data: The lines as one text, each behind a line feed.
    """
    if b"\nScript " not in data:
        return lines
    kept = list(filterfalse(RECORDED.match, lines))
    filled = [index for index, line in enumerate(kept) if line]
    return kept[filled[0] : filled[-1] + 1] if filled and len(kept) < len(lines) else kept


def without_runner(lines: Sequence[str], data: bytes) -> Sequence[str]:
    """Return lines without those that a runner adds to what a step prints, as these lack what precedes the others.

    All lines are returned if few others are left.

    Args:
        lines: The lines.
        data: The lines as one text.
    """
    if b"##[" not in data and b"::group::" not in data:
        return lines
    kept: list[str] = []
    hidden = 0
    for line in lines:
        hidden = LONGEST_SCRIPT if any(begin in line for begin in SCRIPT_BEGINS) else max(0, hidden - 1)
        if not hidden and not COMMAND.search(line):
            kept.append(line)
        if any(end in line for end in SCRIPT_ENDS):
            hidden = 0
    return kept if len(kept) >= FEWEST_OF_A_STEP else lines
