"""Keeping what failed, each once: summaries and retries tell it again."""

from collections.abc import Sequence

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure


class Failed:
    """What failed in a log, in its order."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Failure] = {}
        self._added = 0

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, failure: Failure) -> None:
        """Keep a failure; of one that is known only what was missing."""
        self._added += not failure.flaky
        key = failure.kind, failure.name
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

    def agreed(self, counted: int | None) -> int | None:
        """Give the number that a tool counts; of runs that were repeated, each failure once if it counts them all."""
        certain = sum(not one.flaky for one in self._kept.values())
        return certain if counted == self._added else counted

    def told(self, counted: int | None) -> Sequence[Failure]:
        """Give them all; with less confidence where the tool counts another number."""
        failures = tuple(self._kept.values())
        if self.agreed(counted) == sum(not one.flaky for one in failures):
            return failures
        return tuple(evolve(one, confidence="medium") if one.confidence == "high" else one for one in failures)
