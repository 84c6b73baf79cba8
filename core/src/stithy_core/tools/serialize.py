"""Convert a result to JSON, and collect what its answer must say: unknown values, cuts and hidden characters."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from math import isfinite
from typing import Any, TypeAlias

import attrs
from attrs import define, evolve, field, frozen

from stithy_core.errors import InternalError
from stithy_core.sanitize import clean, sendable
from stithy_core.spi import Page, Unknown
from stithy_core.tools.schema import HIDDEN
from stithy_core.tools.shrink import NO_FIELD, CutList, CutMapping, CutText, FieldNotes, field_notes

Path: TypeAlias = tuple[str, ...]

BINARY = (bytes, bytearray, memoryview)
ANY_INDEX = "*"
"""The last part of the path of an item that is left out of its list."""
DUPLICATE = Unknown("another entry has the same name, apart from hidden characters")


@frozen
class CutRecord:
    """A text, list or mapping that was cut.

    Args:
        path: Its place in the result.
        left: How many characters, items or entries are left.
        whole: How many there were.
        rest: The call or resource that has all of it, if a note names one.
    """

    path: Path
    left: int
    whole: int
    rest: str = ""


@define
class Serializer:
    """One conversion from attrs to JSON.

    Args:
        unknown: The unknown values, with their places.
        cuts: What was cut.
        hidden: How many hidden characters were removed.
        echoes_hidden: Whether a text that repeats what the caller wrote has hidden characters.
    """

    unknown: list[tuple[Path, Unknown]] = field(factory=list)
    cuts: list[CutRecord] = field(factory=list)
    hidden: int = 0
    echoes_hidden: bool = False

    def encode(self, value: Any, path: Path, note: FieldNotes = NO_FIELD) -> Any:
        """Return a value as JSON.

        Args:
            value: Any value of a result.
            path: Its place in the result.
            note: The notes of its field.

        Raises:
            InternalError: JSON cannot hold the value.
        """
        if type(value) is str:
            return value if value.isascii() and value.isprintable() else self._text(value, note)
        if isinstance(value, Unknown):
            return self.encode(value.shown, path, note)
        if value is None or isinstance(value, str | bool | int | float | Enum | datetime):
            return self._scalar(value, path, note)
        if attrs.has(type(value)) and not isinstance(value, Page):
            return self._record(value, path)
        if isinstance(value, Mapping):
            if isinstance(value, CutMapping):
                self._record_cut(path, len(value), value.whole, note)
            return self._mapping(value, path, note)
        if isinstance(value, Page | Sequence | set | frozenset) and not isinstance(value, BINARY):
            return self._list(value, path, note)
        raise InternalError(f"results cannot contain values of type {type(value).__name__}")

    def add(self, other: "Serializer") -> None:
        """Add what another conversion collected."""
        self.unknown += other.unknown
        self.cuts += other.cuts
        self.hidden += other.hidden
        self.echoes_hidden = self.echoes_hidden or other.echoes_hidden

    def _record(self, value: Any, path: Path) -> dict[str, Any]:
        encoded = {}
        for note in field_notes(type(value)):
            inner = getattr(value, note.name)
            kind = type(inner)
            if kind is int or (kind is str and inner.isascii() and inner.isprintable()):  # most of what is sent
                encoded[note.wire] = inner
            elif inner is not None and self._is_shown(inner, here := (*path, note.wire)):
                encoded[note.wire] = self.encode(inner, here, note)
        return encoded

    def _mapping(self, value: Mapping[str, Any], path: Path, note: FieldNotes) -> dict[str, Any]:
        encoded = {}
        for key, inner in value.items():
            name = self._text(str(key), note)
            here = (*path, name)
            if name in encoded:
                self.unknown.append((here, DUPLICATE))
            elif inner is not None and self._is_shown(inner, here):
                encoded[name] = self.encode(inner, here, note)
        return encoded

    def _list(self, value: Any, path: Path, note: FieldNotes) -> list[Any]:
        items = value.items if isinstance(value, Page) else value
        if isinstance(items, CutList):
            self._record_cut(path, len(items), items.whole, note)
        return self.items(items, path, note)

    def items(self, items: Iterable[Any], path: Path, note: FieldNotes, first: int = 0) -> list[Any]:
        """Return items of a list as JSON.

        An index in a place is that of the list as it is sent. An item that is left out has none: its place is `[*]`.

        Args:
            items: Consecutive items.
            path: The list's place in the result.
            note: The notes of its field.
            first: The index of the first item that is sent.
        """
        encoded: list[Any] = []
        for item in items:
            here = (*path, ANY_INDEX if _is_left_out(item) else str(first + len(encoded)))
            if self._is_shown(item, here):
                encoded.append(self.encode(item, here, note))
        return encoded

    def _is_shown(self, value: Any, path: Path) -> bool:
        """Return whether a value is shown. An unknown one is recorded, and left out unless it has a value to show."""
        if isinstance(value, Unknown):
            self.unknown.append((path, value))
        elif _is_left_out(value):
            self.unknown.append((path, Unknown(f"JSON has no number for {value}")))
        return not _is_left_out(value)

    def _text(self, text: str, note: FieldNotes) -> str:
        seen = clean(text)
        if note.echo:
            self.echoes_hidden = self.echoes_hidden or len(seen) < len(text)
            return sendable(text)
        self.hidden += len(text) - len(seen)
        return sendable(seen)

    def _scalar(self, value: Any, path: Path, note: FieldNotes) -> Any:
        if isinstance(value, Enum):
            return self._scalar(value.value, path, note)
        if isinstance(value, datetime):
            aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)  # records have times in UTC
            # strftime cuts the year 0001
            return aware.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
        if isinstance(value, CutText):
            self.hidden += value.hidden
            self._record_cut(path, value.left, value.whole, note)
        return self._text(str(value), note) if isinstance(value, str) else value

    def _record_cut(self, path: Path, left: int, whole: int, note: FieldNotes) -> None:
        self.cuts.append(CutRecord(path, left, whole, note.rest))


def _is_left_out(value: Any) -> bool:
    if isinstance(value, Unknown):
        return value.shown is None
    return isinstance(value, float) and not isfinite(value)


def format_path(path: Path) -> str:
    """Format a path: `threads[3].resolved`."""
    text = "".join(f"[{part}]" if part == ANY_INDEX or part.isdigit() else f".{part}" for part in path)
    return text.removeprefix(".")


ADDRESS = "url"
NUMBER = re.compile(r"\[\d+\]")


def build_annotations(serializer: Serializer, cursor: str, structured: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an answer beside the tool's own: cuts, unknown values, hidden characters and the cursor.

    Args:
        serializer: The conversion to JSON, with what it collected.
        cursor: The cursor of the next page; empty where nothing follows.
        structured: The tool's own fields.
    """
    annotations: dict[str, Any] = {}
    if cursor:
        annotations["nextCursor"] = cursor
    if serializer.cuts:
        annotations["cuts"] = _list_cuts(serializer, structured)
    if serializer.unknown:
        annotations["unknown"] = _list_unknown(serializer)
    if serializer.hidden:
        annotations[HIDDEN] = serializer.hidden
    return annotations


