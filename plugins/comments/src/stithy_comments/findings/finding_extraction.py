"""Extraction of the findings of a body."""

from stithy_comments.findings.finding_format import Claim
from stithy_comments.findings.finding_records import Findings
from stithy_comments.findings.formats import FORMATS
from stithy_comments.findings.machine_parts import remove_machine_parts
from stithy_comments.findings.text_cuts import strip_blank_lines


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
