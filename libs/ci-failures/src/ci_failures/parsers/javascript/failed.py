"""Failures of one log, each once: summaries and retries repeat them."""

from collections.abc import Iterable, Sequence

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Parser


class Failed:
    """The failures of a log in their order."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], Failure] = {}
        self._added = 0

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, failure: Failure) -> None:
        """Record a failure; for a known one, only add what was missing."""
        self._added += not failure.flaky
        # The errors of a compiler that have no place have one name, that of their rule.
        key = failure.kind, failure.name, "" if failure.kind == "test" or failure.file else failure.message
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) < MOST_FAILURES:
                self._kept[key] = failure
            return
        self._kept[key] = evolve(
            known,
            message=known.message or failure.message,
            file=known.file or failure.file,
            line=known.line or (failure.line if failure.file == known.file or not known.file else None),
            flaky=known.flaky and failure.flaky,
        )

    def adjust_total(self, counted: int | None) -> int | None:
        """Return the tool's total; of repeated runs, each failure once if the total counts them all."""
        certain = sum(not one.flaky for one in self._kept.values())
        return certain if counted == self._added else counted

    def with_confidence(self, counted: int | None) -> Sequence[Failure]:
        """Return all failures, with less confidence if the tool counts another number."""
        failures = tuple(self._kept.values())
        if self.adjust_total(counted) == sum(not one.flaky for one in failures):
            return failures
        return tuple(evolve(one, confidence="medium") if one.confidence == "high" else one for one in failures)


class CountedParser(Parser):
    """Base of parsers of a list of failures, and of the total above or below it."""

    def __init__(self) -> None:
        self._failed = Failed()
        self._counted: int | None = None

    def _end(self) -> None:
        """Record the failure whose lines were read; by default none is open between two lines."""

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        self._end()
        return self._failed.with_confidence(self._counted)

    def total(self) -> int | None:
        """Return the total of the list."""
        return self._failed.adjust_total(self._counted)
