"""Extraction of the findings of a body."""

from stithy_comments.findings.cutting import trimmed
from stithy_comments.findings.format import Claim
from stithy_comments.findings.formats import FORMATS
from stithy_comments.findings.records import Findings
from stithy_comments.findings.state import without_state


def findings_in(body: str) -> Findings:
    """Return the findings that a bot wrote into the body of a review or a comment.

    Call it for bots only: a person may quote a bot.

    Args:
        body: Any Markdown. No body raises an error; time is linear in its length.
    """
    page = without_state(body)
    claims: list[Claim] = []
    for each in FORMATS:
        if each.is_awake(page.text.lower()):
            claimed = list(each.claims(page))
            page = page.replaced((claim.start, claim.end, claim.kept) for claim in claimed)
            claims += claimed
    return Findings(
        items=tuple(item for claim in claims for item in claim.items),
        approvals=tuple(item for claim in claims for item in claim.approvals),
        rest=trimmed(page.text),
    )


def plain(body: str) -> str:
    """Return a bot's body without what it wrote for machines: comments, notes on its run, prompts for agents.

    Findings stay, and so do tables such as those of coverage.
    """
    return trimmed(without_state(body).text)
