"""The definitions that a change touches, and what it does to those that others may use."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias

from attrs import Factory, frozen

from stithy_pulls.code.symbols import Symbol, symbols_of
from stithy_pulls.code.trees import MOST_BYTES, Unparsed, language_of
from stithy_pulls.diffs.names import role_of
from stithy_pulls.diffs.records import Change, Kind
from stithy_pulls.git.repository import Repository

What: TypeAlias = Literal["added", "removed", "changed", "signature"]

MOST_FILES = 200
Named: TypeAlias = dict[str, list[Symbol]]
"""Definitions by name, in the order of the file."""
NO_MEMBER = ("//", "#", "/*", "*", '"', "'", "@", "}", "{", ")", "]", "--", "<")
"""How lines begin within a type that are comments, annotations or ends of blocks."""
PRIVATE = re.compile(r"\b(?:private|fileprivate|internal)\b|^#\w")
MEMBER = {
    "python": re.compile(r"[A-Za-z]\w*\s*(?::|=(?!=))"),
    "go": re.compile(r"\*?(?:\w+\.)?[A-Z]"),
    "rust": re.compile(r"pub\b|[A-Z]"),
}
"""By language, how a line begins that may be a public member; of others any line without a word that hides it."""
GO_MAIN = re.compile(rb"^package\s+main\b", re.MULTILINE)


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
        members: By file, lines that were taken from public types, and that no definition which is compared holds.
        programs: Files of programs, of which nobody imports anything.
    """

    touched: tuple[Touched, ...] = ()
    unread: Mapping[str, str] = Factory(dict)
    members: Mapping[str, int] = Factory(dict)
    programs: frozenset[str] = frozenset()


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
    members: dict[str, int] = {}
    programs: set[str] = set()
    unread = {change.path: f"only {MOST_FILES} files are parsed" for change in changes[MOST_FILES:]}
    for change in changes[:MOST_FILES]:
        try:
            old = _symbols(change.old_path, change.old, blobs)
            new = _symbols(change.path, change.new, blobs)
            touched += _compare(change, old, new)
            if count := sum(1 for _ in lost_members(change, old, new)):
                members[change.path] = count
            if _is_program(change, blobs):
                programs.add(change.path)
        except Unparsed as error:
            unread[change.path] = str(error)
    shown = tuple(sorted(touched, key=lambda one: (one.path, one.symbol.first)))
    return Code(shown, unread, members, frozenset(programs))


def _compare(change: Change, old: Named, new: Named) -> Iterator[Touched]:
    """Compare the definitions of each name, of which there may be several: overloads, accessors, other receivers."""
    added = {line.new for line in change.lines(Kind.ADDED)}
    removed = {line.old for line in change.lines(Kind.REMOVED)}
    for name in dict.fromkeys((*new, *old)):
        before, after = old.get(name, []), new.get(name, [])
        same, gone, come = _paired(before, after)
        for was, now in same:
            if _holds(now, added) or _holds(was, removed):
                yield Touched(change.path, now, "changed")
        for was, now in zip_longest(gone, come):
            if was is None:
                yield Touched(change.path, now, "added")
            elif now is not None or come:  # fewer than before: which one went, nobody can tell
                yield Touched(change.path, now or come[-1], "signature", was.signature)
            elif after or _is_told_alone(name, old, new):
                yield Touched(change.path, was, "removed")


def _is_told_alone(name: str, old: Named, new: Named) -> bool:
    """Return whether a definition that is gone is told by itself: a class takes its methods along."""
    holder = name.rpartition(".")[0]
    return holder not in old or holder in new


def _paired(
    before: Sequence[Symbol], after: Sequence[Symbol]
) -> tuple[list[tuple[Symbol, Symbol]], list[Symbol], list[Symbol]]:
    """Pair definitions of one name that callers cannot tell apart; return the pairs, and what is gone and new."""
    waiting: dict[str, list[Symbol]] = {}
    for symbol in after:
        waiting.setdefault(symbol.identity, []).append(symbol)
    same, gone = [], []
    for symbol in before:
        if fitting := waiting.get(symbol.identity):
            same.append((symbol, fitting.pop(0)))
        else:
            gone.append(symbol)
    left = {id(symbol) for symbols in waiting.values() for symbol in symbols}
    return same, gone, [symbol for symbol in after if id(symbol) in left]


def lost_members(change: Change, old: Named, new: Named) -> Iterator[str]:
    """Return the lines that were taken from public types and are in no function: fields, cases, attributes."""
    every = [symbol for symbols in old.values() for symbol in symbols]
    types = [one for one in every if one.exposed and not one.is_called and one.name in new]
    inner = [one for one in every if one.is_called or one not in types]
    firsts = {one.first for one in every}
    language = language_of(change.old_path)
    given = {line.text.strip() for line in change.lines(Kind.ADDED)}
    for line in change.lines(Kind.REMOVED):
        text = line.text.strip()
        if not text or text in given or line.old in firsts or text.startswith(NO_MEMBER):
            continue
        if any(_holds(one, {line.old}) for one in inner if one.is_called):
            continue
        if any(_holds(one, {line.old}) for one in types) and _is_member(text, language):
            yield text


def _is_member(text: str, language: str) -> bool:
    form = MEMBER.get(language)
    return PRIVATE.search(text) is None if form is None else form.match(text) is not None


def _is_program(change: Change, blobs: Mapping[str, bytes]) -> bool:
    content = blobs.get(change.old if change.old.strip("0") else change.new, b"")
    return language_of(change.path) == "go" and GO_MAIN.search(content) is not None


def _holds(symbol: Symbol, lines: set[int | None]) -> bool:
    return any(number is not None and symbol.first <= number <= symbol.last for number in lines)


def _symbols(path: str, oid: str, blobs: Mapping[str, bytes]) -> Named:
    if not oid.strip("0"):
        return {}
    if (content := blobs.get(oid)) is None:
        raise Unparsed("git could not read it")
    if len(content) > MOST_BYTES:
        raise Unparsed(f"it has more than {MOST_BYTES:,} bytes")
    found: Named = {}
    for symbol in symbols_of(content.decode(errors="replace"), language_of(path)):
        found.setdefault(symbol.name, []).append(symbol)
    return found
