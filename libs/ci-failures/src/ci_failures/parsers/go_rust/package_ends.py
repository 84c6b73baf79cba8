"""Lines that look like the result of a Go package and may be output of a test: `FAIL<TAB>other/pkg<TAB>0.1s`."""

from collections.abc import Iterable

from attrs import define, evolve

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.go_output import Printed
from ci_failures.parsers.go_rust.golang import Packages, module_length

STOPPED = ("exit status ", "signal: ")


@define(eq=False)
class DoubtfulEnd:
    """A line that names a package although its binary did not report its own end before it.

    A test that exits, as `log.Fatal` does, leaves such a line, and so does a test that prints one.

    Args:
        text: The line.
        result: `FAIL` or `ok`.
        path: The package that the line names.
        number: The number of the line.
        package: What was read before the line.
        is_over: Whether the binary seems to have reported its own end, as a test can print that line, too.
        owner: The next package whose end is certain, which would own the tests if the line was printed by a test.
        is_confirmed: Whether the run of `go test` ended right below the line.
    """

    text: str
    result: str
    path: str
    number: int
    package: Printed
    is_over: bool = False
    owner: str = ""
    is_confirmed: bool = False


class PackageEnds:
    """The ends of packages that a log names, certain and doubtful ones.

    Attributes:
        waiting: The doubtful ends behind which no certain one was read yet.
    """

    def __init__(self) -> None:
        self._certain: dict[str, None] = {}
        self._doubtful: list[DoubtfulEnd] = []
        self.waiting: list[DoubtfulEnd] = []

    def is_doubtful(self, result: str, path: str, package: Printed, last: str) -> bool:
        """Check whether a line may be output of a test: nothing before it shows that the binary ended.

        Args:
            result: `FAIL`, `ok` or another first word of the line.
            path: The package that the line names.
            package: What was read before the line.
            last: The last line of output before it.
        """
        if (package.crash and package.crash.has_stack) or last.startswith(STOPPED):
            return False
        if package.is_over:
            return result == "FAIL" and bool(package.failed) and self._is_foreign(path)
        return bool(package.failed or package.running or self.waiting or result == "FAIL")

    def _is_foreign(self, path: str) -> bool:
        """Check whether no certain end names a package of the same host, and no doubtful one that seems certain."""
        host = _host(path)
        known = (*self._certain, *(one.path for one in self.waiting if one.is_over))
        return "." in host and all(_host(one) != host for one in known)

    def add_certain(self, path: str) -> None:
        """Record the end of a package; the doubtful ones before it may belong to its tests."""
        self._certain[path] = None
        for one in self.waiting:
            one.owner = one.owner or path
        self.waiting = []

    def add_doubtful(self, end: DoubtfulEnd) -> None:
        """Record a doubtful end."""
        for one in self.waiting if end.is_over else ():
            if _host(one.path) != _host(end.path):
                one.owner = one.owner or end.path
        self._doubtful.append(end)
        self.waiting.append(end)

    def confirm(self) -> None:
        """Record that a run ended, or that tests follow behind the end of one: the lines right above it ended packages.

        Lines further above, between which tests failed, may still be output of those tests.
        """
        while self.waiting:
            one = self.waiting.pop()
            one.is_confirmed = True
            if one.package.failed:
                for before in self.waiting:
                    before.owner = before.owner or one.path
                self.waiting = []

    def take_back(self, test: str) -> Iterable[DoubtfulEnd]:
        """Remove and return, last one first, the doubtful ends that a test printed which goes on behind them."""
        at = next((at for at, one in enumerate(self.waiting) if test in one.package.running), len(self.waiting))
        printed, self.waiting = self.waiting[at:], self.waiting[:at]
        for one in printed:
            self._doubtful.remove(one)
        return reversed(printed)

    @property
    def is_cut(self) -> bool:
        """Whether failures before a doubtful line were left out at the bound."""
        return any(one.package.is_cut for one in self._doubtful)

    def failures(self, packages: Packages) -> Iterable[Failure]:
        """Return what failed before the doubtful lines, and record the packages that these did end.

        A line names another module than all certain ends if a test printed it: the tests before it then belong to the
        package whose end follows.
        """
        sure = (one for one in self._doubtful if one.is_confirmed or (one.is_over and not one.owner))
        certain = (*self._certain, *(one.path for one in sure))
        modules, hosts = set(map(_module, certain)), set(map(_host, certain))
        for one in self._doubtful:
            known = _host(one.path) in hosts if one.is_over else _module(one.path) in modules
            is_printed = one.owner and not one.is_confirmed and not known
            if is_printed and one.package.failed:
                one.package.is_over = True
                found = one.package.failures(one.owner, one.number)
                yield from (evolve(failure, confidence="medium") for failure in found)
            elif not is_printed:
                packages.add(one.path)
            if not is_printed and one.result == "FAIL":
                yield from one.package.failures(one.path, one.number)


def _module(path: str) -> tuple[str, ...]:
    parts = path.split("/")
    return tuple(parts[: module_length(parts)])


def _host(path: str) -> str:
    return path.partition("/")[0]
