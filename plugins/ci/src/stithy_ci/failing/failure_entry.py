"""The entries of the answer, in the schema of PULL-12, with additional fields: one for each failed test."""

from collections.abc import Container, Sequence
from hashlib import blake2s
from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from ci_failures.model import Confidence, Failure, Kind
from ci_failures.rerun_commands import Rerun
from ci_failures.source_reports import MergedFailure, SourceReport
from stithy_ci.ci_state.check_verdicts import format_verdict
from stithy_ci.sources.check_sources import Subject
from stithy_core.spi import Annotation, CommitCheck, Maybe, Meta, Verdict, excerpt

Source: TypeAlias = Literal["test_report", "artifact", "annotation", "log", "check"]

MESSAGE = 600
"""Characters of a message; the log has the rest."""
WORDS = 160
MOST_JOBS = 8
KINDS: dict[Verdict, Kind] = {Verdict.TIMED_OUT: "timeout", Verdict.CANCELLED: "cancelled"}


@frozen(kw_only=True)
class Entry:
    """A failure (PULL-12).

    Fields beside the schema: `tool` is the tool that names the test, and `place` its package, module or directory,
    since several may have a test of one name. `allowed_to_fail` is true if it blocks nothing: each check in which it
    failed is allowed to. `kind` is `step` if only the first error of a failed step is known, and absent if only the
    check itself is known to have failed. `source` is where the failure was read. `verdict` is the check's, unless it is
    failed. `jobs` are the checks in which it failed, if there are several; `failed_in` counts them if not all are
    named. `rerun` is the command that runs exactly this again.
    """

    check_name: Annotated[str, Meta(cut=False)]
    test_name: Annotated[str, Meta(cut=False)]
    error_message: Annotated[str, Meta(cut=True)]
    log_url: str
    file_path: str | None = None
    line_number: int | None = None
    confidence: Confidence
    kind: Kind | None = None
    tool: str | None = None
    place: str | None = None
    source: Source
    verdict: str | None = None
    jobs: Annotated[tuple[str, ...] | None, Meta(cut=False)] = None
    failed_in: int | None = None
    attempts: int | None = None
    allowed_to_fail: bool | None = None
    pre_existing: Maybe[bool] | None = None
    rerun: Annotated[str | None, Meta(cut=False)] = None
    suggested_fix: Annotated[str | None, Meta(cut=True)] = None

    @property
    def identity(self) -> tuple[str, str]:
        """What identifies the failure on any commit: its tool and its name."""
        return self.tool or "", self.test_name

    @property
    def key(self) -> str:
        """A key that no other entry has, and that stays the same for one run."""
        by_name = self.source in {"test_report", "artifact", "log"}
        where = self.place or "" if by_name else f"{self.log_url}\n{self.line_number}"
        text = "\n".join((*self.identity, where))
        return blake2s(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()

    @property
    def spread(self) -> int:
        """In how many checks it failed."""
        return self.failed_in or len(self.jobs or (self.check_name,))

    def line(self) -> str:
        """Format the entry as one line."""
        facts = [self.kind or self.verdict or "failed", f"{self.confidence} confidence"]
        if self.spread > 1:
            facts.append(f"in {self.spread} checks")
        if self.allowed_to_fail:
            facts.append("allowed to fail")
        if self.pre_existing is True:
            facts.append("fails on the base branch, too")
        place = f" at {self.file_path}:{self.line_number or '-'}" if self.file_path else ""
        name = " ".join(self.test_name.split())
        return f"- {name}{place} ({', '.join(facts)}): {excerpt(self.error_message, WORDS)}"


def create_failure_entry(merged: MergedFailure, rerun: Rerun, allowed: Container[str]) -> Entry:
    """Create the entry of a failure.

    Args:
        merged: The failure.
        rerun: The function that writes commands.
        allowed: The names of checks and runs that are allowed to fail.
    """
    failure, first = merged.failure, _choose_report(merged.reports)
    checks = tuple(dict.fromkeys(report.check for report in merged.reports if report.job)) or (first.check,)
    return Entry(
        check_name=checks[0],
        test_name=failure.name,
        error_message=truncate_message(failure.message or "it failed without a message"),
        log_url=_find_url(merged),
        file_path=failure.file or None,
        line_number=failure.line,
        confidence=merged.confidence,
        kind=failure.kind,
        tool=failure.tool,
        place=failure.place or None,
        source=merged.sources[0],
        jobs=checks[:MOST_JOBS] if len(checks) > 1 else None,
        failed_in=len(checks) if len(checks) > MOST_JOBS else None,
        allowed_to_fail=all(name in allowed for name in checks) or None,
        attempts=failure.attempts if failure.attempts > 1 else None,
        rerun=rerun([failure]) or None,
        suggested_fix=truncate_message(failure.suggested_fix) or None,
    )


def create_annotation_entries(subject: Subject) -> list[Entry]:
    """Create entries of a check's annotations on places, if none of its failures is known by name."""
    entries = [_create_annotation_entry(subject, one) for one in subject.remarks.places]
    return list({entry.key: entry for entry in entries}.values())


def create_check_entry(check: CommitCheck, url: str, hint: str, note: str = "", error: Failure | None = None) -> Entry:
    """Create the entry of a failed check for which no source shows what failed in it.

    Args:
        check: The check.
        url: The page where people read it.
        hint: The most telling text about it.
        note: Where else to look.
        error: The first line like an error of the step that failed, in the check's log; None for none.
    """
    word = format_verdict(check)
    kind: Kind | None = error.kind if error else None
    if error and error.name.rstrip("…") not in hint:
        hint = f"{error.message}\n{hint}".rstrip()
    if isinstance(check.verdict, Verdict):
        kind = KINDS.get(check.verdict, kind)
    text = f"the check ended as {word}" + (f":\n{hint}" if hint else "; no source shows why")
    return Entry(
        check_name=check.name,
        test_name=check.name,
        error_message=f"{truncate_message(text)}\n{note}" if note else truncate_message(text),
        log_url=url,
        file_path=(error.file if error else "") or None,
        line_number=error.line if error else None,
        confidence="low",
        kind=kind,
        source="check",
        verdict=None if check.verdict is Verdict.FAILED else word,
    )


def truncate_message(text: str) -> str:
    """Truncate a long message at the end of a line, and append its length."""
    if len(text) <= MESSAGE:
        return text
    head = text[:MESSAGE]
    return (
        f"{head[: head.rfind(chr(10), MESSAGE // 2)] if chr(10) in head[MESSAGE // 2 :] else head}… [{len(text)} chars]"
    )


def _choose_report(reports: Sequence[SourceReport]) -> SourceReport:
    """Return the report whose page shows most: a job's log, rather than a whole run."""
    return next((report for report in reports if report.job), reports[0])


def _find_url(merged: MergedFailure) -> str:
    """Return the URL of the failure: the line of the log, its step, or the job if another step failed."""
    log = next((report for report in merged.reports if report.source == "log"), None)
    if log is None or log.page is None:
        return _choose_report(merged.reports).url
    return log.page.address(merged.failure.log_line) or log.url.partition("#")[0]


def _create_annotation_entry(subject: Subject, one: Annotation) -> Entry:
    first = one.message.strip().partition("\n")[0]
    titled = one.title.startswith(f"{one.path} > ")  # Vitest's annotations: the title is the test's whole name
    return Entry(
        check_name=subject.check.name,
        test_name=one.title if titled else f"{one.title or excerpt(first, 120)} {one.path}:{one.start_line}",
        error_message=truncate_message(one.message),
        log_url=subject.url,
        file_path=one.path,
        line_number=one.start_line,
        confidence="medium",
        kind="test" if titled else None,
        tool="vitest" if titled else None,
        source="annotation",
    )
