"""Rules about owners, and what they come to for a set of files."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from attrs import Factory, frozen

from stithy_pulls.diffs.fitting import PathPattern

SECONDS = 10
"""How long owners are looked up: a file of 2,000 lines takes that for some thousand paths."""


@frozen
class OwnerRule:
    """One line.

    Args:
        number: Which, from 1 on.
        fit: For which paths it is.
        owners: Accounts and teams without `@`, mail addresses as they are; none takes ownership away.
    """

    number: int
    fit: PathPattern
    owners: tuple[str, ...]


@frozen
class CodeOwners:
    """A file of code owners.

    Args:
        path: Where it is; empty where there is none.
        rules: Its lines that count.
        errors: What is wrong with others, which count for nothing.
        add_up: Whether all lines that fit count, or the last one alone.
    """

    path: str = ""
    rules: tuple[OwnerRule, ...] = ()
    errors: tuple[str, ...] = ()
    add_up: bool = False

    def find_owners(self, path: str, check: Callable[[], None] = lambda: None) -> Mapping[str, int]:
        """Give the owners of a file, each with the line that says so; `check` is called before each line."""
        fitting = self._fitting(path, check)
        if self.add_up:
            return {owner: rule.number for rule in fitting for owner in rule.owners}
        last = next(fitting, None)
        return dict.fromkeys(last.owners, last.number) if last else {}

    def _fitting(self, path: str, check: Callable[[], None]) -> Iterator[OwnerRule]:
        for rule in self.rules if self.add_up else reversed(self.rules):
            check()
            if rule.fit.matches(path):
                yield rule


@frozen
class FileOwnership:
    """Who owns which of some files.

    Args:
        owners: The file that says so.
        files: By path, its owners, each with the line that says so.
        unread: How many files were not looked up, since there are too many for so many lines.
    """

    owners: CodeOwners
    files: Mapping[str, Mapping[str, int]] = Factory(dict)
    unread: int = 0

    @property
    def unowned(self) -> tuple[str, ...]:
        """The files that nobody owns, where there is a file of code owners at all."""
        return tuple(path for path, owners in self.files.items() if not owners) if self.owners.path else ()

    @property
    def timed_out_lines(self) -> tuple[int, ...]:
        """The lines whose patterns took too long: files may have owners by these, or have none."""
        return tuple(rule.number for rule in self.owners.rules if rule.fit.timed_out)


def resolve_ownership(owners: CodeOwners, paths: Iterable[str], clock: Callable[[], float] = time.monotonic) -> FileOwnership:
    """Look up the owners of files, within some seconds; it keeps a CPU busy, so do it in a thread.

    Args:
        owners: The file that says so.
        paths: The files. One that is not through all lines in time counts as unread.
        clock: Seconds.
    """
    found: dict[str, Mapping[str, int]] = {}
    waiting, end = list(paths), clock() + SECONDS

    def check() -> None:
        if clock() > end:
            raise TimeoutError

    with suppress(TimeoutError):
        for path in waiting:
            found[path] = owners.find_owners(path, check)
    return FileOwnership(owners, found, len(waiting) - len(found))
