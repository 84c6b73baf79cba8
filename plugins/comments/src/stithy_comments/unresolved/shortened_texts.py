"""Texts of entries: long ones are cut in the middle and name the call that returns them in full."""

from stithy_core.spi import Abridged, excerpt, grapheme_boundary

HEAD, TAIL = 800, 300
HUNK_LINES, HUNK = 5, 500


def shorten_body(body: str, call: str) -> str:
    """Return a body, cut in the middle if it is long: the beginning and the end say most.

    Args:
        body: The text.
        call: The call that returns it in full.
    """
    if len(body) <= HEAD + 2 * TAIL:
        return body
    end, goes_on = grapheme_boundary(body, HEAD), grapheme_boundary(body, len(body) - TAIL)
    left_out = f"{goes_on - end} of {len(body)} characters left out"
    return Abridged(f"{body[:end]}\n[… {left_out}; read them with {call} …]\n{body[goes_on:]}", len(body))


def get_last_lines(hunk: str) -> str | None:
    """Return the last lines of a hunk, which ends with the line that the thread is about."""
    lines = hunk.splitlines()[-HUNK_LINES:]
    return "\n".join(line if len(line) <= HUNK else excerpt(line, HUNK) for line in lines) or None
