"""GitHub Copilot: comments with low confidence are in a fold of the review's body, or below a heading in a fold.

    <details><summary>Comments suppressed due to low confidence (2)</summary>   or: ### Suppressed comments (2)

    **src/bellows.py:40**
    * Text.
    ```
    the line in question
    ```

Since autumn 2026 also a fold "Previously missed (1)" with one fold per finding: its summary is a badge and the title,
its first line the place in backticks. Long paths can contain zero-width spaces.
"""

import re
from collections.abc import Iterator

from stithy_comments.findings.finding_format import Claim, Format, create_finding, parse_lines
from stithy_comments.findings.finding_records import Finding
from stithy_comments.findings.markdown_page import DEEPEST, Page
from stithy_comments.findings.plain_words import badges, heading_words, plain_words
from stithy_comments.findings.text_cuts import replace_parts

NAME = "copilot"
SECTION = re.compile(r"(?:comments )?(?P<suppressed>suppressed)\b|previously (?P<missed>missed)\b")
HEADING = re.compile(r"^[ \t>]*+#{2,4}[ ]+(?P<name>[^\n]{1,200})$", re.MULTILINE)
REGION_END = re.compile(
    r"^[ \t>]*+(?:#{1,4}[ ]|- \*\*(?:Files reviewed|Comments generated|Review effort)\b)|</?details\b|\Z",
    re.MULTILINE | re.IGNORECASE,
)
PLACE = r"(?P<path>[^\n`*]{1,1000}?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?"
IN_BOLD = re.compile(rf"^\*\*{PLACE}\*\*[ \t]*$", re.MULTILINE)
IN_CODE = re.compile(rf"\s*+`{PLACE}`[ \t]*(?:\n|\Z)")
BULLET = re.compile(r"\s*+[*-][ ]+")


def _claims(page: Page) -> Iterator[Claim]:
    here = 0
    for start, inner_start, inner_end, end, name in sorted([*_iterate_folds(page), *_iterate_headings(page)]):
        if start >= here and (section := SECTION.match(heading_words(name))):
            here = end
            inner = page.part(inner_start, inner_end)
            word = section["suppressed"] or section["missed"]
            found = [*_parse_folds(inner, word)] or [*_parse_list(inner, word)]
            kept = replace_parts(inner.text, ((first, last, "") for first, last, _ in found)).strip()
            items = tuple(item for _, _, item in found)
            if items:
                yield Claim(start=start, end=end, items=items, kept=f"{plain_words(name)}\n\n{kept}" if kept else "")


FORMAT = Format(NAME, ("suppressed", "previously missed"), _claims)


def _iterate_folds(page: Page) -> Iterator[tuple[int, int, int, int, str]]:
    for fold in page.details:
        if fold.level <= DEEPEST:
            yield fold.start, fold.inner_start, fold.inner_end, fold.end, fold.raw_summary


def _iterate_headings(page: Page) -> Iterator[tuple[int, int, int, int, str]]:
    for heading in HEADING.finditer(page.mask):
        if end := REGION_END.search(page.mask, heading.end()):
            yield heading.start(), heading.end(), end.start(), end.start(), heading["name"]


def _parse_folds(page: Page, section: str) -> Iterator[tuple[int, int, Finding]]:
    """Iterate over start, end and finding of each finding with a fold of its own."""
    for fold in page.roots():
        if place := IN_CODE.match(page.text, fold.inner_start, fold.inner_end):
            text = page.text[place.end() : fold.inner_end]
            item = _finding(section, place, text, title=fold.summary, label=badges(fold.raw_summary))
            yield fold.start, fold.end, item


def _parse_list(page: Page, section: str) -> Iterator[tuple[int, int, Finding]]:
    """Iterate over start, end and finding of each finding that follows its place in bold."""
    places = list(page.outside_folds(IN_BOLD))
    for place, end in zip(places, [*(after.start() for after in places[1:]), len(page.text)], strict=False):
        bullet = BULLET.match(page.text, place.end(), end)
        yield place.start(), end, _finding(section, place, page.text[bullet.end() if bullet else place.end() : end])


def _finding(section: str, place: re.Match[str], text: str, *, title: str = "", label: str = "") -> Finding:
    where = parse_lines(place["first"], place["last"])
    return create_finding(NAME, section, place["path"], where, text, title=title, label=label)
