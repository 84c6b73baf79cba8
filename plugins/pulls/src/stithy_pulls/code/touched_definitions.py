"""The definitions that a change touches, and what it does to those that others may use."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias

from attrs import Factory, frozen

from stithy_pulls.code.definitions import Definition, list_definitions
from stithy_pulls.code.syntax_trees import MOST_BYTES, UnparsableCode, get_language
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.git.git_repository import GitRepository

DefinitionChange: TypeAlias = Literal["added", "removed", "changed", "signature"]

MOST_FILES = 200
Named: TypeAlias = dict[str, list[Definition]]
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
class TouchedDefinition:
    """A definition that a change touches.

    Args:
        path: In which file; its new name.
        symbol: As it is now; as it was, if it is gone.
        what: added, removed, signature (what a caller sees) or changed (the rest).
        before: The signature that it had, where it is another one.
    """

    path: str
    symbol: Definition
    what: DefinitionChange
    before: str = ""

    @property
    def breaks(self) -> bool:
        """Whether a caller elsewhere may have to change."""
        return self.symbol.exposed and self.what in ("removed", "signature")


@frozen
class TouchedCode:
    """The definitions that a diff touches.

    Args:
        touched: By file and line.
        unread: Files whose definitions are not known, with the reason.
        members: By file, lines that were taken from public types, and that no definition which is compared holds.
        programs: Files of programs, of which nobody imports anything.
    """

    touched: tuple[TouchedDefinition, ...] = ()
    unread: Mapping[str, str] = Factory(dict)
    members: Mapping[str, int] = Factory(dict)
    programs: frozenset[str] = frozenset()


def select_parsable(changes: Iterable[ChangedFile]) -> list[ChangedFile]:
    """Give the files whose definitions can be read, the largest changes first."""
    found = [
        change
        for change in changes
        if change.kind == "text"
        and get_language(change.path)
        and classify_file(change.path) not in ("generated", "vendored")
    ]
    return sorted(found, key=lambda change: (-change.size, change.path))


async def read_versions(repository: GitRepository, changes: Sequence[ChangedFile]) -> Mapping[str, bytes]:
    """Read both versions of files, by git's objects."""
    oids = [oid for change in changes[:MOST_FILES] for oid in (change.old, change.new) if oid.strip("0")]
    return await repository.read_objects(oids)


def compare_definitions(changes: Sequence[ChangedFile], blobs: Mapping[str, bytes]) -> TouchedCode:
    """Find what is touched; it keeps a CPU busy, so do it in a thread.

    Args:
        changes: What `candidates` gave.
        blobs: What `contents` gave.
    """
    touched: list[TouchedDefinition] = []
    members: dict[str, int] = {}
    programs: set[str] = set()
    unread = {change.path: f"only {MOST_FILES} files are parsed" for change in changes[MOST_FILES:]}
    for change in changes[:MOST_FILES]:
        try:
            old = _symbols(change.old_path, change.old, blobs)
            new = _symbols(change.path, change.new, blobs)
            touched += _compare(change, old, new)
            if count := sum(1 for _ in find_lost_members(change, old, new)):
                members[change.path] = count
            if _is_program(change, blobs):
                programs.add(change.path)
        except UnparsableCode as error:
            unread[change.path] = str(error)
    shown = tuple(sorted(touched, key=lambda one: (one.path, one.symbol.first)))
    return TouchedCode(shown, unread, members, frozenset(programs))


def _compare(change: ChangedFile, old: Named, new: Named) -> Iterator[TouchedDefinition]:
    """Compare the definitions of each name, of which there may be several: overloads, accessors, other receivers."""
    added = {line.new for line in change.iterate_lines(LineKind.ADDED)}
    removed = {line.old for line in change.iterate_lines(LineKind.REMOVED)}
    for name in dict.fromkeys((*new, *old)):
        before, after = old.get(name, []), new.get(name, [])
        same, gone, come = _paired(before, after)
        for was, now in same:
            if _holds(now, added) or _holds(was, removed):
                yield TouchedDefinition(change.path, now, "changed")
        for was, now in zip_longest(gone, come):
            if was is None:
                yield TouchedDefinition(change.path, now, "added")
            elif now is not None or come:  # fewer than before: which one went, nobody can tell
                yield TouchedDefinition(change.path, now or come[-1], "signature", was.signature)
            elif after or _is_told_alone(name, old, new):
                yield TouchedDefinition(change.path, was, "removed")


def _is_told_alone(name: str, old: Named, new: Named) -> bool:
    """Return whether a definition that is gone is told by itself: a class takes its methods along."""
    holder = name.rpartition(".")[0]
    return holder not in old or holder in new


def _paired(
    before: Sequence[Definition], after: Sequence[Definition]
) -> tuple[list[tuple[Definition, Definition]], list[Definition], list[Definition]]:
    """Pair definitions of one name that callers cannot tell apart; return the pairs, and what is gone and new."""
    waiting: dict[str, list[Definition]] = {}
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


def find_lost_members(change: ChangedFile, old: Named, new: Named) -> Iterator[str]:
    """Return the lines that were taken from public types and are in no function: fields, cases, attributes."""
    every = [symbol for symbols in old.values() for symbol in symbols]
    types = [one for one in every if one.exposed and not one.is_called and one.name in new]
    inner = [one for one in every if one.is_called or one not in types]
    firsts = {one.first for one in every}
    language = get_language(change.old_path)
    given = {line.text.strip() for line in change.iterate_lines(LineKind.ADDED)}
    for line in change.iterate_lines(LineKind.REMOVED):
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


def _is_program(change: ChangedFile, blobs: Mapping[str, bytes]) -> bool:
    content = blobs.get(change.old if change.old.strip("0") else change.new, b"")
    return get_language(change.path) == "go" and GO_MAIN.search(content) is not None


def _holds(symbol: Definition, lines: set[int | None]) -> bool:
    return any(number is not None and symbol.first <= number <= symbol.last for number in lines)


def _symbols(path: str, oid: str, blobs: Mapping[str, bytes]) -> Named:
    if not oid.strip("0"):
        return {}
    if (content := blobs.get(oid)) is None:
        raise UnparsableCode("git could not read it")
    if len(content) > MOST_BYTES:
        raise UnparsableCode(f"it has more than {MOST_BYTES:,} bytes")
    found: Named = {}
    for symbol in list_definitions(content.decode(errors="replace"), get_language(path)):
        found.setdefault(symbol.name, []).append(symbol)
    return found
