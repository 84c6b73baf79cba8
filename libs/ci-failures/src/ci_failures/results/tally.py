"""What a result file reports, collected while it is read."""

from typing import Protocol, TypeVar

from attrs import evolve, frozen

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure
from ci_failures.nested_failures import without_parents

T_co = TypeVar("T_co", covariant=True)

RERUN = frozenset({"go", "gradle"})
"""Tools for which a later pass under the same name is a repetition; for others, two tests may share a name."""


class UnreadableFile(Exception):
    """A file is damaged, has an unsupported format, or is made to do harm; the message says which."""


@frozen(kw_only=True)
class Results:
    """What one result file reports.

    Args:
        name: The name of the file; in an archive, `archive.zip/folder/junit.xml`.
        form: Its format, as `formats.READERS` names it.
        failures: What failed or was flaky, each once.
        ran: How many tests it reports.
        counted: Its own total of failures, if that is greater than the number of failures in it.
        gap: Why failures may be missing, or are not complete; empty if the file was read whole.
    """

    name: str
    form: str
    failures: tuple[Failure, ...] = ()
    ran: int = 0
    counted: int | None = None
    gap: str = ""


class Tally:
    """Collector of what the reader of a format finds."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str], Failure] = {}
        self._counted: int | None = None
        self._gaps: dict[str, None] = {}
        self._failed = 0
        self.ran = 0

    @property
    def found(self) -> bool:
        """Whether anything has failed so far."""
        return bool(self._found)

    def record_passed(self, tool: str, name: str, place: str = "") -> None:
        """Record a passed test; one that failed before is flaky if its tool repeats tests."""
        self.ran += 1
        before = self._found.get((tool, place, name)) if tool in RERUN else None
        if before:
            self._found[tool, place, name] = evolve(before, flaky=True, attempts=before.attempts + 1)

    def record_failed(self, failure: Failure) -> None:
        """Record a failed test; a second failure of it adds what the first one lacks."""
        self.ran += 1
        self._failed += not failure.flaky
        key = failure.tool, failure.place, failure.name
        before = self._found.get(key)
        if before is None and len(self._found) >= MOST_FAILURES:
            self.add_gap(f"only the first {MOST_FAILURES:,} failures were read")
        elif before is None:
            self._found[key] = evolve(failure, message=failure.message[:MOST_TEXT])
        else:
            attempts = before.attempts + 1 if failure.tool in RERUN else max(before.attempts, failure.attempts)
            known = before if before.message or before.file else failure
            self._found[key] = evolve(known, attempts=attempts, flaky=before.flaky and failure.flaky)

    def add_count(self, number: int) -> None:
        """Add the total of a part of the file."""
        self._counted = (self._counted or 0) + number

    def add_gap(self, gap: str) -> None:
        """Record why failures may be missing."""
        self._gaps[gap] = None

    def results(self, name: str, form: str) -> Results:
        """Return the results; fewer failures than the file's own total are a gap."""
        found = list(self._found.values())
        failures = without_parents(found, repeating=found)
        short = self._counted is not None and self._counted > self._failed
        if short:
            self.add_gap(f"it counts {self._counted:,} failures, and has {self._failed:,}")
        return Results(
            name=name,
            form=form,
            failures=tuple(failures),
            ran=self.ran,
            counted=self._counted if short else None,
            gap="; ".join(self._gaps),
        )


class Readable(Protocol[T_co]):
    """A stream that is read in pieces."""

    def read(self, size: int, /) -> T_co:
        """Return at most so many bytes or characters; empty at the end."""
        ...
