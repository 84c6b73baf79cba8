"""Sourcery: findings that it could not attach to lines are in tags in the body.

    ### Comment 1
    <location> `src/bellows.py:12-15` </location>   or: <location path="src/bellows.py" line_range="12-15" />
    <code_context>
    …
    </code_context>
    <issue_to_address>
    **issue (bug_risk):** Title

    Text.
    </issue_to_address>

Its fold "Prompt for AI Agents" repeats every thread that it opened and is ignored: the threads themselves are read.
The code context repeats the diff and is dropped.
"""

import re
from collections.abc import Iterator

from stithy_comments.findings.finding_format import Claim, Format, create_finding, parse_lines
from stithy_comments.findings.markdown_page import Page

NAME = "sourcery"
SECTION = "individual"
HEAD = re.compile(r"^[ \t>]*+#{2,4}[ ]+Comment[ ]+\d+[ \t]*\n", re.MULTILINE)
LOCATION = re.compile(
    r"[\s>]*+<location(?:\s*+>\s*+`?(?P<path>[^`<>\n]+?):(?P<lines>\d+(?:-\d+)?)`?\s*+</location>"
    r"|\s++path=\"(?P<named_path>[^\"\n]+)\"\s++line_range=\"(?P<named_lines>\d+(?:-\d+)?)\"\s*+/?>)"
)
ISSUE = re.compile(r"<issue_to_address>")
ISSUE_END = re.compile(r"</issue_to_address>")


def _claims(page: Page) -> Iterator[Claim]:
    heads = list(HEAD.finditer(page.mask))
    for head, end in zip(heads, [*(after.start() for after in heads[1:]), len(page.text)], strict=False):
        place = LOCATION.match(page.mask, head.end(), end)
        issue = place and ISSUE.search(page.mask, place.end(), end)
        issue_end = issue and ISSUE_END.search(page.mask, issue.end(), end)
        if place and issue and issue_end:
            first, _, last = (place["lines"] or place["named_lines"]).partition("-")
            text = page.part(issue.end(), issue_end.start()).text
            path = place["path"] or place["named_path"]
            item = create_finding(NAME, SECTION, path, parse_lines(first, last), text)
            yield Claim(start=head.start(), end=issue_end.end(), items=(item,))


FORMAT = Format(NAME, ("<issue_to_address>",), _claims)
