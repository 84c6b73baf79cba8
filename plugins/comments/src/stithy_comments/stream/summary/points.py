"""What a summary is made of."""

import json
from collections.abc import Sequence

from attrs import frozen

from stithy_comments.offers.conversation import Mode
from stithy_core.spi import excerpt, redact

WORDS = {"brief": 50, "compact": 140}
"""How many characters of somebody's text are quoted."""
LONGEST = 200
REACH = 5_000
"""How far into a text secrets are looked for: no shape of one is longer, and texts are strangers'."""


def short(text: str, most: int) -> str:
    """Give how a text begins, in one line and without secrets: they are looked for before anything is cut."""
    line = redact(" ".join(text.split())[:REACH])
    shown = excerpt(line, most)
    return shown if len(line) <= most else shown[: shown.rindex(" [")]  # without its length


@frozen
class Point:
    """One fact.

    Args:
        text: The fact in our words, with names and places in it.
        name: The id that belongs to it; only a compact summary has it.
        quote: A text of somebody, whose beginning is quoted.
    """

    text: str
    name: str = ""
    quote: str = ""

    def said(self, mode: Mode) -> str:
        """Write it in one line."""
        name = f" [{self.name}]" if self.name and mode == "compact" else ""
        words = short(self.quote, WORDS[mode])
        quote = f": {json.dumps(words, ensure_ascii=False)}" if words else ""
        return f"{short(self.text, LONGEST)}{name}{quote}"


@frozen
class Section:
    """Facts on one subject, the most important first; `countable` says whether their number says something, too."""

    title: str
    points: Sequence[Point]
    countable: bool = True
