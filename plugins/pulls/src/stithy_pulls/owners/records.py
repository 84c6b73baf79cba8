"""Rules about owners, and what they come to for a set of files."""

import time
from collections.abc import Callable, Iterable, Mapping

from attrs import Factory, frozen

SECONDS = 10
"""How long owners are looked up: a file of 2,000 lines takes that for some thousand paths."""


@frozen
class Rule:
    """One line.

    Args:
        number: Which, from 1 on.
        fits: Whether it is for a path.
        owners: Accounts and teams without `@`, mail addresses as they are; none takes ownership away.
    """

    number: int
    fits: Callable[[str], bool]
    owners: tuple[str, ...]


@frozen
class Owners:
    """A file of code owners.

    Args:
        path: Where it is; empty where there is none.
        rules: Its lines that count.
        errors: What is wrong with others, which count for nothing.
        add_up: Whether all lines that fit count, or the last one alone.
    """

    path: str = ""
    rules: tuple[Rule, ...] = ()
    errors: tuple[str, ...] = ()
    add_up: bool = False

    def of(self, path: str) -> Mapping[str, int]:
        """Give the owners of a file, each with the line that says so."""
        fitting = (rule for rule in (self.rules if self.add_up else reversed(self.rules)) if rule.fits(path))
        if self.add_up:
            return {owner: rule.number for rule in fitting for owner in rule.owners}
        last = next(fitting, None)
        return dict.fromkeys(last.owners, last.number) if last else {}


@frozen
class Owned:
    """Who owns which of some files.

    Args:
        owners: The file that says so.
        files: By path, its owners, each with the line that says so.
        unread: How many files were not looked up, since there are too many for so many lines.
    """

    owners: Owners
    files: Mapping[str, Mapping[str, int]] = Factory(dict)
    unread: int = 0

    @property
    def unowned(self) -> tuple[str, ...]:
        """The files that nobody owns, where there is a file of code owners at all."""
        return tuple(path for path, owners in self.files.items() if not owners) if self.owners.path else ()


def owned(owners: Owners, paths: Iterable[str]) -> Owned:
    """Look up the owners of files, within some seconds; it keeps a CPU busy, so do it in a thread."""
    found: dict[str, Mapping[str, int]] = {}
    waiting = list(paths)
    end = time.monotonic() + SECONDS
    for path in waiting:
        if time.monotonic() > end:
            break
        found[path] = owners.of(path)
    return Owned(owners, found, len(waiting) - len(found))
