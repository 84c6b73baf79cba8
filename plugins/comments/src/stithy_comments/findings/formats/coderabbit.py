"""CodeRabbit and bots with the same format: folds by section, in them folds by file, in them findings by line.

    <details><summary>🧹 Nitpick comments (3)</summary><blockquote>
    <details><summary>src/bellows.py (2)</summary><blockquote>

    `12-15`: **Title.**  (before it, or on a line of its own: _Kind_ | _Weight_ | _Effort_)

    Text.

    ---

    `40`: …

Since September 2026 sections outside of the diff have a title in bold instead, and a fold for each finding:

    > **⚠️ Outside diff range comments (1)**
    >
    > <details><summary><em>🟠 Major</em> · Title. · <code>src/bellows.py:12-15</code></summary><blockquote>

Every section whose title counts comments is read under any name: bots rename them. The section "Additional comments"
requests nothing, and neither does a bare "LGTM!". A section can be quoted as a whole (findings outside of the diff).
"""

import re
from bisect import bisect
from collections.abc import Iterator

from attrs import evolve

from stithy_comments.findings.finding_format import (
    NO_WORD_BEFORE,
    Claim,
    Format,
    create_finding,
    parse_lines,
    strip_wrappers,
)
from stithy_comments.findings.finding_records import Finding
from stithy_comments.findings.markdown_page import DEEPEST, Details, Page
from stithy_comments.findings.plain_words import comments_counted, heading_words
from stithy_comments.findings.text_cuts import replace_parts

NAME = "coderabbit"
FILE = re.compile(r"(?P<path>[^\s(].*?)\s*\((?P<count>\d{1,6})\)")
PREVIEW = re.compile(r"(?P<head>.*) · `(?P<path>[^`]+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?`")
TITLE = re.compile(r"^[ \t>]*+\*\*(?P<name>[^*\n]{1,200})\*\*[ \t]*$", re.MULTILINE)
WORD = re.compile(r"[^\W_]+")
EVERYWHERE = {"comment", "comments", "range"}
ASKS_NOTHING = "additional"
PRAISE = re.compile(r"\W*+(?:lgtm|looks good(?: to me)?|no issues?(?: found)?)\W*+", re.IGNORECASE)
RULE = re.compile(r"^[ \t]*+(?:---|\*\*\*|___)[ \t]*$", re.MULTILINE)
LINES = (
    r"(?:(?:Line range hint[ ]+)?`(?:L(?:ines?)?[ ]?)?(?P<first>\d++)(?:[ ]?[-\u2013][ ]?L?(?P<last>\d++))?`[ ]?:"
    r"|(?P<bare_first>\d++)(?:-(?P<bare_last>\d++))?:(?=[ ]+[_*]))"
)
# After a rule or at the top, a range of lines begins a finding. Elsewhere it may be part of a sentence, such as
# "see\n\n`12-13`: …"; it counts only if fewer findings were found than the fold's title announces.
SURE = re.compile(rf"(?:\A|{RULE.pattern})\s*+{LINES}", re.MULTILINE)
PERHAPS = re.compile(rf"(?:(?:\A|{RULE.pattern})\s*+|^[ \t]*+\n[ \t]*+){LINES}", re.MULTILINE)


# The text of a finding with a preview in its title repeats the place.
PLACE_AGAIN = re.compile(rf"(?:{LINES}|`[^`\n]+:\d+(?:-\d+)?`:?)")


def _claims(page: Page) -> Iterator[Claim]:
    here = 0
    for claim in sorted([*_parse_folded_sections(page), *_parse_titled_sections(page)], key=lambda claim: claim.start):
        if claim.start >= here:
            here = claim.end
            yield claim


FORMAT = Format(NAME, ("comment",), _claims)


