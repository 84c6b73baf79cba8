"""What is told twice because one thing runs in another: parents of failed tests, and tools that run other tools."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from ci_failures.model import Failure
from ci_failures.name_matching import Group, words
from ci_failures.parsers.go_rust.go_package import SPECS

WRAPPERS: Mapping[str, frozenset[str]] = {"ctest": frozenset({"gtest", "catch2", "doctest"})}
"""Tools that run other tools."""
SPECIFYING = frozenset({"ginkgo", "gocheck"})
"""Frameworks of which a whole suite is one test of Go."""
ROOT = 2
"""Slashes in the path of a module that is a whole repository: `host/owner/repository`."""
PARENTS = ("/", " > ", " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} ")
NOTHING = frozenset({"", "Failed", "subtest failed", "1 subtest failed"})
"""Messages that say no more than that something failed."""


def without_parents(failures: Sequence[Failure], *, repeating: Collection[Failure] = ()) -> list[Failure]:
    """Leave out what has nothing to say but that a test in it failed, which is told, too.

    Args:
        failures: What one source tells, or all of them.
        repeating: Those of a source that gives a test what the tests in it print, too: one of them that says what its
            first child says has nothing to say itself.
    """
    repeats = set(map(id, repeating))
    families: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for one in failures:
        families[one.tool, one.place].append((one.name, _said(one)))
    for family in families.values():
        family.sort()

    def has_nothing(one: Failure) -> bool:
        child = _first_child(one.name, families[one.tool, one.place])
        return child is not None and (one.message.strip() in NOTHING or (id(one) in repeats and _said(one) == child))

    return [one for one in failures if not has_nothing(one)]


def _said(failure: Failure) -> str:
    """Give the first line of what is said of a failure: what follows may be a stack, which sources cut otherwise."""
    return failure.message.strip().partition("\n")[0]


def _first_child(name: str, family: Sequence[tuple[str, str]]) -> str | None:
    """Give what is said of the first that is in it; None where nothing is."""
    for sign in PARENTS:
        at = bisect_left(family, (name + sign, ""))
        if at < len(family) and family[at][0].startswith(name + sign):
            return family[at][1]
    return None


def unwrapped(groups: Sequence[Group]) -> list[Group]:
    """Leave out what an outer tool tells and an inner one tells better, in each job that tells it."""
    inner: dict[tuple[str, str], list[Failure]] = defaultdict(list)
    for tool in frozenset().union(*WRAPPERS.values()):
        for report, one in (tale for group in groups for tale in group.tales if tale[1].tool == tool):
            inner[report.check, report.job].append(one)
    folders = {group.failure.file.rpartition("/")[0] for group in groups if group.failure.tool in SPECIFYING}
    return [group for group in groups if not _is_wrapper(group, inner) and not _is_suite(group.failure, folders)]


def _is_suite(failure: Failure, folders: Collection[str]) -> bool:
    """Say whether a test of Go only sums up what failed in a suite, and that is told by what lies in these folders."""
    if failure.tool != "go" or not SPECS.match(failure.message):
        return False
    package = failure.place
    return any(package.endswith(f"/{folder}") if folder else package.count("/") <= ROOT for folder in folders)


def _is_wrapper(group: Group, inner: Mapping[tuple[str, str], Sequence[Failure]]) -> bool:
    """Say whether an inner tool tells a test of this name in every job; where names differ, they may be two things."""
    if group.failure.tool not in WRAPPERS:
        return False
    tools = WRAPPERS[group.failure.tool]
    return all(
        any(one.tool in tools and _same(one, outer) for one in inner.get((report.check, report.job), ()))
        for report, outer in group.tales
    )


def _same(one: Failure, outer: Failure) -> bool:
    """Say whether names are one, but for what either puts before or after it: `prefix.Suite.Test`, `Suite.Test/0`."""
    within, around = words(one.name), words(outer.name)
    shorter = min(len(within), len(around))
    return shorter > 1 and (within[:shorter] == around[:shorter] or around[-shorter:] == within)
