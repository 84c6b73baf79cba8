"""Match one failure under different names: result files join the failures that a log reports.

`t/a.py::T::test_x`, and `t.a.T` with `test_x` in JUnit XML, have the same words in the same order.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from attrs import define, field

from ci_failures.model import Failure, Kind
from ci_failures.source_reports import SourceReport

Occurrence: TypeAlias = tuple[SourceReport, Failure]
Words: TypeAlias = tuple[str, ...]

GENERIC = frozenset({"junit", "tap", "ctrf", "subunit"})
"""The tool of failures whose source does not show it."""
WORD = re.compile(r"\w+")
EXTENSION = re.compile(r"\.(?:py|[cm]?[jt]sx?|rb|php|exs|go|rs)(?=$|\W)")
JVM = frozenset({"surefire", "gradle", "junit-console", "ant", "testng"})
SECTIONED = frozenset({"catch2", "doctest"})
CLASS = re.compile(r"[\w$.]*")
"""The class at the beginning of a test's name, perhaps with a method."""
NESTED = re.compile(r"\$\w+")
STEP = " > "
CASE = re.compile(r"[\[({]")
"""The beginning of a method's case: some reports of the JVM have only the method."""
FEWEST = 2
"""Least number of words at the end of a name that identify it: `works` alone does not."""
MOST = 12
"""Ends of a name that are tried."""


@define
class Group:
    """The reports of one failure."""

    occurrences: list[Occurrence] = field(factory=list)

    @property
    def failure(self) -> Failure:
        """The failure as the first source reports it."""
        return self.occurrences[0][1]

    @property
    def in_log(self) -> bool:
        """Whether a log reports it: then it has its tool's own name."""
        return any(report.source == "log" for report, _ in self.occurrences)


def kind_of(failure: Failure) -> Kind:
    """Return the kind by which reports are compared: result files do not tell a timeout from another failed test."""
    return "test" if failure.kind == "timeout" else failure.kind


def join_groups(groups: Sequence[Group]) -> list[Group]:
    """Join each failure that no log reports to a failure of a log, if exactly one matches.

    The remaining ones whose tool is not known are joined to those of result files whose tool is.
    """
    left = _into([group for group in groups if group.in_log], groups)
    return _into([group for group in left if group.failure.tool not in GENERIC], left)


def _into(known: Sequence[Group], groups: Sequence[Group]) -> list[Group]:
    """Join groups to known ones, and return the remaining groups, with the known ones among them."""
    index, own = Index(known), {id(group) for group in known}
    left: list[Group] = []
    for group in groups:
        found = () if group.in_log or id(group) in own else index.matching(group.failure)
        for other in found:
            other.occurrences.extend(group.occurrences)
        if not found:
            left.append(group)
    return left


def words(name: str) -> Words:
    """Return the words of a name, which all its forms have in common."""
    return tuple(WORD.findall(EXTENSION.sub(" ", name)))


class Index:
    """Index of failures by all words of their names, by the ends of these, and by place."""

    def __init__(self, groups: Iterable[Group]) -> None:
        self._whole: dict[Words, list[Group]] = defaultdict(list)
        self._methods: dict[Words, list[Group]] = defaultdict(list)
        self._ends: dict[Words, list[Group]] = defaultdict(list)
        self._cases: dict[tuple[str, str], list[Group]] = defaultdict(list)
        self._places: dict[tuple[str, str, int], list[Group]] = defaultdict(list)
        self._packages: dict[str, list[Group]] = defaultdict(list)
        for group in groups:
            name, title = words(group.failure.name), words(group.failure.title)
            self._whole[name].append(group)
            if title and title != name:
                self._whole[title].append(group)
            if group.failure.place:
                self._packages[group.failure.place].append(group)
            if group.failure.tool in JVM and (method := words(CASE.split(group.failure.name)[0])) != name:
                self._methods[method].append(group)
            for of, case in _titles(group.failure) if group.failure.tool in JVM else ():
                self._cases[_last_name(of), case].append(group)
            for end in _ends(name):
                self._ends[end].append(group)
            for _, one in group.occurrences[:1]:
                if one.file and one.line:
                    self._places[one.tool, _last_name(one.file, "/"), one.line].append(group)

    def matching(self, failure: Failure) -> Sequence[Group]:
        """Return the groups of a failure under another name.

        All with the same words, or the only one with the same end.
        """
        name = words(failure.name)
        for found in (
            self._whole.get(name, ()),
            self._whole.get(words(failure.title), ()) if failure.title else (),
            self._methods.get(name, ()),
        ):
            if whole := _fitting(failure, found):
                return _nearest(failure, whole)
        if failure.place == failure.name and (inside := _fitting(failure, self._packages.get(failure.place, ()))):
            return inside  # the errors of a package explain why it could not be built
        ends = (self._ends.get(name, ()), *(self._whole.get(end, ()) for end in _ends(name)))
        if (with_end := _first_fitting(failure, ends)) is not None:
            return with_end
        if cases := self._find_cases(failure):
            return _nearest(failure, cases)
        around = (self._whole.get(words(outer), ()) for outer in _outer(failure))
        bare = NESTED.sub("", failure.name) if failure.tool in JVM else ""  # logs without traces have the outer class
        outermost = self._whole.get(words(bare), ()) if bare else ()
        return _first_fitting(failure, (*around, self._find_by_place(failure), outermost)) or ()

    def _find_by_place(self, failure: Failure) -> list[Group]:
        """Return the groups whose place is that of a failure; of one path only the end may be known."""
        found = self._places.get((failure.tool, _last_name(failure.file, "/"), failure.line or 0), ())
        return [group for group in found if _is_end(failure.file, group.failure.file, "/")]

    def _find_cases(self, failure: Failure) -> list[Group]:
        """Return the groups of a case of the JVM whose report has neither its method nor what else contains it."""
        if failure.tool not in JVM:
            return []
        found: list[Group] = []
        for of, title in _splits(failure.name):
            groups = self._cases.get((_last_name(of), title), ())
            found += [one for one in groups if any(_is_end(of, own, ".") for own, _ in _titles(one.failure))]
        return _fitting(failure, found)


