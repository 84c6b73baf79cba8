"""The answer of `get_failing_tests`: the schema of PULL-11, with additional fields."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Annotated

from attrs import frozen

from stithy_ci.ci_state.check_verdicts import Status
from stithy_ci.failing.answer_instructions import Instructions
from stithy_ci.failing.failure_entry import Entry
from stithy_core.spi import Maybe, Meta, Page, excerpt

SHOWN = 10


@frozen(kw_only=True)
class CiInfo:
    """One run of the forge's own CI: of the first failure, or else the latest."""

    workflow_name: str
    run_id: int | str
    started_at: datetime | None
    completed_at: datetime | None
    duration_seconds: int | None
    url: str | None


@frozen(kw_only=True)
class RunRow:
    """One of all runs on the commit: `verdict` is the forge's own word if it is not a known one."""

    workflow_name: str
    run_id: int | str
    verdict: str
    attempt: int | None
    event: str | None
    url: str | None


@frozen(kw_only=True)
class NotPassed:
    """A check that has not passed.

    Args:
        name: Its name.
        verdict: Its verdict; the forge's own word if it is not a known one.
        required: Whether the base branch requires it, if that is known.
        allowed_to_fail: True if its failure does not count.
        url: Its page.
    """

    name: Annotated[str, Meta(cut=False)]
    verdict: str
    required: bool | None
    allowed_to_fail: bool | None
    url: str | None


@frozen(kw_only=True)
class Checks:
    """All checks of the commit: how many have each verdict, and those that have not passed.

    `missing` are required checks that were not reported.
    """

    total: int
    by_verdict: Mapping[str, int]
    not_passed: tuple[NotPassed, ...]
    missing: tuple[str, ...] | None


@frozen(kw_only=True)
class Flaky:
    """A test that failed and passed in a later attempt: it fails no check."""

    test_name: Annotated[str, Meta(cut=False)]
    check_name: str
    attempts: int


@frozen(kw_only=True)
class PollInfo:
    """How to continue while CI runs (PULL-14); `estimated_completion` is derived from earlier runs."""

    message: str
    estimated_completion: datetime | None
    retry_after_seconds: int


@frozen(kw_only=True)
class FailingTests:
    """The CI of a pull request.

    Args:
        pr: The pull request, under its present name.
        commit: The head commit, which all fields are about.
        status: failed as soon as one check has failed that is not allowed to; passed only when all others are known to
            have.
        message: Why nothing is known, or what is missing.
        ci_info: The run of the first failure, or otherwise the latest.
        runs: All runs of the forge's own CI on the commit.
        checks: All checks, of any CI.
        total_failures: The number of entries on all pages.
        failures: One entry for each failed test, and for each failed check without a known one.
        flaky: What failed and passed in a later attempt.
        instructions: What to do.
        poll_info: How to continue while CI runs.
        incomplete: What could not be read, so that failures may be missing.
        base_commit: The commit of the base branch that this was compared with.
    """

    pr: str
    commit: str
    status: Status
    message: str | None
    ci_info: CiInfo | None
    runs: Maybe[tuple[RunRow, ...]]
    checks: Checks
    total_failures: Maybe[int]
    failures: Page[Entry]
    flaky: tuple[Flaky, ...] | None
    instructions: Instructions
    poll_info: PollInfo | None
    incomplete: tuple[str, ...] | None
    base_commit: str | None

    def render(self) -> Iterator[str]:
        """Format the status, a line for each failure below its check, and how to run them again."""
        yield f"{self.pr} at {self.commit[:10]}: {self.status}. {self.instructions.summary}"
        shown = list(self.failures)
        for (check, url), entries in groupby(shown, key=attrgetter("check_name", "log_url")):
            yield f"{excerpt(check)}: {url}".rstrip(": ")
            yield from map(Entry.line, entries)
        if not shown:
            yield from self._not_passed()
        for one in self.instructions.priority:
            yield f"First: {' '.join(one.test.split())}: {one.reason}"
        for command in self.instructions.commands:
            # A line that begins with text of a third party could be mistaken for one of ours.
            yield f"Run again: {command}" if len(command.splitlines()) == 1 else "Run again: by instructions.commands"
        if self.flaky:
            names = ", ".join(excerpt(one.test_name) for one in self.flaky[:SHOWN])
            more = ", and more" if len(self.flaky) > SHOWN else ""
            yield f"Flaky, failed and then passed: {names}{more}"
        for gap in (self.incomplete or ())[:SHOWN]:
            yield f"Not read: {excerpt(gap)}"
        if self.poll_info:
            yield self.poll_info.message

    def _not_passed(self) -> Iterator[str]:
        for check in self.checks.not_passed[:SHOWN]:
            allowed = " (allowed to fail)" if check.allowed_to_fail else ""
            yield f"- {excerpt(check.name)}: {check.verdict}{allowed} {check.url or ''}".rstrip()
        if len(self.checks.not_passed) > SHOWN:
            yield "- and more"


def parse_run_id(text: str) -> int | str:
    """Return the id of a run, as a number if it is one."""
    return int(text) if text.isascii() and text.isdecimal() else text
