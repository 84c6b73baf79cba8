"""Modules of a build with tests of one name in their result files, which the name alone would merge to one test."""

import re
from collections import defaultdict
from collections.abc import Sequence

from attrs import evolve

from ci_failures.model import Failure
from ci_failures.source_reports import SourceReport

MODULE = re.compile(r"^(?>.*?\.zip/)?(.+?)/(?:target/(?:surefire|failsafe)-reports|build/test-results)/")
"""Folders of Maven's and Gradle's result files; an archive has the same path, or its end."""


def set_modules(reports: Sequence[SourceReport]) -> list[SourceReport]:
    """Return reports whose failures have their module as place, if result files of several modules have one name.

    Such a failure has no selector: only a part of the module's path is known.
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
