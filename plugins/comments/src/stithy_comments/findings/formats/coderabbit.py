"""CodeRabbit, and bots that write as it does: folds by section, in them folds by file, in them findings by line.

    <details><summary>🧹 Nitpick comments (3)</summary><blockquote>
    <details><summary>src/bellows.py (2)</summary><blockquote>

    `12-15`: **Title.**  (before it, or on a line of its own: _Kind_ | _Weight_ | _Effort_)

    Text.

    ---

    `40`: …

Every section whose summary counts comments is read, whatever it is called: bots rename them. The section "Additional
comments" asks nothing, neither does a bare "LGTM!". Sections can be quoted as a whole (findings outside of the diff).
"""

import re
from collections.abc import Iterator

from stithy_comments.findings.cutting import replaced
from stithy_comments.findings.format import Claim, Format, finding, lines, unwrapped
from stithy_comments.findings.page import DEEPEST, Details, Page
from stithy_comments.findings.records import Finding
from stithy_comments.findings.words import comments_counted, heading_words

NAME = "coderabbit"
FILE = re.compile(r"(?P<path>[^\s(].*?)\s*\((?P<count>\d{1,6})\)")
WORD = re.compile(r"[^\W_]+")
EVERYWHERE = {"comment", "comments", "range"}
ASKS_NOTHING = "additional"
PRAISE = re.compile(r"\W*+(?:lgtm|looks good(?: to me)?|no issues?(?: found)?)\W*+", re.IGNORECASE)
RULE = re.compile(r"^[ \t]*+(?:---|\*\*\*|___)[ \t]*$", re.MULTILINE)
LINES = (
    r"(?:(?:Line range hint[ ]+)?`(?:L(?:ines?)?[ ]?)?(?P<first>\d++)(?:[ ]?[-\u2013][ ]?L?(?P<last>\d++))?`[ ]?:"
    r"|(?P<bare_first>\d++)(?:-(?P<bare_last>\d++))?:(?=[ ]+[_*]))"
)
# Behind a rule or at the top a range of lines begins a finding. Elsewhere it may be part of a sentence, as here:
# "see\n\n`12-13`: …"; only where findings are missing is that one, too.
SURE = re.compile(rf"(?:\A|{RULE.pattern})\s*+{LINES}", re.MULTILINE)
PERHAPS = re.compile(rf"(?:(?:\A|{RULE.pattern})\s*+|^[ \t]*+\n[ \t]*+){LINES}", re.MULTILINE)


def _claims(page: Page) -> Iterator[Claim]:
    here = 0
    for fold in page.details:
        if fold.start < here or fold.level > DEEPEST:
            continue
        if section := comments_counted(heading_words(fold.raw_summary)):
            here = fold.end
            yield from _section(page, fold, _slug(section))


FORMAT = Format(NAME, ("comment",), _claims)


def _slug(name: str) -> str:
    return "_".join(word for word in WORD.findall(name) if word not in EVERYWHERE) or "comments"


def _section(page: Page, fold: Details, section: str) -> Iterator[Claim]:
    inner = page.inside(fold)
    found: list[Finding] = []
    understood: list[tuple[int, int, str]] = []
    for file in inner.roots():
        if said := FILE.fullmatch(file.summary):
            found += _findings(inner.inside(file), section, said["path"], int(said["count"]))
            understood.append((file.start, file.end, ""))
    if found:
        kept = unwrapped(replaced(inner.text, understood))
        nothing = section.startswith(ASKS_NOTHING)
        yield Claim(
            start=fold.start,
            end=fold.end,
            items=tuple(each for each in found if not (nothing or _praises(each))),
            approvals=tuple(each for each in found if nothing or _praises(each)),
            kept=f"{fold.summary}\n\n{kept}" if kept else "",
        )


def _findings(inside: Page, section: str, path: str, count: int) -> Iterator[Finding]:
    """Yield what stands at a file: by line, and before the first line what is about the file as a whole."""
    page = Page(unwrapped(inside.text))
    located = list(page.outside_folds(SURE))
    if len(located) < count:
        located = list(page.outside_folds(PERHAPS))
    ends = [*(each.start() for each in located), len(page.text)]
    for text in _between_rules(page, ends[0]):
        yield finding(NAME, section, path, (None, None), text)
    for locator, end in zip(located, ends[1:], strict=True):
        first, last = locator["first"] or locator["bare_first"], locator["last"] or locator["bare_last"]
        text = page.text[locator.end() : end].rstrip().removesuffix("\n---")
        yield finding(NAME, section, path.removesuffix(f"-{first}-{last or first}"), lines(first, last), text)


def _between_rules(page: Page, border: int) -> Iterator[str]:
    here = 0
    for rule in page.outside_folds(RULE):
        if rule.start() < border:
            yield from _text(page.text[here : rule.start()])
            here = rule.end()
    yield from _text(page.text[here:border])


def _text(text: str) -> Iterator[str]:
    if text.strip():
        yield text


def _praises(each: Finding) -> bool:
    return PRAISE.fullmatch(f"{each.title or ''} {each.text}") is not None
