"""Ellipsis: drafted comments that it did not post are numbered in a fold of the review's body.

##### 1. [`src/bellows.py:12`](https://…)
- Draft comment:
Text.
- Reason this comment was not posted:
Text.
"""

import re
from collections.abc import Iterator

from stithy_comments.findings.finding_format import Claim, Format, create_finding, parse_lines
from stithy_comments.findings.markdown_page import Page
from stithy_comments.findings.plain_words import TAG

NAME = "ellipsis"
SECTION = "not_posted"
HEAD = re.compile(r"^[ \t>]*+#{3,6}[ ]+\d{1,6}\\?\.[ ]+(?P<place>[^\n]+)$", re.MULTILINE)
PLACE = re.compile(r"\[?`?(?P<path>[^`\[\]\n]+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?`?:?(?:\]\([^()\n]*\))?:?")
END = re.compile(r"^[ \t>]*+(?:#{1,6}[ ]|Workflow ID\b|---+[ \t]*$)|</details\b|\Z", re.MULTILINE | re.IGNORECASE)
DRAFT = re.compile(r"\s*+[-*][ ]+(?:\*\*)?(?:Draft comment|Comment):?(?:\*\*)?:?(?:[ ]*<br\s*/?>)?[ \t]*\n?")


def _claims(page: Page) -> Iterator[Claim]:
    for head in HEAD.finditer(page.mask):
        place = PLACE.fullmatch(TAG.sub("", page.text[head.start("place") : head.end()]).strip())
        end = END.search(page.mask, head.end())
        draft = place and end and DRAFT.match(page.text, head.end(), end.start())
        if place and end and draft:
            text = page.part(draft.end(), end.start()).text
            where = parse_lines(place["first"], place["last"])
            item = create_finding(NAME, SECTION, place["path"], where, text)
            yield Claim(start=head.start(), end=end.start(), items=(item,))


FORMAT = Format(NAME, ("draft comment", "not posted"), _claims)
