"""Merge the reports of all sources and jobs to one entry for each failure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import evolve

from ci_failures.build_modules import set_modules
from ci_failures.model import MOST_FAILURES, Confidence, Failure, describe_cut
from ci_failures.name_matching import GENERIC, Group, Occurrence, join_groups, kind_of, words
from ci_failures.nested_failures import NOTHING, drop_wrappers, without_parents
from ci_failures.source_reports import MergedFailure, Source, SourceReport

Key: TypeAlias = tuple[str, str, str, str, bool]

RANKS: Mapping[Source, int] = {"test_report": 0, "artifact": 1, "annotation": 2, "log": 3}
TRUST: Mapping[Confidence, int] = {"high": 0, "medium": 1, "low": 2}


def merge(reports: Iterable[SourceReport]) -> list[MergedFailure]:
    """Create one entry for each failure, in the order of their first reports.

    A test that failed in one job and was flaky in another has an entry of each kind. Failures of a log whose tool
    counts another number have at most medium confidence; `disagreement` says why.
    """
    groups: dict[Key, Group] = {}
    for report in set_modules(list(reports)):
        for one in _list_failures(report):
            key = one.tool, kind_of(one), one.place, one.name, one.flaky
            groups.setdefault(key, Group()).occurrences.append((report, one))
    merged = [_merge_occurrences(group.occurrences) for group in drop_wrappers(join_groups(list(groups.values())))]
    unlogged = [one.failure for one in merged if "log" not in one.sources]
    kept = set(map(id, without_parents([one.failure for one in merged], repeating=unlogged)))
    return [one for one in merged if id(one.failure) in kept]


def disagreement(report: SourceReport) -> str:
    """Return a sentence if a tool counts another number of failures than were read; empty if not."""
    read = sum(not one.flaky for one in report.failures)
    if report.counted is None or report.counted == read:
        return ""
    where = report.origin or report.check or "the log"
    return f"{where}: {report.tool or 'the tool'} itself counts {report.counted:,} failures, and {read:,} were read"


def incompleteness(report: SourceReport) -> str:
    """Return why a report may lack failures: a parser's limit, or a differing total; empty if it is complete."""
    if len(report.failures) >= MOST_FAILURES:
        where = report.origin or report.check or "the log"
        return f"{where}: {describe_cut(report.failures[0].tool)}"
    return disagreement(report)


def _list_failures(report: SourceReport) -> list[Failure]:
    """Return the failures of a report, each once."""
    kept = without_parents(report.failures)
    if report.source == "log" and disagreement(report):
        return [evolve(one, confidence="medium") if one.confidence == "high" else one for one in kept]
    return kept


def _merge_occurrences(occurrences: Sequence[Occurrence]) -> MergedFailure:
    """Merge the reports of one failure: its exact name, the first message and the first place."""
    ranked = sorted(occurrences, key=lambda occurrence: (RANKS[occurrence[0].source], TRUST[occurrence[1].confidence]))
    ones = [one for _, one in ranked]
    named = next((one for report, one in occurrences if report.source == "log"), None) or min(ones, key=_is_vague)
    placed = next((one for one in ones if one.file and one.line), None) or max(ones, key=lambda one: bool(one.file))
    placed = next((one for one in ones if _has_more_of_path(one, placed)), placed)
    whole = evolve(
        named,
        name=_choose_name(named, occurrences),
        message=max((one.message for one in ones), key=lambda message: message.strip() not in NOTHING),
        file=placed.file,
        line=placed.line,
        attempts=max(one.attempts for one in ones),
        suggested_fix=max((one.suggested_fix for one in ones), key=bool),
    )
    reports = tuple({id(report): report for report, _ in occurrences}.values())
    return MergedFailure(
        failure=whole,
        sources=tuple(sorted({report.source for report in reports}, key=lambda source: RANKS[source])),
        confidence=min((one.confidence for one in ones), key=lambda one: TRUST[one]),
        reports=reports,
    )


def _choose_name(named: Failure, occurrences: Sequence[Occurrence]) -> str:
    """Return the name in a test report if there is one, since a log may have shortened or misread it.

    A tool's own name that ends with the same words is kept: it is the same name, perhaps with the file before it.
    """
    exact = next((one.name for report, one in occurrences if report.source == "test_report"), named.name)
    return named.name if words(named.name)[-len(words(exact)) :] == words(exact) else exact


def _has_more_of_path(one: Failure, other: Failure) -> bool:
    """Check whether a place is that of another failure, with more folders before it: reports may begin at the tests."""
    return one.line == other.line and one.file.endswith(f"/{other.file}") and one.file[0] != "/" and ":" not in one.file


def _is_vague(failure: Failure) -> bool:
    return failure.tool in GENERIC