def _parse_folded_sections(page: Page) -> Iterator[Claim]:
    """Claim the sections that are folds."""
    here = 0
    for fold in page.details:
        if fold.start < here or fold.level > DEEPEST:
            continue
        if name := comments_counted(heading_words(fold.raw_summary)):
            here = fold.end
            inner = page.inside(fold)
            found: list[Finding] = []
            understood: list[tuple[int, int, str]] = []
            for part in inner.roots():
                if in_part := list(_parse_fold(inner, part, _slug(name))):
                    found += in_part
                    understood.append((part.start, part.end, ""))
            if found:
                kept = strip_wrappers(replace_parts(inner.text, understood))
                yield _claim(fold.start, fold.end, found, f"{fold.summary}\n\n{kept}" if kept else "")


def _parse_titled_sections(page: Page) -> Iterator[Claim]:
    """Claim the folds below a title in bold, and the title."""
    titles = [(title, comments_counted(heading_words(title["name"]))) for title in page.outside_folds(TITLE)]
    sections = [(title, _slug(name)) for title, name in titles if name]
    starts = [title.start() for title, _ in sections]
    claimed = 0
    for fold in page.roots() if sections else ():
        at = bisect(starts, fold.start)
        if at and (found := list(_parse_fold(page, fold, sections[at - 1][1]))):
            if claimed < at:
                claimed = at
                yield Claim(start=starts[at - 1], end=sections[at - 1][0].end())
            yield _claim(fold.start, fold.end, found)


def _slug(name: str) -> str:
    return "_".join(word for word in WORD.findall(name) if word not in EVERYWHERE) or "comments"


def _claim(start: int, end: int, found: list[Finding], kept: str = "") -> Claim:
    asking = tuple(each for each in found if not _asks_nothing(each))
    return Claim(start=start, end=end, items=asking, approvals=tuple(filter(_asks_nothing, found)), kept=kept)


def _asks_nothing(each: Finding) -> bool:
    praises = PRAISE.fullmatch(f"{each.title or ''} {each.text}") is not None
    return praises or each.section.startswith(ASKS_NOTHING)


def _parse_fold(page: Page, fold: Details, section: str) -> Iterator[Finding]:
    if file := FILE.fullmatch(fold.summary):
        yield from _parse_file(page.inside(fold), section, file["path"], int(file["count"]))
    elif preview := PREVIEW.fullmatch(fold.summary):
        yield _parse_preview(page.inside(fold), section, preview)


def _parse_preview(inside: Page, section: str, preview: re.Match[str]) -> Finding:
    text = strip_wrappers(inside.text)
    if again := PLACE_AGAIN.match(text):
        text = text[again.end() :]
    item = create_finding(NAME, section, preview["path"], parse_lines(preview["first"], preview["last"]), text)
    weight, _, title = preview["head"].partition(" · ")
    label = NO_WORD_BEFORE.sub("", weight)
    return evolve(item, label=item.label or label or None, title=item.title or title or None)


def _parse_file(inside: Page, section: str, path: str, count: int) -> Iterator[Finding]:
    """Iterate over the findings of a file: first those about the whole file, then those by line."""
    page = Page(strip_wrappers(inside.text))
    located = list(page.outside_folds(SURE))
    if len(located) < count:
        located = list(page.outside_folds(PERHAPS))
    ends = [*(each.start() for each in located), len(page.text)]
    for text in _iterate_between_rules(page, ends[0]):
        yield create_finding(NAME, section, path, (None, None), text)
    for locator, end in zip(located, ends[1:], strict=True):
        first, last = locator["first"] or locator["bare_first"], locator["last"] or locator["bare_last"]
        text = page.text[locator.end() : end].rstrip().removesuffix("\n---")
        yield create_finding(
            NAME, section, path.removesuffix(f"-{first}-{last or first}"), parse_lines(first, last), text
        )


def _iterate_between_rules(page: Page, border: int) -> Iterator[str]:
    here = 0
    for rule in page.outside_folds(RULE):
        if rule.start() < border:
            yield from _iterate_nonblank(page.text[here : rule.start()])
            here = rule.end()
    yield from _iterate_nonblank(page.text[here:border])


def _iterate_nonblank(text: str) -> Iterator[str]:
    if text.strip():
        yield text
