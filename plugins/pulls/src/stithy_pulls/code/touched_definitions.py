"""The definitions that a diff changes, and whether the changes can break callers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias

from attrs import Factory, field, frozen

from stithy_pulls.code.definitions import Definition, list_definitions
from stithy_pulls.code.inherited_members import RemainingNames
from stithy_pulls.code.source_trees import MOST_BYTES, UnparsableCode, get_language
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.git.git_repository import GitRepository

DefinitionChange: TypeAlias = Literal["added", "removed", "changed", "signature"]

MOST_FILES = 200
Named: TypeAlias = dict[str, list[Definition]]
"""Definitions by name, in the order of the file."""
NO_MEMBER = ("//", "#", "/*", "*", '"', "'", "@", "}", "{", ")", "]", "--", "<")
"""Beginnings of lines inside a type that are comments, annotations or ends of blocks."""
PRIVATE = re.compile(r"\b(?:private|fileprivate|internal)\b|^#\w")
MEMBER = {
    "python": re.compile(r"[A-Za-z]\w*\s*(?::|=(?!=))"),
    "go": re.compile(r"\*?(?:\w+\.)?[A-Z]"),
    "rust": re.compile(r"pub\b|[A-Z]"),
}
"""By language, how a line begins that may be a public member.

In other languages, any line without a hiding modifier.
"""
MADE = re.compile(
    rb"@generated\b|\bCode generated .*\bDO NOT EDIT\b|\bThis file (?:is|was) (?:auto-?)?generated\b", re.IGNORECASE
)
"""What generators write into the head of their files."""
BASE = re.compile(r"\bsuper\b|\bparent::|\bbase\.")
"""How a method calls the one of a base."""
HEAD = 1_000
"""Bytes at the beginning of a file that are searched for it."""
CONFLICT = (re.compile(rb"^<{7} ", re.MULTILINE), re.compile(rb"^>{7} ", re.MULTILINE))
GO_MAIN = re.compile(rb"^package\s+main\b", re.MULTILINE)


@frozen
class TouchedDefinition:
    """A definition that a diff changes.

    Args:
        path: The current path of its file.
        symbol: The definition after the change; if it was removed, before it.
        what: added, removed, signature (what a caller sees) or changed (the rest).
        before: The former signature, if it differs; of a removed definition, if others of its name remain.
        may_remain: Whether a removed definition may still be there: from a base, a generator, or for other systems.
    """

    path: str
    symbol: Definition
    what: DefinitionChange
    before: str = ""
    may_remain: bool = False

    @property
    def breaks(self) -> bool:
        """Whether a caller elsewhere may have to change."""
        return self.symbol.exposed and self.what in ("removed", "signature")


@frozen
class TouchedCode:
    """The definitions that a diff changes.

    Args:
        touched: By file and line.
        unread: By path, why the definitions of a file are unknown.
        members: By path, removed lines of public types that belong to no compared definition.
        programs: Files of programs, which nobody imports.
        generated: Files that a generator wrote, by their head.
        exports: The result of `read_exports`.
        blobs: The contents that were read, by object id.
    """

    touched: tuple[TouchedDefinition, ...] = ()
    unread: Mapping[str, str] = Factory(dict)
    members: Mapping[str, int] = Factory(dict)
    programs: frozenset[str] = frozenset()
    generated: frozenset[str] = frozenset()
    exports: Mapping[str, frozenset[str]] = Factory(dict)
    blobs: Mapping[str, bytes] = field(factory=dict, repr=False)

    def is_exported(self, one: TouchedDefinition) -> bool:
        """Return whether the package of a file allows others to see a definition."""
        names = self.exports.get(one.path)
        return names is None or re.split(r"[.<]", one.symbol.name)[0] in names


def select_parsable(changes: Iterable[ChangedFile]) -> list[ChangedFile]:
    """Return the files whose definitions can be parsed, the largest changes first."""
    found = [
        change
        for change in changes
        if change.kind == "text"
        and get_language(change.path)
        and classify_file(change.path) not in ("generated", "vendored")
    ]
    return sorted(found, key=lambda change: (-change.size, change.path))


async def read_versions(
    repository: GitRepository, changes: Sequence[ChangedFile], others: Sequence[ChangedFile] = ()
) -> Mapping[str, bytes]:
    """Read both versions of code and of other files, such as manifests, by object id."""
    wanted = [*changes[:MOST_FILES], *others[:MOST_FILES]]
    oids = [oid for change in wanted for oid in (change.old, change.new) if oid.strip("0")]
    return await repository.read_objects(oids)


def compare_definitions(
    changes: Sequence[ChangedFile], blobs: Mapping[str, bytes], exports: Mapping[str, frozenset[str]] | None = None
) -> TouchedCode:
    """Find the changed definitions. It uses a CPU, so call it in a thread.

    Args:
        changes: The result of `select_parsable`.
        blobs: The result of `read_versions`.
        exports: The result of `read_exports`.
    """
    touched: list[TouchedDefinition] = []
    members: dict[str, int] = {}
    programs: set[str] = set()
    generated: set[str] = set()
    unread = {change.path: f"only {MOST_FILES} files are parsed" for change in changes[MOST_FILES:]}
    for change in changes[:MOST_FILES]:
        try:
            old = _list_symbols(change.old_path, change.old, blobs)
            new = _list_symbols(change.path, change.new, blobs)
            touched += _compare(change, old, new, blobs)
            if count := sum(1 for _ in find_lost_members(change, old, new)):
                members[change.path] = count
            if _is_program(change, blobs):
                programs.add(change.path)
            if MADE.search(blobs.get(change.new, b"")[:HEAD]):
                generated.add(change.path)
        except UnparsableCode as error:
            unread[change.path] = str(error)
    shown = tuple(sorted(touched, key=lambda one: (one.path, one.symbol.first)))
    return TouchedCode(shown, unread, members, frozenset(programs), frozenset(generated), exports or {}, blobs)


def _compare(change: ChangedFile, old: Named, new: Named, blobs: Mapping[str, bytes]) -> Iterator[TouchedDefinition]:
    """Compare the definitions of each name; there may be several: overloads, accessors, other receivers."""
    added = {line.new for line in change.iterate_lines(LineKind.ADDED)}
    texts = {line.old: line.text for line in change.iterate_lines(LineKind.REMOVED)}
    removed, seen = set(texts), texts if isinstance(change.hunks, tuple) else None
    language = get_language(change.path)
    remaining = RemainingNames(change.path, language, blobs.get(change.old, b""), blobs.get(change.new, b""))
    methods = {one.name.rpartition(".")[2] for several in new.values() for one in several if one.kind == "method"}
    for name in dict.fromkeys((*new, *old)):
        before, after = old.get(name, []), new.get(name, [])
        same, gone, come = _pair_equal(before, after)
        for was, now in same:
            if _contains_line(now, added) or _contains_line(was, removed):
                yield TouchedDefinition(change.path, now, "changed")
        for was, now in zip_longest(gone, come):
            if was is None:
                yield TouchedDefinition(change.path, now, "added")
            elif now is not None or come:  # fewer than before: which overload was removed is unknown
                yield TouchedDefinition(change.path, now or come[-1], "signature", was.signature)
            elif _is_seen_removed(was, seen) and (after or _is_removed_alone(name, old, new)):
                is_based = was.name.rpartition(".")[2] in methods or _calls_base(was, texts)
                holders = new.get(name.rpartition(".")[0], [])
                may_remain = (was.kind == "method" and is_based) or remaining.may_have(holders)
                yield TouchedDefinition(change.path, was, "removed", was.signature if after else "", may_remain)


def _is_seen_removed(was: Definition, removed: Mapping[int | None, str] | None) -> bool:
    """Return whether the diff removes a line with the name: else the parser lost it, or its holder has another name.

    Without known lines, None, it may.
    """
    own = was.name.rpartition(".")[2]
    return removed is None or any(own in removed.get(number, "") for number in range(was.first, was.last + 1))


def _calls_base(was: Definition, removed: Mapping[int | None, str]) -> bool:
    return any(BASE.search(removed.get(number, "")) for number in range(was.first, was.last + 1))


def _is_removed_alone(name: str, old: Named, new: Named) -> bool:
    """Return whether a removed definition is reported itself: a removed class includes its methods."""
    holder = name.rpartition(".")[0]
    return holder not in old or holder in new


def _pair_equal(
    before: Sequence[Definition], after: Sequence[Definition]
) -> tuple[list[tuple[Definition, Definition]], list[Definition], list[Definition]]:
    """Pair definitions of one name that callers cannot tell apart.

    Returns:
        The pairs, the removed definitions and the added ones.
    """
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
    """Yield removed lines of public types that are in no function: fields, cases, attributes."""
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
        if any(_contains_line(one, {line.old}) for one in inner if one.is_called):
            continue
        if any(_contains_line(one, {line.old}) for one in types) and _is_member(text, language):
            yield text


def _is_member(text: str, language: str) -> bool:
    form = MEMBER.get(language)
    return PRIVATE.search(text) is None if form is None else form.match(text) is not None


def _is_program(change: ChangedFile, blobs: Mapping[str, bytes]) -> bool:
    content = blobs.get(change.old if change.old.strip("0") else change.new, b"")
    return get_language(change.path) == "go" and GO_MAIN.search(content) is not None


def _contains_line(symbol: Definition, lines: set[int | None]) -> bool:
    return any(number is not None and symbol.first <= number <= symbol.last for number in lines)


def _list_symbols(path: str, oid: str, blobs: Mapping[str, bytes]) -> Named:
    if not oid.strip("0") or not get_language(path):  # the former name of a renamed file may be of no language
        return {}
    if (content := blobs.get(oid)) is None:
        raise UnparsableCode("git could not read the file")
    if all(mark.search(content) for mark in CONFLICT):
        raise UnparsableCode("the file has conflict markers")
    if len(content) > MOST_BYTES:
        raise UnparsableCode(f"the file is larger than {MOST_BYTES:,} bytes")
    found: Named = {}
    for symbol in list_definitions(content.decode(errors="replace"), get_language(path)):
        found.setdefault(symbol.name, []).append(symbol)
    return found
