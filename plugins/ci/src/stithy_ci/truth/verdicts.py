"""What verdicts mean: one that has failed decides, and nothing partial has passed."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from stithy_core.spi import CommitCheck, Unknown, Verdict

Status: TypeAlias = Literal["pending", "running", "failed", "passed", "unknown"]

UNDER_WAY = frozenset({Verdict.PENDING, Verdict.RUNNING})
HARMLESS = frozenset({Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL})
"""These keep nobody from merging; whatever is neither here nor under way has failed."""


def is_under_way(check: CommitCheck) -> bool:
    """Return whether a check has still to end."""
    return not isinstance(check.verdict, Unknown) and check.verdict in UNDER_WAY


def has_failed(check: CommitCheck) -> bool:
    """Return whether a check has ended in any way but well: timed_out, cancelled, stale and the like have, too."""
    return not isinstance(check.verdict, Unknown) and check.verdict not in UNDER_WAY | HARMLESS


def word_of(check: CommitCheck) -> str:
    """Return the word for a check's verdict: the forge's own where it is none that we know."""
    return check.raw or "unknown" if isinstance(check.verdict, Unknown) else check.verdict.value


def status_of(checks: Sequence[CommitCheck], *, cut: str, missing: Iterable[str]) -> Status:
    """Return what checks come to.

    Args:
        checks: Those of one commit.
        cut: Why there are more; empty where these are all.
        missing: Required checks that nobody has reported.
    """
    if any(map(has_failed, checks)):
        return "failed"
    verdicts = [check.verdict for check in checks if not isinstance(check.verdict, Unknown)]
    if Verdict.RUNNING in verdicts:
        return "running"
    if Verdict.PENDING in verdicts:
        return "pending"
    if cut or len(verdicts) < len(checks) or not checks:
        return "unknown"
    return "pending" if any(missing) else "passed"
