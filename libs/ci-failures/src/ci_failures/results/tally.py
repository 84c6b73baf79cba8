"""What a result file comes to, while it is read."""

from typing import Protocol, TypeVar

from attrs import evolve, frozen

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure
from ci_failures.nested_failures import without_parents

T_co = TypeVar("T_co", covariant=True)

RERUN = frozenset({"go", "gradle"})
"""Of these a later pass under the same name is the same test again; elsewhere two tests may share a name."""


class UnreadableFile(Exception):
    """A file that is no result file, is damaged, or is made to do harm; its message says which."""


@frozen(kw_only=True)
class Results:
    """What one result file says.

    Args:
        name: The file; one of an archive is `archive.zip/folder/junit.xml`.
        form: Its format: junit, trx, nunit, xunit.net, ctrf, tap, go-json, libtest-json.
        failures: What failed, each once, the flaky among them.
        ran: How many tests it tells of.
        counted: How many failures it counts itself, where those are more than it has.
        gap: Why there may be more, or what of it could not be told; empty where it was read whole.
    """

    name: str
    form: str
    failures: tuple[Failure, ...] = ()
    ran: int = 0
    counted: int | None = None
    gap: str = ""


class Tally:
    """Gathers what a reader of a format finds."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str], Failure] = {}
        self._counted: int | None = None
        self._gaps: dict[str, None] = {}
        self._failed = 0
        self.ran = 0

    @property
    def found(self) -> bool:
        """Whether anything failed up to now."""
        return bool(self._found)

    def passed(self, tool: str, name: str, place: str = "") -> None:
        """Take a test that passed; one that failed before is flaky where its tool runs tests again."""
        self.ran += 1
        before = self._found.get((tool, place, name)) if tool in RERUN else None
        if before:
            self._found[tool, place, name] = evolve(before, flaky=True, attempts=before.attempts + 1)

    def failed(self, failure: Failure) -> None:
        """Take a test that failed; a second failure of it adds what the first does not say."""
        self.ran += 1
        self._failed += not failure.flaky
        key = failure.tool, failure.place, failure.name
        before = self._found.get(key)
        if before is None and len(self._found) >= MOST_FAILURES:
            self.lacks(f"only the first {MOST_FAILURES:,} failures were read")
        elif before is None:
            self._found[key] = evolve(failure, message=failure.message[:MOST_TEXT])
        else:
            attempts = before.attempts + 1 if failure.tool in RERUN else max(before.attempts, failure.attempts)
            known = before if before.message or before.file else failure
            self._found[key] = evolve(known, attempts=attempts, flaky=before.flaky and failure.flaky)

    def counts(self, number: int) -> None:
        """Take how many failures a part of the file counts."""
        self._counted = (self._counted or 0) + number

    def lacks(self, gap: str) -> None:
        """Take why there may be more."""
        self._gaps[gap] = None

    def results(self, name: str, form: str) -> Results:
        """Give all of it; where fewer failures were read than the file counts, that is a gap."""
        found = list(self._found.values())
        failures = without_parents(found, repeating=found)
        short = self._counted is not None and self._counted > self._failed
        if short:
            self.lacks(f"it counts {self._counted:,} failures, and has {self._failed:,}")
        return Results(
            name=name,
            form=form,
            failures=tuple(failures),
            ran=self.ran,
            counted=self._counted if short else None,
            gap="; ".join(self._gaps),
        )


class Readable(Protocol[T_co]):
    """What is read a piece at a time."""

    def read(self, size: int, /) -> T_co:
        """Give at most so much; nothing at the end."""
        ...
