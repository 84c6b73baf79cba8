"""Texts for entries: long ones cut in their middle, where least is lost, with the call that has all of them."""

from stithy_core.spi import Abridged, excerpt, grapheme_boundary

HEAD, TAIL = 800, 300
HUNK_LINES, HUNK = 5, 500


def shortened(body: str, call: str) -> str:
    """Cut a long body in its middle.

    Args:
        body: What somebody wrote.
        call: The call that reads it whole.
    """
    if len(body) <= HEAD + 2 * TAIL:
        return body
    end, goes_on = grapheme_boundary(body, HEAD), grapheme_boundary(body, len(body) - TAIL)
    left_out = f"{goes_on - end} of {len(body)} characters left out"
    return Abridged(f"{body[:end]}\n[… {left_out}; {call} has them …]\n{body[goes_on:]}", len(body))


def last_lines(hunk: str) -> str | None:
    """Give the last lines of a hunk: the line that is meant is the last of them."""
    lines = hunk.splitlines()[-HUNK_LINES:]
    return "\n".join(line if len(line) <= HUNK else excerpt(line, HUNK) for line in lines) or None