def _first_fitting(failure: Failure, candidates: Iterable[Iterable[Group]]) -> Sequence[Group] | None:
    """Return the only group of the first candidates of which any fits; empty for several, None if none fits.

    Of several, the only one counts whose name has all words of the failure's.
    """
    for groups in candidates:
        if fitting := _fitting(failure, groups):
            if len(fitting) > 1:  # Playwright's projects run the same tests, and a log may have more of a path
                fitting = [group for group in fitting if _contains_words(group.failure.name, failure.name)]
            return fitting if len(fitting) == 1 else ()
    return None


def _contains_words(longer: str, shorter: str) -> bool:
    """Check whether all words of a name are in another one, in the same order."""
    rest = iter(words(longer))
    return all(word in rest for word in words(shorter))


def _titles(failure: Failure) -> Iterable[tuple[str, str]]:
    """Return the class of a case, and what may be its own title: a title may contain the sign between titles."""
    name = failure.name
    of = CLASS.match(name)[0].rpartition(".")[0]  # type: ignore[index]  # it matches always
    steps = name.split(STEP)[1:] if of else []
    return ((of, STEP.join(steps[at:])) for at in range(max(0, len(steps) - MOST), len(steps)))


def _splits(name: str) -> Iterable[tuple[str, str]]:
    """Return what may be the class in a name, and the rest of it."""
    head: str = CLASS.match(name)[0]  # type: ignore[index]  # it matches always
    ends = [at for at, sign in enumerate(head) if sign == "."][-MOST:]
    return ((name[:at], name[at + 1 :]) for at in ends)


def _last_name(path: str, sign: str = ".") -> str:
    return path.rpartition(sign)[2]


def _is_end(one: str, other: str, sign: str) -> bool:
    """Check whether paths of files or classes are equal, or one has more at its beginning."""
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return longer == shorter or longer.endswith(f"{sign}{shorter}")


def _ends(name: Words) -> Iterable[Words]:
    return (name[begin:] for begin in range(1, min(MOST, len(name) - FEWEST + 1)))


def _nearest(failure: Failure, groups: list[Group]) -> list[Group]:
    """Keep those of the failure's module, and of these those of its case: `test_op[+]` has the words of `test_op[-]`.

    If none is left, all are kept: a report may have only the method.
    """
    module, case = words(failure.place)[-1:], _case(failure)
    groups = [group for group in groups if module and module[0] in words(group.failure.place)] or groups
    return [group for group in groups if case and _case(group.failure) == case] or groups


def _case(failure: Failure) -> str:
    found = CASE.search(failure.name)
    return failure.name[found.start() :] if found else ""


def _outer(failure: Failure) -> Iterable[str]:
    """Return the names of the tests around a section, the nearest first.

    Logs report a test once for all its sections.
    """
    name = failure.name if failure.tool in SECTIONED else ""
    return (name[:at] for at in range(len(name) - 1, 0, -1) if name[at] == "/")


def _fitting(failure: Failure, groups: Iterable[Group]) -> list[Group]:
    """Keep those that may be of the same tool and are of the same kind."""
    kept = []
    for group in groups:
        other = group.failure
        same = failure.tool == other.tool or failure.tool in GENERIC or other.tool in GENERIC
        if same and (kind_of(failure), failure.flaky) == (kind_of(other), other.flaky):
            kept.append(group)
    return kept
