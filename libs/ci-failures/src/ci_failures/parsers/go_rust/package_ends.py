"""Lines that look like the result of a Go package and may be output of a test: `FAIL<TAB>other/pkg<TAB>0.1s`."""

from collections.abc import Iterable

from attrs import define, evolve

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.go_output import Printed
from ci_failures.parsers.go_rust.golang import Packages, module_length

STOPPED = ("exit status ", "signal: ")


@define
class DoubtfulEnd:
    """A line that names a package although its binary did not report its own end before it.

    A test that exits, as `log.Fatal` does, leaves such a line, and so does a test that prints one.

    Args:
        text: The line.
        result: `FAIL` or `ok`.
        path: The package that the line names.
        number: The number of the line.
        package: What was read before the line.
        owner: The next package whose end is certain, which would own the tests if the line was printed by a test.
        is_confirmed: Whether the run of `go test` ended right below the line.
    """

    text: str
    result: str
    path: str
    number: int
    package: Printed
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

    def is_doubtful(self, result: str, package: Printed, last: str) -> bool:
        """Check whether a line may be output of a test: nothing before it shows that the binary ended.

        Args:
            result: `FAIL`, `ok` or another first word of the line.
            package: What was read before the line.
            last: The last line of output before it.
        """
        if package.is_over or package.crash or last.startswith(STOPPED):
            return False
        return bool(package.failed or package.running or self.waiting or result == "FAIL")

    def add_certain(self, path: str) -> None:
        """Record the end of a package; the doubtful ones before it may belong to its tests."""
        self._certain[path] = None
        for one in self.waiting:
            one.owner = path
        self.waiting = []

    def add_doubtful(self, end: DoubtfulEnd) -> None:
        """Record a doubtful end."""
        self._doubtful.append(end)
        self.waiting.append(end)

    def confirm(self) -> None:
        """Record that tests follow behind the end of a run, so that the lines above it did end packages."""
        for one in self.waiting:
            one.is_confirmed = True
        self.waiting = []

    def take_back(self, test: str) -> DoubtfulEnd | None:
        """Remove and return the last doubtful end if the test that ran there goes on, which thus printed the line."""
        if self.waiting and test in self.waiting[-1].package.running:
            self._doubtful.pop()
            return self.waiting.pop()
        return None

    def failures(self, packages: Packages) -> Iterable[Failure]:
        """Return what failed before the doubtful lines, and record the packages that these did end.

        A line names another module than all certain ends if a test printed it: the tests before it then belong to the
        package whose end follows.
        """
        modules = {_module(path) for path in self._certain}
        for one in self._doubtful:
            is_printed = one.owner and not one.is_confirmed and _module(one.path) not in modules
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