def format_annotations(annotations: Mapping[str, Any]) -> Iterator[str]:
    """Iterate over the same as lines of text."""
    for row in annotations.get("unknown", ()):
        yield f"unknown: {row['field']}: {row['reason']}{_format_remark(row, 'remedy')}"
    for row in annotations.get("cuts", ()):
        amount = f": {row['sent']} of {row['of']}" if "of" in row else ""
        yield f"cut: {row['field']}{amount}{_format_remark(row, 'rest')}"
    if hidden := annotations.get(HIDDEN):
        yield f"{hidden} hidden characters were removed from texts"
    if cursor := annotations.get("nextCursor"):
        yield f'More: call again with cursor="{cursor}"'


def _format_remark(row: Mapping[str, Any], name: str) -> str:
    if not row.get(name):
        return ""
    return f" (the whole: {row[name]})" if name == "rest" else f" ({row[name]})"


def _list_unknown(serializer: Serializer) -> list[dict[str, str]]:
    """Return a row for each unknown value; equal ones of several items become one: `threads[*].resolved`."""
    by_reason: dict[tuple[str, str, str], list[Path]] = {}
    for path, value in serializer.unknown:
        by_reason.setdefault((_replace_indices(format_path(path)), value.reason, value.remedy), []).append(path)
    rows = []
    for (family, reason, remedy), paths in by_reason.items():
        row = {"field": family if len(paths) > 1 else format_path(paths[0]), "reason": reason, "remedy": remedy}
        rows.append({name: sendable(clean(text)) for name, text in row.items() if text or name != "remedy"})
    return rows


def _list_cuts(serializer: Serializer, structured: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each cut; those of several items become one, without the amount of each."""
    by_rest: dict[tuple[str, str], list[CutRecord]] = {}
    for cut in serializer.cuts:
        rest = cut.rest or _find_address(structured, cut.path)
        key = _replace_indices(format_path(cut.path)), _replace_indices(rest)
        by_rest.setdefault(key, []).append(evolve(cut, rest=rest))
    rows: list[dict[str, Any]] = []
    for (family, rests), cuts in by_rest.items():
        if len(cuts) > 1:
            row: dict[str, Any] = {"field": family, "rest": rests}
        else:
            (cut,) = cuts
            row = {"field": format_path(cut.path), "sent": cut.left, "of": cut.whole, "rest": cut.rest}
        cleaned = {name: sendable(clean(text)) if isinstance(text, str) else text for name, text in row.items()}
        rows.append({name: value for name, value in cleaned.items() if value != ""})
    return rows


def _find_address(structured: Any, path: Path) -> str:
    """Return the path of the innermost `url` around a place; empty without one."""
    found, here = "", structured
    for depth, part in enumerate(path):
        if isinstance(here, Mapping):
            if isinstance(here.get(ADDRESS), str):
                found = format_path((*path[:depth], ADDRESS))
            here = here.get(part)
        elif isinstance(here, list):
            here = here[int(part)] if int(part) < len(here) else None
    return found


def _replace_indices(path: str) -> str:
    return NUMBER.sub("[*]", path)
