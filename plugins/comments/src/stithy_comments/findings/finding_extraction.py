"""Extraction of the findings of a body, without what bots write for machines.

These parts of a body are for machines:

- HTML comments and other hidden markup (`[//]: # (…)`), blobs in base64, and the text between pairs of comments such as
  `internal state start` and `internal state end`;
- folds with prompts for agents: they are untrusted instructions and repeat the findings;
- folds with notes on the run (configuration, commits, files) and advertisements. Findings in them are kept.
"""

import re
from collections.abc import Iterator

from stithy_comments.findings.finding_format import Claim
from stithy_comments.findings.finding_records import Findings
from stithy_comments.findings.formats import FORMATS
from stithy_comments.findings.markdown_page import DEEPEST, Details, Page
from stithy_comments.findings.plain_words import comments_counted, heading_words
from stithy_comments.findings.text_cuts import strip_blank_lines

LINE_END = re.compile(r"\r\n?")
BORDER = re.compile(r"<!--\s*+(tips|internal[ _]state|announcements|finishing_touch_checkbox)[ _](start|end)\s*-->")
NEVER_SHOWN = re.compile(
    r"^[ \t>]*+(?:\[(?://|comment)\]:[ \t]*+#[^\n]*+|[A-Za-z0-9+/=_-]{200,}+[ \t]*+)$", re.MULTILINE
)
FOR_AGENTS = re.compile(
    r"\bprompts?\b.*\b(?:ai|agents?|llms?)\b|\bagent prompts?$"
    r"|^fix\b.*\b(?:with|in|using)\b.*\b(?:ai|agents?|cursor|claude|codex|copilot)\b"
)
ADVERTISEMENT = re.compile(r"(?:tips|share|autofix|finishing touches|about codex in github|tool usage guide)\b")
RUN = re.compile(
    r"run configuration|configuration used|additional context used|files (?:selected for processing"
    r"|ignored due to path filters|with no reviewable changes|skipped from review)\b"
)
PERHAPS_RUN = re.compile(r"(?:recent )?review (?:details|info)|commits")
SIGNS_OF_RUN = re.compile(
    r"configuration used|files selected for processing|run id|reviewing files that", re.IGNORECASE
)
WHERE_SIGNS_STAND = 2_000
LONGEST_NAME = 200


def remove_machine_parts(body: str) -> Page:
    """Return a body as a page without what is written for machines; its lines end in a line feed."""
    page = Page(LINE_END.sub("\n", body))
    for machines in (_unseen, _for_agents, _of_the_run):
        page = page.replace_parts((start, end, "") for start, end in machines(page))
    return page


def _unseen(page: Page) -> Iterator[tuple[int, int]]:
    """Iterate over start and end of hidden and unreadable parts; code stays unchanged."""
    comments = [(start, end) for start, end, kind in page.spans if kind == "comment"]
    lines = [found.span() for found in NEVER_SHOWN.finditer(page.text)]
    unseen = {*comments, *lines, *_between(page.text, comments)}
    code = {(start, end) for start, end, kind in page.spans if kind != "comment"} if unseen else set()
    here = 0
    for part in sorted(unseen | code, key=lambda part: (part[0], -part[1])):
        if part[0] >= here:
            here = part[1]
            if part in unseen:
                yield part


def _between(text: str, comments: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    opened: dict[str, int] = {}
    for start, end in comments:
        if border := BORDER.match(text, start, end):
            if border[2] == "start":
                opened[border[1]] = start
            elif border[1] in opened:
                yield opened.pop(border[1]), end


def _for_agents(page: Page) -> Iterator[tuple[int, int]]:
    here = 0
    for fold in page.details:
        name = heading_words(fold.raw_summary[:LONGEST_NAME])
        if fold.start >= here and name and (FOR_AGENTS.search(name) or ADVERTISEMENT.match(name)):
            here = fold.end
            yield fold.start, fold.end


def _of_the_run(page: Page) -> Iterator[tuple[int, int]]:
    """Iterate over start and end of notes on the run, without the folds with findings inside them."""
    here = run_end = 0
    for fold in page.details:
        if fold.start >= run_end:
            if here < run_end:
                yield here, run_end
            is_run = fold.level <= DEEPEST and _is_run(page, fold)
            here, run_end = (fold.start, fold.end) if is_run else (run_end, run_end)
        elif fold.start >= here and comments_counted(heading_words(fold.raw_summary)):
            yield here, fold.start
            here = fold.end
    if here < run_end:
        yield here, run_end


def _is_run(page: Page, fold: Details) -> bool:
    name = heading_words(fold.raw_summary[:LONGEST_NAME])
    if PERHAPS_RUN.fullmatch(name):
        most = min(fold.end, fold.start + WHERE_SIGNS_STAND)
        return SIGNS_OF_RUN.search(page.text, fold.start, most) is not None
    return RUN.match(name) is not None


def extract_findings(body: str) -> Findings:
    """Return the findings that a bot wrote into the body of a review or a comment.

    Call it for bots only: a person may quote a bot.

    Args:
        body: Any Markdown. No body raises an error; time is linear in its length.
    """
    page = remove_machine_parts(body)
    claims: list[Claim] = []
    for each in FORMATS:
        if each.can_match(page.text.lower()):
            claimed = list(each.claims(page))
            page = page.replace_parts((claim.start, claim.end, claim.kept) for claim in claimed)
            claims += claimed
    return Findings(
        items=tuple(item for claim in claims for item in claim.items),
        approvals=tuple(item for claim in claims for item in claim.approvals),
        rest=strip_blank_lines(page.text),
    )


def strip_machine_text(body: str) -> str:
    """Return a bot's body without what it wrote for machines: comments, notes on its run, prompts for agents.

    Findings stay, and so do tables such as those of coverage.
    """
    return strip_blank_lines(remove_machine_parts(body).text)
