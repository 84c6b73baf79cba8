"""From a handler's result to what is sent: its page cut to the budget, its unknowns gathered, its lines as text."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any

import attrs
from attrs import evolve, field, frozen

from stithy_core.errors import InternalError
from stithy_core.spi import Page, Unknown
from stithy_core.tools.cursors import Position
from stithy_core.tools.schema import hints_of, noted


@frozen
class Answer:
    """What a call is answered with: an object for programs, and a short text that is enough to act on."""

    structured: Mapping[str, Any]
    text: str
    is_error: bool = False


@frozen
class Cut:
    """How to cut a page: the budget in bytes, where to begin, and how to write the cursor that goes on."""

    budget: int
    begin: Callable[["Page[Any]"], int]
    mint: Callable[[Position], str]


def render(result: object, cut: Cut) -> Answer:
    """Turn a result into an answer that keeps within its budget; at least one item is sent whole.

    Raises:
        InternalError: The result is no attrs class with `render`.
    """
    if not attrs.has(type(result)) or not hasattr(result, "render"):
        raise InternalError(f"a handler returned {type(result).__name__}, which is no attrs class with render()")
    name = next((name for name in _names(type(result)) if isinstance(getattr(result, name), Page)), None)
    if name is None:
        return _answer(result, "")
    return _largest(result, name, cut)


def _largest(result: Any, name: str, cut: Cut) -> Answer:
    """Find the longest page that fits: first all of it, then by halving."""
    page: Page[Any] = getattr(result, name)
    begin = cut.begin(page)
    most = len(page.items) - begin if page.limit is None else min(page.limit, len(page.items) - begin)

    def attempt(count: int) -> Answer:
        items = page.items[begin : begin + count]
        more = begin + count < len(page.items) or page.partial
        cursor = cut.mint(Position(page.key(items[-1]), begin + count)) if more and items else ""
        return _answer(evolve(result, **{name: evolve(page, items=items)}), cursor)

    whole = attempt(most)
    if size(whole) <= cut.budget or most <= 1:
        return whole
    fits, too_many, best = 1, most, attempt(1)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        tried = attempt(middle)
        if size(tried) <= cut.budget:
            fits, best = middle, tried
        else:
            too_many = middle
    return best


def _answer(result: Any, cursor: str) -> Answer:
    encoding = _Encoding()
    structured = encoding.encode(result, ())
    lines = list(result.render())
    unknown = encoding.gathered()
    lines += [f"unknown: {row['field']}: {row['reason']}{_remedy(row)}" for row in unknown]
    if cursor:
        structured["nextCursor"] = cursor
        lines.append(f'More: call again with cursor="{cursor}"')
    if unknown:
        structured["unknown"] = unknown
    return Answer(structured, sendable("\n".join(lines)))


def _remedy(row: Mapping[str, str]) -> str:
    return f" ({row['remedy']})" if row.get("remedy") else ""


def size(answer: Answer) -> int:
    """Measure an answer in the bytes that are sent: structured content and text together."""
    return _bytes(answer.structured) + _bytes(answer.text)


def _bytes(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


def sendable(text: str) -> str:
    """Replace halves of surrogate pairs: a forge may send them, and UTF-8 cannot."""
    return text if text.isascii() else text.encode(errors="replace").decode()


_NAMES: dict[type, dict[str, str]] = {}


def _names(cls: type) -> dict[str, str]:
    """Give an attrs class's fields with their names on the wire, worked out once a class."""
    if cls not in _NAMES:
        _NAMES[cls] = {name: noted(hint).name or name for name, hint in hints_of(cls).items()}
    return _NAMES[cls]


@frozen
class _Encoding:
    """One walk from attrs to JSON; unknowns met on the way are kept with their place."""

    unknown: list[tuple[tuple[str, ...], Unknown]] = field(factory=list)

    def encode(self, value: Any, path: tuple[str, ...]) -> Any:
        if type(value) is str:  # most of what is sent
            return sendable(value)
        if isinstance(value, Unknown):
            return value.shown
        if value is None or isinstance(value, str | bool | int | float | Enum | datetime):
            return _scalar(value)
        if attrs.has(type(value)) and not isinstance(value, Page):
            return self._object({wire: getattr(value, name) for name, wire in _names(type(value)).items()}, path)
        if isinstance(value, Mapping):
            return self._object(value, path)
        if isinstance(value, Page | Sequence | set | frozenset):
            here = [(item, (*path, str(index))) for index, item in enumerate(value)]
            return [self.encode(item, place) for item, place in here if self._is_shown(item, place)]
        raise InternalError(f"{type(value).__name__} has no place in a result")

    def _object(self, fields: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
        encoded = {}
        for name, value in fields.items():
            here = (*path, name)
            if value is not None and self._is_shown(value, here):
                encoded[sendable(name)] = self.encode(value, here)
        return encoded

    def _is_shown(self, value: Any, path: tuple[str, ...]) -> bool:
        """Note what is not known; it is left out, unless it has a value to show."""
        if not isinstance(value, Unknown):
            return True
        self.unknown.append((path, value))
        return value.shown is not None

    def gathered(self) -> list[dict[str, str]]:
        """List the unknowns; equal ones of several items fold to one: `threads[*].resolved`."""
        by_reason: dict[tuple[tuple[str, ...], str, str], list[tuple[str, ...]]] = {}
        for path, value in self.unknown:
            family = tuple("*" if part.isdigit() else part for part in path)
            by_reason.setdefault((family, value.reason, value.remedy), []).append(path)
        rows = []
        for (family, reason, remedy), paths in by_reason.items():
            row = {"field": _written(family if len(paths) > 1 else paths[0]), "reason": reason, "remedy": remedy}
            rows.append({name: sendable(text) for name, text in row.items() if text or name != "remedy"})
        return rows


def _scalar(value: Any) -> Any:
    if isinstance(value, Enum):
        return _scalar(value.value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"  # strftime cuts year 0001
    return sendable(value) if isinstance(value, str) else value


def _written(path: tuple[str, ...]) -> str:
    text = "".join(f"[{part}]" if part == "*" or part.isdigit() else f".{part}" for part in path)
    return text.removeprefix(".")
