"""From what all sources of all jobs say to one entry for each failure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import evolve

from ci_failures.build_modules import told_apart
from ci_failures.model import MOST_FAILURES, Confidence, Failure
from ci_failures.name_matching import GENERIC, Group, Tale, joined
from ci_failures.nested_failures import NOTHING, unwrapped, without_parents
from ci_failures.source_reports import MergedFailure, Source, SourceReport

Key: TypeAlias = tuple[str, str, str, str, bool]

RANKS: Mapping[Source, int] = {"artifact": 0, "annotation": 1, "log": 2}
TRUST: Mapping[Confidence, int] = {"high": 0, "medium": 1, "low": 2}


def merge(reports: Iterable[SourceReport]) -> list[MergedFailure]:
    """Make one entry of each failure, in the order in which they are first told.

    A test that failed in one job and was flaky in another one has an entry of each kind. Failures of a log whose tool
    counts another number of them are no more than of medium confidence; `disagreement` says why.
    """
    groups: dict[Key, Group] = {}
    for report in told_apart(list(reports)):
        for one in _told(report):
            key = one.tool, one.kind, one.place, one.name, one.flaky
            groups.setdefault(key, Group()).tales.append((report, one))
    merged = [_merged(group.tales) for group in unwrapped(joined(list(groups.values())))]
    unlogged = [one.failure for one in merged if "log" not in one.sources]
    kept = set(map(id, without_parents([one.failure for one in merged], repeating=unlogged)))
    return [one for one in merged if id(one.failure) in kept]


def disagreement(report: SourceReport) -> str:
    """Say that a tool counts another number of failures than were read; empty where it does not."""
    read = sum(not one.flaky for one in report.failures)
    if report.counted is None or report.counted == read:
        return ""
    where = report.origin or report.check or "the log"
    return f"{where}: {report.tool or 'the tool'} itself counts {report.counted:,} failures, and {read:,} were read"


def incompleteness(report: SourceReport) -> str:
    """Return why a report may lack failures: a parser kept no more, or its tool counts others; empty if it is whole."""
    if len(report.failures) >= MOST_FAILURES:
        where = report.origin or report.check or "the log"
        return f"{where}: only the first {MOST_FAILURES:,} failures of {report.failures[0].tool} were read"
    return disagreement(report)


def _told(report: SourceReport) -> list[Failure]:
    """Give what a report tells, each once."""
    kept = without_parents(report.failures)
    if report.source == "log" and disagreement(report):
        return [evolve(one, confidence="medium") if one.confidence == "high" else one for one in kept]
    return kept


def _merged(tales: Sequence[Tale]) -> MergedFailure:
    """Take the best that is told of one failure: a tool's own name, the first message and the first place."""
    ranked = sorted(tales, key=lambda tale: (RANKS[tale[0].source], TRUST[tale[1].confidence]))
    ones = [one for _, one in ranked]
    named = next((one for report, one in tales if report.source == "log"), None) or min(ones, key=_is_vague)
    placed = next((one for one in ones if one.file and one.line), None) or max(ones, key=lambda one: bool(one.file))
    whole = evolve(
        named,
        message=max((one.message for one in ones), key=lambda message: message.strip() not in NOTHING),
        file=placed.file,
        line=placed.line,
        attempts=max(one.attempts for one in ones),
        suggested_fix=max((one.suggested_fix for one in ones), key=bool),
    )
    reports = tuple({id(report): report for report, _ in tales}.values())
    return MergedFailure(
        failure=whole,
        sources=tuple(sorted({report.source for report in reports}, key=lambda source: RANKS[source])),
        confidence=min((one.confidence for one in ones), key=lambda one: TRUST[one]),
        reports=reports,
    )


def _is_vague(failure: Failure) -> bool:
    return failure.tool in GENERIC
