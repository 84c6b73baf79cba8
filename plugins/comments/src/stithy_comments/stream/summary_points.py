"""The facts and sections of a summary."""

import json
from collections.abc import Sequence

from attrs import frozen

from stithy_comments.tools.stream_tool import Mode
from stithy_core.spi import excerpt, redact

WORDS = {"brief": 50, "compact": 140}
"""Characters of a text that are quoted, by mode."""
LONGEST_POINT = 200
REACH = 5_000
"""Characters of a text that are searched for secrets: a bound on the time, since texts come from third parties."""


def shorten_quote(text: str, most: int) -> str:
    """Return an excerpt in one line with secrets redacted; redaction comes first, so that no secret is cut in two."""
    line = redact(" ".join(text.split())[:REACH])
    shown = excerpt(line, most)
    return shown if len(line) <= most else shown[: shown.rindex(" [")]  # without its length


@frozen
class SummaryPoint:
    """One fact.

    Args:
        text: The fact.
        name: The id that belongs to it; shown in a compact summary only.
        quote: A third party's text to quote an excerpt of.
    """

    text: str
    name: str = ""
    quote: str = ""

    def format(self, mode: Mode) -> str:
        """Format the fact as one line."""
        name = f" [{self.name}]" if self.name and mode == "compact" else ""
        words = shorten_quote(self.quote, WORDS[mode])
        quote = f": {json.dumps(words, ensure_ascii=False)}" if words else ""
        return f"{shorten_quote(self.text, LONGEST_POINT)}{name}{quote}"


@frozen
class SummarySection:
    """Facts on one subject, the most important first; `countable` is whether to show their number if none fit."""

    title: str
    points: Sequence[SummaryPoint]
    countable: bool = True
