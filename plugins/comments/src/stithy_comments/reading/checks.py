"""What the checks of a commit come to, by rule."""

from collections import Counter
from typing import Literal, TypeAlias

from stithy_core.spi import CommitCheck, Listing, Maybe, Unknown, Verdict

State: TypeAlias = Literal["success", "failure", "pending", "none", "unknown"]

PENDING = {Verdict.PENDING, Verdict.RUNNING}
PASSED = {Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL}
"""Of these nobody has to wait for anything; whatever is left has failed."""
NAMED = 20
REMEDY = "Look at the checks one by one."


def word_of(check: CommitCheck) -> str:
    """Give the word for a check's verdict: the forge's own where it is none that we know."""
    return check.raw or "unknown" if isinstance(check.verdict, Unknown) else check.verdict.value


def counts_of(checks: Listing[CommitCheck]) -> dict[str, int]:
    """Count the checks by verdict."""
    return dict(sorted(Counter(map(word_of, checks)).items()))


def failing(checks: Listing[CommitCheck]) -> tuple[str, ...]:
    """Name those that have failed, the first ones by name."""
    return tuple(check.name for check in checks if _failed(check))[:NAMED]


def state_of(checks: Listing[CommitCheck]) -> Maybe[State]:
    """Say what the checks of a commit come to.

    One that has failed decides. Without one, it is not known as long as there are checks or verdicts that nobody knows;
    then one that is under way says pending. Skipped and neutral ones never fail, and no checks at all are no success.
    """
    if any(map(_failed, checks)):
        return "failure"
    if checks.cut:
        return Unknown(f"not all checks could be read: {checks.cut}", REMEDY, shown="unknown")
    odd = sorted(f"{check.name} ({word_of(check)})" for check in checks if isinstance(check.verdict, Unknown))
    if odd:
        return Unknown(f"the verdicts of these checks are not known: {', '.join(odd[:5])}", REMEDY, shown="unknown")
    if any(check.verdict in PENDING for check in checks):
        return "pending"
    return "success" if checks else "none"


def _failed(check: CommitCheck) -> bool:
    return not isinstance(check.verdict, Unknown) and check.verdict not in PENDING | PASSED
