"""Duplicates because one thing runs in another: parents of failed tests, and tools that run other tools."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

from ci_failures.model import Failure
from ci_failures.name_matching import Group, words

WRAPPERS: Mapping[str, frozenset[str]] = {"ctest": frozenset({"gtest", "catch2", "doctest"})}
"""Tools that run other tools."""
SPECIFYING = frozenset({"ginkgo", "gocheck"})
"""Frameworks whose whole suites are a single test of Go."""
ROOT = 2
"""Slashes in the path of a module that is a whole repository: `host/owner/repository`."""
OF_GTEST = re.compile(r"^\[  FAILED  \] (\S+?)(?:,| \(|$)", re.MULTILINE)
"""A test of gtest that failed, in the output of a test of ctest."""
PARENTS = ("/", " > ", " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} ")
NOTHING = frozenset({"", "Failed", "subtest failed", "1 subtest failed"})
"""Messages that only say that something failed."""


def without_parents(failures: Sequence[Failure], *, repeating: Collection[Failure] = ()) -> list[Failure]:
    """Drop tests that only report that a test in them failed, if that one is reported, too.

    Args:
        failures: The failures of one source, or of all.
        repeating: Failures of sources that add the output of inner tests to the outer one: such a test is dropped if
            its
            message is that of its first child.
    """
    repeats = set(map(id, repeating))
    families: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for one in failures:
        families[one.tool, one.place].append((one.name, _first_line(one)))
    for family in families.values():
        family.sort()

    def has_nothing(one: Failure) -> bool:
        child = _first_child(one.name, families[one.tool, one.place])
        return child is not None and (
            one.message.strip() in NOTHING or (id(one) in repeats and _first_line(one) == child)
        )

    return [one for one in failures if not has_nothing(one)]


def _first_line(failure: Failure) -> str:
    """Return the first line of a message: the rest may be a stack, which sources cut differently."""
    return failure.message.strip().partition("\n")[0]


def _first_child(name: str, family: Sequence[tuple[str, str]]) -> str | None:
    """Return the message of the first test inside another; None if it has no test inside."""
    for sign in PARENTS:
        at = bisect_left(family, (name + sign, ""))
        if at < len(family) and family[at][0].startswith(name + sign):
            return family[at][1]
    return None


def drop_wrappers(groups: Sequence[Group]) -> list[Group]:
    """Drop failures of an outer tool that an inner one reports better, in each job that has them."""
    inner: dict[tuple[str, str], list[Failure]] = defaultdict(list)
    for tool in frozenset().union(*WRAPPERS.values()):
        for report, one in (
            occurrence for group in groups for occurrence in group.occurrences if occurrence[1].tool == tool
        ):
            inner[report.check, report.job].append(one)
    names = {one.name for ones in inner.values() for one in ones}
    folders = {group.failure.file.rpartition("/")[0] for group in groups if group.failure.tool in SPECIFYING}
    return [group for group in groups if not _is_wrapper(group, inner, names) and not _is_suite(group.failure, folders)]


def _is_suite(failure: Failure, folders: Collection[str]) -> bool:
    """Check whether a test of Go only sums up a suite whose failures are reported, with files in these folders."""
    if failure.tool != "go" or not folders:
        return False
    from ci_failures.parsers.go_rust.go_package import SPECS

    if not SPECS.match(failure.message):
        return False
    package = failure.place
    return any(package.endswith(f"/{folder}") if folder else package.count("/") <= ROOT for folder in folders)


def _is_wrapper(group: Group, inner: Mapping[tuple[str, str], Sequence[Failure]], names: AbstractSet[str]) -> bool:
    """Check whether an inner tool reports a test of this name in every job; different names may be different tests.

    A result file may also have the output of the test, which names the inner ones.
    """
    if group.failure.tool not in WRAPPERS:
        return False
    tools = WRAPPERS[group.failure.tool]
    return all(
        any(one.tool in tools and _same(one, outer) for one in inner.get((report.check, report.job), ()))
        or not names.isdisjoint(OF_GTEST.findall(outer.message))
        for report, outer in group.occurrences
    )


def _same(one: Failure, outer: Failure) -> bool:
    """Check whether names are the same, except for prefixes and suffixes: `prefix.Suite.Test`, `Suite.Test/0`."""
    within, around = words(one.name), words(outer.name)
    shorter = min(len(within), len(around))
    return shorter > 1 and (within[:shorter] == around[:shorter] or around[-shorter:] == within)
