"""The meaning of verdicts: one failed check that counts decides, and nothing incomplete has passed."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from stithy_core.spi import CommitCheck, Unknown, Verdict

Status: TypeAlias = Literal["pending", "running", "failed", "passed", "unknown"]

UNDER_WAY = frozenset({Verdict.PENDING, Verdict.RUNNING})
HARMLESS = frozenset({Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL})
"""These do not prevent a merge; a verdict that is neither here nor under way is a failure."""


def is_under_way(check: CommitCheck) -> bool:
    """Check whether a check has not ended."""
    return not isinstance(check.verdict, Unknown) and check.verdict in UNDER_WAY


def has_failed(check: CommitCheck) -> bool:
    """Check whether a check has ended without success: timed_out, cancelled, stale and the like count as failed."""
    return not isinstance(check.verdict, Unknown) and check.verdict not in UNDER_WAY | HARMLESS


def is_blocking(check: CommitCheck) -> bool:
    """Check whether a check has failed, and its failure counts."""
    return has_failed(check) and check.allowed_to_fail is not True


def format_verdict(check: CommitCheck) -> str:
    """Return the word for a check's verdict: the forge's own if it is not a known one."""
    return check.raw or "unknown" if isinstance(check.verdict, Unknown) else check.verdict.value


def combine_statuses(checks: Sequence[CommitCheck], *, cut: str, missing: Iterable[str]) -> Status:
    """Return the common status of checks.

    Args:
        checks: The checks of one commit.
        cut: Why there are more; empty if these are all.
        missing: Required checks that were not reported.
    """
    if any(map(is_blocking, checks)):
        return "failed"
    verdicts = [check.verdict for check in checks if not isinstance(check.verdict, Unknown)]
    if Verdict.RUNNING in verdicts:
        return "running"
    if Verdict.PENDING in verdicts:
        return "pending"
    if cut or len(verdicts) < len(checks) or not checks:
        return "unknown"
    return "pending" if any(missing) else "passed"
