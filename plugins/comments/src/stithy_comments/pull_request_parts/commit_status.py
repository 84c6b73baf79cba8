"""The checks of a commit and their combined state: result of method `get_status`."""

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2s
from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_comments.text_format import format_line
from stithy_core.spi import CommitCheck, Listing, Maybe, Meta, Unknown, Verdict, excerpt

CombinedState: TypeAlias = Literal["success", "failure", "pending", "none", "unknown"]

PENDING = {Verdict.PENDING, Verdict.RUNNING}
PASSED = {Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL}
"""Verdicts that count as passed; a verdict that is neither here nor pending counts as failed."""
NAMED = 20
REMEDY = "Read the checks one by one."


@frozen(kw_only=True)
class CommitStatus:
    """The combined state of the checks of a commit.

    Args:
        state: `none` without any checks; `unknown` if some checks or verdicts are unknown.
        sha: The head commit.
        counts: Number of checks by verdict.
        failing: Names of failed checks, at most twenty; without those that are allowed to fail.
    """

    state: Maybe[CombinedState]
    sha: str
    counts: dict[str, int]
    failing: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: one."""
        state = self.state.shown if isinstance(self.state, Unknown) else self.state
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        names = f"; failed: {', '.join(self.failing)}" if self.failing else ""
        yield f"{state} at {self.sha[:10]}" + (f": {counts}" if counts else "") + names


@frozen(kw_only=True)
class CheckRow:
    """One check.

    Args:
        name: Its name.
        verdict: Its verdict; the forge's own word if the model does not have it.
        allowed_to_fail: True if its failure does not count.
        url: Its page.
        summary: Its own summary.
    """

    name: str
    verdict: str
    allowed_to_fail: bool | None
    url: str | None
    summary: Annotated[str | None, Meta(cut=True)]

    @property
    def key(self) -> str:
        """The cursor key: a digest of name and page, since several checks may share a name."""
        return blake2s(f"{self.name}\n{self.url}".encode(errors="surrogatepass"), digest_size=8).hexdigest()

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text: one."""
        summary = f": {excerpt(self.summary)}" if self.summary else ""
        where = f" {self.url}" if self.url else ""
        allowed = " (allowed to fail)" if self.allowed_to_fail else ""
        yield f"- {self.name}: {self.verdict}{allowed}{summary}{where}"


def create_check_row(check: CommitCheck) -> CheckRow:
    """Create the row of a check."""
    return CheckRow(
        name=check.name,
        verdict=get_verdict_word(check),
        allowed_to_fail=check.allowed_to_fail is True or None,
        url=check.url or None,
        summary=check.summary or None,
    )


def get_verdict_word(check: CommitCheck) -> str:
    """Return the word for a check's verdict: the forge's own if the model does not have it."""
    return check.raw or "unknown" if isinstance(check.verdict, Unknown) else check.verdict.value


def count_verdicts(checks: Listing[CommitCheck]) -> dict[str, int]:
    """Count the checks by verdict."""
    return dict(sorted(Counter(map(get_verdict_word, checks)).items()))


def list_failing_checks(checks: Listing[CommitCheck]) -> tuple[str, ...]:
    """Return the names of the failed checks, at most `NAMED`, in the order of the listing."""
    return tuple(check.name for check in checks if _has_failed(check))[:NAMED]


def combine_verdicts(checks: Listing[CommitCheck]) -> Maybe[CombinedState]:
    """Return the combined state of the checks of a commit.

    The first rule that applies decides: a failed check makes `failure`; checks that could not be read, or verdicts
    that are unknown, make `unknown`; a check in progress makes `pending`; without any checks the state is `none`;
    else it is `success`. Skipped and neutral checks count as passed, and so does a failure that is allowed.
    """
    if any(map(_has_failed, checks)):
        return "failure"
    if checks.cut:
        return Unknown(f"some checks could not be read: {checks.cut}", REMEDY, shown="unknown")
    odd = sorted(
        format_line(f"{check.name} ({get_verdict_word(check)})")
        for check in checks
        if isinstance(check.verdict, Unknown)
    )
    if odd:
        return Unknown(f"unknown verdicts of checks: {', '.join(odd[:5])}", REMEDY, shown="unknown")
    if any(check.verdict in PENDING for check in checks):
        return "pending"
    return "success" if checks else "none"


def _has_failed(check: CommitCheck) -> bool:
    failed = not isinstance(check.verdict, Unknown) and check.verdict not in PENDING | PASSED
    return failed and check.allowed_to_fail is not True
