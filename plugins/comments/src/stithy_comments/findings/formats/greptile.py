"""Greptile: findings outside of the diff are numbered in a fold of its general comment.

<details><summary><h3>Comments Outside Diff (2)</h3></summary>   or: Additional Comments (2)

1. `src/bellows.py`, line 12-15 ([link](https://…))

   **Title.**

   Text.
"""

import re
from collections.abc import Iterator
from textwrap import dedent

from stithy_comments.findings.finding_format import Claim, Format, create_finding, parse_lines
from stithy_comments.findings.finding_records import Finding
from stithy_comments.findings.markdown_page import DEEPEST, Page
from stithy_comments.findings.plain_words import comments_counted, heading_words
from stithy_comments.findings.text_cuts import replace_parts

NAME = "greptile"
SECTIONS = {"comments outside diff ": "outside_diff", "additional comments ": "outside_diff"}
ITEM = re.compile(
    r"^\d{1,6}\.[ ]+`(?P<path>[^`\n]+)`(?:,[ ]*lines?[ ]+(?P<first>\d+)(?:[ ]?[-:\u2013][ ]?(?P<last>\d+))?)?"
    r"[ \t]*+(?:\(\[link\]\([^()\n]*\)\))?[ \t]*$",
    re.MULTILINE,
)


def _claims(page: Page) -> Iterator[Claim]:
    here = 0
    for fold in page.details:
        section = SECTIONS.get(comments_counted(heading_words(fold.raw_summary)) or "")
        if fold.start >= here and fold.level <= DEEPEST and section:
            here = fold.end
            inner = page.inside(fold)
            if found := list(_parse_items(inner, section)):
                kept = replace_parts(inner.text, ((start, end, "") for start, end, _ in found)).strip()
                items = tuple(item for _, _, item in found)
                yield Claim(start=fold.start, end=fold.end, items=items, kept=kept)


FORMAT = Format(NAME, ("comments outside diff", "additional comments"), _claims)


def _parse_items(page: Page, section: str) -> Iterator[tuple[int, int, Finding]]:
    places = list(page.outside_folds(ITEM))
    for place, end in zip(places, [*(after.start() for after in places[1:]), len(page.text)], strict=False):
        text = dedent(page.text[place.end() : end].strip("\n"))
        where = parse_lines(place["first"], place["last"])
        yield place.start(), end, create_finding(NAME, section, place["path"], where, text)
