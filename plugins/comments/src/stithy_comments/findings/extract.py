"""From a body to its findings."""

from stithy_comments.findings.cutting import trimmed
from stithy_comments.findings.format import Claim
from stithy_comments.findings.formats import FORMATS
from stithy_comments.findings.records import Findings
from stithy_comments.findings.state import without_state


def findings_in(body: str) -> Findings:
    """Find what a bot wrote into the body of a review or a comment.

    Call it for bots only: a person who quotes a bot makes no finding of it.

    Args:
        body: Markdown, as the forge gave it. Anything at all: it raises nothing and takes linear time.
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
    """Give a bot's body without what is only for machines: comments, notes on its run, orders to agents.

    Tables of coverage and the like stay, and so do findings.
    """
    return trimmed(without_state(body).text)
