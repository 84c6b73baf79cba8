"""Qodo (PR-Agent): suggestions are in a table, one fold each, with a link to the lines.

    <table>…<tr><td rowspan=2>Possible issue</td><td>
    <details><summary>Title</summary>
    ___
    **Text.**
    [src/bellows.py [12-15]](https://…)
    ```diff
    …
    ```
    <details><summary>Suggestion importance[1-10]: 8</summary>…</details></details></td><td align=center>High</td></tr>

A suggestion without such a link has no place and stays in the rest of the body.
"""

import re
from collections.abc import Iterator

from stithy_comments.findings.finding_format import Claim, Format, create_finding, parse_lines
from stithy_comments.findings.finding_records import Finding
from stithy_comments.findings.markdown_page import Details, Page
from stithy_comments.findings.text_cuts import replace_parts

NAME = "qodo"
SECTION = "suggestion"
TABLE, TABLE_END = "<table>", "</table>"
LINK = re.compile(
    r"^[ \t>]*+\[(?P<path>[^\[\]\n]+?)[ ]?\[[LR]?(?P<first>\d+)(?:-[LR]?(?P<last>\d+))?\]\]\([^()\n]*\)[ \t]*$",
    re.MULTILINE,
)
CATEGORY = re.compile(r"<td rowspan=\"?\d{1,4}\"?>(?P<name>[^<>\n]{1,100})</td>", re.IGNORECASE)
IMPACT = re.compile(r"\s*+</td>\s*+<td align=\"?center\"?>(?P<name>\w{1,100})\s*+</td>", re.IGNORECASE)
DECORATION = re.compile(
    rf"(?P<line_break>[ ]?<br[ ]?/?>)|{LINK.pattern}|^[ \t]*+_{{2,3}}[ \t]*$"
    r"|^(?:- \[ \] \*\*Apply\b|`\[To ensure code accuracy)[^\n]*$",
    re.MULTILINE,
)
TABLE_MARKUP = re.compile(r"</?(?:table|thead|tbody|tr|td|th)\b[^<>]*+>|&nbsp;", re.IGNORECASE)


def _claims(page: Page) -> Iterator[Claim]:
    """Claim the text from the first table to the last one; between the folds are only categories and severities."""
    start, end = page.mask.find(TABLE), page.mask.rfind(TABLE_END) + len(TABLE_END)
    if not 0 <= start < end:
        return
    items: list[Finding] = []
    understood: list[tuple[int, int, str]] = []
    here, category = start, ""
    for fold in page.roots():
        if start <= fold.start < fold.end <= end and (link := LINK.search(page.mask, fold.inner_start, fold.inner_end)):
            for named in [*CATEGORY.finditer(page.mask, here, fold.start)][-1:]:
                category = named["name"]
                understood.append((*named.span(), ""))
            impact = IMPACT.match(page.mask, fold.end, end)
            items.append(_item(page, fold, link, f"{category} | {impact['name']}" if impact else category))
            here = impact.end() if impact else fold.end
            understood.append((fold.start, here, ""))
    if items:
        kept = replace_parts(page.text[start:end], ((first - start, last - start, "") for first, last, _ in understood))
        yield Claim(start=start, end=end, items=tuple(items), kept=_words(kept))


FORMAT = Format(NAME, ("code suggestions",), _claims)


def _item(page: Page, fold: Details, link: re.Match[str], label: str) -> Finding:
    inner = page.inside(fold)
    decorations = DECORATION.finditer(inner.mask)
    text = replace_parts(
        inner.text, ((part.start(), part.end(), " " * bool(part["line_break"])) for part in decorations)
    )
    where = parse_lines(link["first"], link["last"])
    return create_finding(NAME, SECTION, link["path"], where, text, title=fold.summary, label=label)


def _words(table: str) -> str:
    markup = ((found.start(), found.end(), "") for found in TABLE_MARKUP.finditer(Page(table).mask))
    return replace_parts(table, markup).strip()
