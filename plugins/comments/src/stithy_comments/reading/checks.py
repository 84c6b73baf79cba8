"""The checks of a commit, and what they come to by rule."""

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2s
from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_comments.texts import in_line
from stithy_core.spi import CommitCheck, Listing, Maybe, Meta, Unknown, Verdict, excerpt

State: TypeAlias = Literal["success", "failure", "pending", "none", "unknown"]

PENDING = {Verdict.PENDING, Verdict.RUNNING}
PASSED = {Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL}
"""Of these nobody has to wait for anything; whatever is left has failed."""
NAMED = 20
REMEDY = "Look at the checks one by one."


@frozen(kw_only=True)
class Status:
    """What the checks of a commit come to.

    Args:
        state: none where there are no checks; unknown where not all of them, or not all verdicts, are known.
        sha: The commit, which is the head.
        counts: How many checks have which verdict.
        failing: The names of those that have failed, twenty at most.
    """

    state: Maybe[State]
    sha: str
    counts: dict[str, int]
    failing: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Write it in a line."""
        state = self.state.shown if isinstance(self.state, Unknown) else self.state
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        names = f"; failed: {', '.join(self.failing)}" if self.failing else ""
        yield f"{state} at {self.sha[:10]}" + (f": {counts}" if counts else "") + names


@frozen(kw_only=True)
class CheckRow:
    """One check: `verdict` is the forge's own word where it is none that we know."""

    name: str
    verdict: str
    url: str | None
    summary: Annotated[str | None, Meta(cut=True)]

    @property
    def key(self) -> str:
        """What names it in cursors: programs may use one name, but hardly for one page."""
        return blake2s(f"{self.name}\n{self.url}".encode(errors="surrogatepass"), digest_size=8).hexdigest()

    def lines(self) -> Iterator[str]:
        """Write it in a line."""
        said = f": {excerpt(self.summary)}" if self.summary else ""
        where = f" {self.url}" if self.url else ""
        yield f"- {self.name}: {self.verdict}{said}{where}"


def check_row(check: CommitCheck) -> CheckRow:
    """Give a check."""
    return CheckRow(name=check.name, verdict=word_of(check), url=check.url or None, summary=check.summary or None)


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
    odd = sorted(in_line(f"{check.name} ({word_of(check)})") for check in checks if isinstance(check.verdict, Unknown))
    if odd:
        return Unknown(f"the verdicts of these checks are not known: {', '.join(odd[:5])}", REMEDY, shown="unknown")
    if any(check.verdict in PENDING for check in checks):
        return "pending"
    return "success" if checks else "none"


def _failed(check: CommitCheck) -> bool:
    return not isinstance(check.verdict, Unknown) and check.verdict not in PENDING | PASSED
