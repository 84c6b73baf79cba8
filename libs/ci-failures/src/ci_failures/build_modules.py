"""Modules of a build whose result files tell of tests with one name: the name alone would make one test of them."""

import re
from collections import defaultdict
from collections.abc import Sequence

from attrs import evolve

from ci_failures.model import Failure
from ci_failures.source_reports import SourceReport

MODULE = re.compile(r"^(?:.*?\.zip/)?(.+?)/(?:target/(?:surefire|failsafe)-reports|build/test-results)/")
"""Where Maven and Gradle put what a module's tests came to; an archive holds it by the same path, or its end."""


def told_apart(reports: Sequence[SourceReport]) -> list[SourceReport]:
    """Give each failure its module as its place, where result files of several modules tell of one name.

    It is not said how such a one is run again: of the module only a part of its path is known.
    """
    modules = [_module_of(report) for report in reports]
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for report, module in zip(reports, modules, strict=True):
        for one in report.failures if module else ():
            seen[one.tool, one.name].add(module)
    shared = {key for key, found in seen.items() if len(found) > 1}
    return [
        evolve(report, failures=tuple(_placed(one, module, shared) for one in report.failures))
        if module and shared
        else report
        for report, module in zip(reports, modules, strict=True)
    ]


def _module_of(report: SourceReport) -> str:
    found = MODULE.match(report.origin) if report.source == "artifact" else None
    return found[1] if found else ""


def _placed(one: Failure, module: str, shared: set[tuple[str, str]]) -> Failure:
    return evolve(one, place=module, selector="") if (one.tool, one.name) in shared and not one.place else one
