"""Facts that only history and code owners know."""

from collections.abc import Iterator

from stithy_core.spi import excerpt
from stithy_pulls.facts.records import Fact
from stithy_pulls.impact.gathering import ImpactEvidence

BUSY = 5
"""Commits within ninety days, from which on a file is said to change often."""


def find_history_facts(told: ImpactEvidence) -> Iterator[Fact]:
    """Find files that change often, were reverted lately, or belong to nobody."""
    for path, commits in told.activity.churn.items():
        if commits >= BUSY:
            text = f"{commits} commits touched it in the last 90 days"
            yield Fact(kind="churn", focus="maintenance", path=path, text=text, points=1)
    for path, subject in told.activity.reverted.items():
        text = f"a commit of the last 90 days took something back: {excerpt(subject, 80)}"
        yield Fact(kind="reverted", focus="maintenance", path=path, text=text, points=1)
    for path in told.owned.unowned:
        yield Fact(kind="unowned", focus="maintenance", path=path, text="no line of the code owners fits it", points=1)
