"""From a result to JSON in one walk: what is not known, what was cut and what was hidden is noted on the way."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any, TypeAlias

import attrs
from attrs import define, field, frozen

from stithy_core.errors import InternalError
from stithy_core.sanitize import clean, sendable
from stithy_core.spi import Page, Unknown
from stithy_core.tools.cutting import CutList, CutMapping, CutText
from stithy_core.tools.shape import LOOSE, Field, fields_of

Path: TypeAlias = tuple[str, ...]


@frozen
class Short:
    """Something that was cut.

    Args:
        path: Where it stands.
        left: How many characters, items or entries are left.
        whole: How many there were.
        rest: What has all of it, if a note says so.
    """

    path: Path
    left: int
    whole: int
    rest: str = ""


@define
class Encoding:
    """One walk from attrs to JSON.

    Args:
        unknown: The unknowns met, with their places.
        cuts: What was cut.
        hidden: How many hidden characters were taken out.
        echoes_hidden: Whether a text that says back what the caller wrote has hidden characters.
    """

    unknown: list[tuple[Path, Unknown]] = field(factory=list)
    cuts: list[Short] = field(factory=list)
    hidden: int = 0
    echoes_hidden: bool = False

    def encode(self, value: Any, path: Path, note: Field = LOOSE) -> Any:
        """Give a value as JSON.

        Args:
            value: Any value of a result.
            path: Where it stands.
            note: What its field's notes say.

        Raises:
            InternalError: JSON has no such value.
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
                self._cut(path, len(value), value.whole, note)
            return self._mapping(value, path, note)
        if isinstance(value, Page | Sequence | set | frozenset):
            return self._list(value, path, note)
        raise InternalError(f"{type(value).__name__} has no place in a result")

    def add(self, other: "Encoding") -> None:
        """Take over what another walk met."""
        self.unknown += other.unknown
        self.cuts += other.cuts
        self.hidden += other.hidden
        self.echoes_hidden = self.echoes_hidden or other.echoes_hidden

    def _record(self, value: Any, path: Path) -> dict[str, Any]:
        encoded = {}
        for note in fields_of(type(value)):
            inner = getattr(value, note.name)
            kind = type(inner)
            if kind is int or (kind is str and inner.isascii() and inner.isprintable()):  # most of what is sent
                encoded[note.wire] = inner
            elif inner is not None and self._is_shown(inner, here := (*path, note.wire)):
                encoded[note.wire] = self.encode(inner, here, note)
        return encoded

    def _mapping(self, value: Mapping[str, Any], path: Path, note: Field) -> dict[str, Any]:
        encoded = {}
        for name, inner in value.items():
            if inner is not None and self._is_shown(inner, here := (*path, name)):
                encoded[self._text(name, note)] = self.encode(inner, here, note)
        return encoded

    def _list(self, value: Any, path: Path, note: Field) -> list[Any]:
        items = value.items if isinstance(value, Page) else value
        if isinstance(items, CutList):
            self._cut(path, len(items), items.whole, note)
        return self.items(items, path, note)

    def items(self, items: Iterable[Any], path: Path, note: Field, first: int = 0) -> list[Any]:
        """Give items of a list as JSON.

        Args:
            items: Those that follow one another from the index `first` on.
            path: Where the list stands.
            note: What its field's notes say.
            first: The first one's index.
        """
        here = [(item, (*path, str(index))) for index, item in enumerate(items, first)]
        return [self.encode(item, place, note) for item, place in here if self._is_shown(item, place)]

    def _is_shown(self, value: Any, path: Path) -> bool:
        """Note what is not known; it is left out, unless it has a value to show."""
        if not isinstance(value, Unknown):
            return True
        self.unknown.append((path, value))
        return value.shown is not None

    def _text(self, text: str, note: Field) -> str:
        seen = clean(text)
        if note.echo:
            self.echoes_hidden = self.echoes_hidden or len(seen) < len(text)
            return sendable(text)
        self.hidden += len(text) - len(seen)
        return sendable(seen)

    def _scalar(self, value: Any, path: Path, note: Field) -> Any:
        if isinstance(value, Enum):
            return self._scalar(value.value, path, note)
        if isinstance(value, datetime):
            # strftime cuts the year 0001
            return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
        if isinstance(value, CutText):
            self.hidden += value.hidden
            self._cut(path, value.left, value.whole, note)
        return self._text(str(value), note) if isinstance(value, str) else value

    def _cut(self, path: Path, left: int, whole: int, note: Field) -> None:
        self.cuts.append(Short(path, left, whole, note.rest))


def written(path: Path) -> str:
    """Write a place as people do: `threads[3].resolved`."""
    text = "".join(f"[{part}]" if part == "*" or part.isdigit() else f".{part}" for part in path)
    return text.removeprefix(".")
