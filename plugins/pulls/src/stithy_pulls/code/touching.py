"""The definitions that a change touches, and what it does to those that others may use."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import Factory, frozen

from stithy_pulls.code.symbols import Symbol, symbols_of
from stithy_pulls.code.trees import MOST_BYTES, Unparsed, language_of
from stithy_pulls.diffs.names import role_of
from stithy_pulls.diffs.records import Change, Kind
from stithy_pulls.git.repository import Repository

What: TypeAlias = Literal["added", "removed", "changed", "signature"]

MOST_FILES = 200


@frozen
class Touched:
    """A definition that a change touches.

    Args:
        path: In which file; its new name.
        symbol: As it is now; as it was, if it is gone.
        what: added, removed, signature (what a caller sees) or changed (the rest).
        before: The signature that it had, where it is another one.
    """

    path: str
    symbol: Symbol
    what: What
    before: str = ""

    @property
    def breaks(self) -> bool:
        """Whether a caller elsewhere may have to change."""
        return self.symbol.exposed and self.what in ("removed", "signature")


@frozen
class Code:
    """The definitions that a diff touches.

    Args:
        touched: By file and line.
        unread: Files whose definitions are not known, with the reason.
    """

    touched: tuple[Touched, ...] = ()
    unread: Mapping[str, str] = Factory(dict)


def candidates(changes: Iterable[Change]) -> list[Change]:
    """Give the files whose definitions can be read, the largest changes first."""
    found = [
        change
        for change in changes
        if change.kind == "text" and language_of(change.path) and role_of(change.path) not in ("generated", "vendored")
    ]
    return sorted(found, key=lambda change: (-change.size, change.path))


async def contents(repository: Repository, changes: Sequence[Change]) -> Mapping[str, bytes]:
    """Read both versions of files, by git's objects."""
    oids = [oid for change in changes[:MOST_FILES] for oid in (change.old, change.new) if oid.strip("0")]
    return await repository.blobs(oids)


def read_code(changes: Sequence[Change], blobs: Mapping[str, bytes]) -> Code:
    """Find what is touched; it keeps a CPU busy, so do it in a thread.

    Args:
        changes: What `candidates` gave.
        blobs: What `contents` gave.
    """
    touched: list[Touched] = []
    unread = {change.path: f"only {MOST_FILES} files are parsed" for change in changes[MOST_FILES:]}
    for change in changes[:MOST_FILES]:
        try:
            touched += _file(change, blobs)
        except Unparsed as error:
            unread[change.path] = str(error)
    return Code(tuple(sorted(touched, key=lambda one: (one.path, one.symbol.first))), unread)


def _file(change: Change, blobs: Mapping[str, bytes]) -> Iterator[Touched]:
    old = _symbols(change.old_path, change.old, blobs)
    new = _symbols(change.path, change.new, blobs)
    added = {line.new for line in change.lines(Kind.ADDED)}
    removed = {line.old for line in change.lines(Kind.REMOVED)}
    for name, symbol in new.items():
        before = old.get(name)
        if before is None:
            yield Touched(change.path, symbol, "added")
        elif before.signature != symbol.signature:
            yield Touched(change.path, symbol, "signature", before.signature)
        elif _holds(symbol, added) or _holds(before, removed):
            yield Touched(change.path, symbol, "changed")
    for name, symbol in old.items():
        holder = name.rpartition(".")[0]
        if name not in new and (holder not in old or holder in new):  # a class takes its methods along
            yield Touched(change.path, symbol, "removed")


def _holds(symbol: Symbol, lines: set[int | None]) -> bool:
    return any(number is not None and symbol.first <= number <= symbol.last for number in lines)


def _symbols(path: str, oid: str, blobs: Mapping[str, bytes]) -> dict[str, Symbol]:
    if not oid.strip("0"):
        return {}
    if (content := blobs.get(oid)) is None:
        raise Unparsed("git could not read it")
    if len(content) > MOST_BYTES:
        raise Unparsed(f"it has more than {MOST_BYTES:,} bytes")
    found: dict[str, Symbol] = {}
    for symbol in symbols_of(content.decode(errors="replace"), language_of(path)):
        found.setdefault(symbol.name, symbol)  # an overload has the name of the first
    return found
