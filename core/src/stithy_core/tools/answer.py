"""The answer to a call: created from its result or error, within its budget, with the notes of the call.

A start imports none of it: `Executor` does so at the first answer.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, takewhile
from math import inf
from typing import Any, TypeAlias, cast

import attrs
from attrs import evolve, frozen

from stithy_core.errors import InternalError
from stithy_core.redaction import in_texts, redact
from stithy_core.sanitize import clean, sendable
from stithy_core.spi import BYTE_BUDGET, Hint, Page, ToolAnswer, ToolCall
from stithy_core.spi.tools import json_bytes
from stithy_core.tools.cursors import Position
from stithy_core.tools.schema import HINTS
from stithy_core.tools.serialize import CutRecord, Serializer, build_annotations, format_annotations
from stithy_core.tools.shrink import (
    SHORTEST,
    FieldNotes,
    Shrinker,
    field_notes,
    remove_hidden,
    replace_field,
    shorten_texts,
    shrink_to_fit,
    truncate_text,
)


def note_bytes(call: ToolCall, *, text_alone: bool = False) -> int:
    """Return how many bytes of the answer's budget the notes of a call take, with those that are reserved."""
    if not call.notes:
        return call.reserved
    return call.reserved + (0 if text_alone else json_bytes(_fields(call))) + json_bytes(_lines(call))


def add_notes(answer: ToolAnswer, call: ToolCall) -> ToolAnswer:
    """Return an answer with the notes of its call."""
    text = f"{answer.text}\n{_lines(call)}"
    return evolve(answer, structured={**answer.structured, **_fields(call)}, text=text)


def _fields(call: ToolCall) -> dict[str, Any]:
    return {name: in_texts(value, lambda text: sendable(clean(text))) for name, (value, _) in call.notes.items()}


def _lines(call: ToolCall) -> str:
    return "\n".join(sendable(clean(line)) for _, line in call.notes.values() if line)


SHARE = 2
"""Beside an object the text has at most half of the budget, and the object what the text leaves: it has everything."""
WIDEST = 6
"""Bytes of the longest escape."""
LADDER = (2_048, 1_024, 512, 256, 128, SHORTEST)


def answer_bytes(answer: ToolAnswer) -> int:
    """Return the size of an answer in the bytes that are sent: structured content and text together."""
    return json_bytes(answer.structured) + json_bytes(answer.text)


def fits_in(text: str, most: float) -> bool:
    """Return whether a text takes at most so many bytes; a text that is short enough in any encoding is not encoded."""
    return len(text) * WIDEST + len('""') <= most or json_bytes(text) <= most


@frozen
class Budget:
    """The size that an answer may have.

    Args:
        bytes: The largest size of what is sent.
        text_alone: Whether the text is sent without the object.
    """

    bytes: int
    text_alone: bool = False

    @property
    def text(self) -> int:
        """The largest size of the text."""
        return self.bytes if self.text_alone else self.bytes // SHARE

    def object_bytes(self, structured: Mapping[str, Any]) -> int:
        """Return the bytes of an object: none where it is not sent."""
        return 0 if self.text_alone else json_bytes(structured)


def render_whole(result: Any, budget: Budget, cursor: str = "", more: Iterable[CutRecord] = ()) -> ToolAnswer:
    """Return the answer for a result without a page, or with a single item left.

    Args:
        result: The result.
        budget: The size of the answer.
        cursor: The cursor of the next page; empty where nothing follows.
        more: Cuts that were made before.
    """

    def build(copy: Any, most: float) -> ToolAnswer | None:
        serializer = Serializer(cuts=list(more))
        structured = serializer.encode(copy, ())
        own = budget.object_bytes(structured)
        if own > most:  # its text is not rendered then
            return None
        answer = build_answer(copy, structured, serializer, cursor, budget)
        if not fits_in(answer.text, budget.bytes) and not (budget.text_alone and most < inf):
            answer = evolve(answer, text=_first_lines(answer, budget))
        whole = own if answer.structured is structured else budget.object_bytes(answer.structured)
        return answer if fits_in(answer.text, most - whole) else None

    if whole := build(result, budget.bytes):
        return whole
    short = shrink_to_fit(result, lambda copy: build(copy, budget.bytes) is not None, budget.bytes)
    return build(short, budget.bytes) or cast("ToolAnswer", build(short, inf))


def build_answer(
    result: Any, structured: dict[str, Any], serializer: Serializer, cursor: str, budget: Budget
) -> ToolAnswer:
    """Return the answer for a result. Beside an object, long texts are cut where the text would exceed its share.

    Args:
        result: The result.
        structured: The result as JSON.
        serializer: The conversion to JSON, with what it collected.
        cursor: The cursor of the next page; empty where nothing follows.
        budget: The size of the answer.
    """
    annotations = build_annotations(serializer, cursor, structured)
    notes = list(format_annotations(annotations)) if annotations else ()
    rendered = _render_lines(result, serializer)
    if hints := [line for line in rendered if isinstance(line, Hint)]:
        annotations[HINTS] = _join_hints(structured.get(HINTS), hints)
    text = _join_text(rendered, notes, serializer)
    if not budget.text_alone and not fits_in(text, budget.text):  # where no object has the rest, cuts are recorded
        text = _shorten_answer(result, notes, serializer, budget.text) or text
    return ToolAnswer(structured | annotations if annotations else structured, text)


def _shorten_answer(result: Any, notes: Sequence[str], serializer: Serializer, most: int) -> str:
    """Return the text of a result with its long texts cut as little as necessary; empty where none is cut."""
    text = ""
    for texts in reversed(LADDER):
        short = Shrinker(texts)(result)
        if short is result:
            break
        longer = _join_text(_render_lines(short, serializer), notes, serializer)
        if text and json_bytes(longer) > most:
            break
        text = longer
    return text


def _join_hints(own: Any, hints: Sequence[str]) -> Any:
    """Return the hints of an answer: after the result's own field of that name, if it has one."""
    if own is not None and not isinstance(own, str):
        return own
    return "\n".join((*([own] if own else []), *(sendable(clean(hint)) for hint in hints)))


def _render_lines(result: Any, serializer: Serializer) -> list[str]:
    """Return the lines of a result. Where it repeats hidden characters of the caller, these stay, and all others go."""
    return list((remove_hidden(result) if serializer.echoes_hidden else result).render())


def _join_text(rendered: Sequence[str], notes: Iterable[str], serializer: Serializer) -> str:
    """Return the text without hidden characters, except where it repeats what the caller wrote."""
    text = "\n".join((*rendered, *notes))
    return sendable(text if serializer.echoes_hidden else clean(text))


def _first_lines(answer: ToolAnswer, budget: Budget) -> str:
    """Return the first lines that fit, and all notes, for a result whose text is larger than its JSON."""
    most, place = budget.text, "" if budget.text_alone else "; the object has what they say"
    notes = list(format_annotations(answer.structured))
    whole = answer.text.removesuffix("\n".join(notes)).rstrip("\n").split("\n")
    ends = accumulate(json_bytes(line) for line in whole)
    kept = sum(1 for _ in takewhile(lambda end: end <= most, ends))
    first = whole[:kept] or [truncate_text(whole[0], most)]
    return "\n".join((*first, f"… {len(whole) - len(first)} more lines{place}", *notes))


_Item: TypeAlias = tuple[FieldNotes, Any]
"""A field with a page, and one of the page's items."""
LEAST = 16
"""Smallest encoded size of an item, in bytes: a page with more items than budget / LEAST cannot fit."""
FIRST = 64
"""Items that are rendered at first where the text alone is sent."""


@frozen
class PageCut:
    """How to cut pages.

    Args:
        budget: The size of the answer.
        begin: Returns the index of the first item to send.
        mint: Creates the cursor for the next page; None where the tool takes no cursor.
    """

    budget: Budget
    begin: Callable[["Page[Any]"], int]
    mint: Callable[[Position], str] | None


class PagedResult:
    """A result with one or several pages, which are cut as if they were one list.

    Args:
        result: What a handler returned.
        fields: The fields that have a page, at least one.
        cut: How to cut them.
    """

    def __init__(self, result: Any, fields: Sequence[FieldNotes], cut: PageCut) -> None:
        self.fields, self.cut = fields, cut
        self.pages: dict[str, Page[Any]] = {field.name: getattr(result, field.name) for field in fields}
        self.page = _join_pages(fields, self.pages)
        self.begin = cut.begin(self.page)
        self.whole = self.around = result
        self.parts: list[tuple[FieldNotes, Serializer, list[Any]]] = []

    def largest(self) -> ToolAnswer:
        """Return the answer with the most items that fit: try all of them first, then search by bisection."""
        here = len(self.page.items) - self.begin
        most = here if self.page.limit is None else min(self.page.limit, here)
        budget = self.cut.budget
        if most <= (FIRST if budget.text_alone else budget.bytes // LEAST) and (whole := self._whole(most)):
            return whole
        self.around = _shorten_around(self._with(()), budget)
        too_many = self._count_by_text(most) if budget.text_alone else self._encode(most)
        attempt = self._whole if budget.text_alone else self._attempt
        best = attempt(too_many)
        fits = too_many if best else 0
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            if answer := attempt(middle):
                fits, best = middle, answer
            else:
                too_many = middle
        return best or render_whole(self._result(too_many), budget, *self._end(too_many))

    def _count_by_text(self, most: int) -> int:
        """Return a number of items that is too large for the text, or all of them; few more are rendered than fit."""
        count = min(most, FIRST)
        while count < most and self._whole(count):
            count = min(2 * count, most)
        return count

    def _encode(self, most: int) -> int:
        """Encode as many items as may fit, at least one if there is any, and return their number."""
        left = self.cut.budget.bytes - json_bytes(Serializer().encode(self.around, ()))
        counts: Counter[str] = Counter()
        for field, item in self._slice(most):
            serializer = Serializer()
            encoded = serializer.items([item], (field.wire,), field, first=counts[field.wire])
            counts[field.wire] += len(encoded)
            left -= json_bytes(encoded) - 1  # its brackets, and a comma
            if left < 0 and self.parts:
                break
            self.parts.append((field, serializer, encoded))
        return len(self.parts)

    def _whole(self, most: int) -> ToolAnswer | None:
        """Return the answer with all items, which fits for most lists; None if it is too large."""
        result, serializer = self._result(most), Serializer()
        return self._fit_answer(result, serializer.encode(result, ()), serializer, most)

    def _attempt(self, count: int) -> ToolAnswer | None:
        """Return the answer with a number of items; None if it is too large."""
        serializer, parts = Serializer(), self.parts[:count]
        structured = serializer.encode(self.around, ())
        for field, part, encoded in parts:
            structured[field.wire] += encoded
            serializer.add(part)
        return self._fit_answer(self._result(count), structured, serializer, count)

    def _fit_answer(
        self, result: Any, structured: dict[str, Any], serializer: Serializer, count: int
    ) -> ToolAnswer | None:
        cursor, more = self._end(count)
        serializer.cuts += more
        budget = self.cut.budget
        own = budget.object_bytes(structured)
        if own > budget.bytes:
            return None
        answer = build_answer(result, structured, serializer, cursor, budget)
        left = budget.bytes - (own if answer.structured is structured else budget.object_bytes(answer.structured))
        return answer if fits_in(answer.text, min(left, budget.text)) else None

    def _slice(self, count: int) -> Sequence[_Item]:
        return self.page.items[self.begin : self.begin + count]

    def _result(self, count: int) -> Any:
        """Return the result with a number of items."""
        if count == len(self.page.items) and self.around is self.whole:
            return self.whole
        return self._with(self._slice(count))

    def _with(self, items: Sequence[_Item]) -> Any:
        """Return the result with these items in its pages."""
        result = self.around
        for field in self.fields:
            own = tuple(item for of, item in items if of is field)
            result = replace_field(result, field.name, replace_field(self.pages[field.name], "items", own))
        return result

    def _end(self, count: int) -> tuple[str, list[CutRecord]]:
        """Return how to go on after a number of items: the cursor, or the cuts where the tool takes no cursor."""
        seen, here = self.begin + count, len(self.page.items)
        if not count or (seen == here and not self.page.partial):
            return "", []
        if self.cut.mint is None:
            return "", list(self._shorts(count))
        return self.cut.mint(Position.at(seen, lambda index: self.page.key(self.page.items[index]))), []

    def _shorts(self, count: int) -> Iterator[CutRecord]:
        left = Counter(field.wire for field, _ in self._slice(count))
        for field in self.fields:
            page = self.pages[field.name]
            if left[field.wire] < len(page.items) or page.partial:
                yield CutRecord((field.wire,), left[field.wire], page.total or len(page.items), field.rest)


def _join_pages(fields: Sequence[FieldNotes], pages: Mapping[str, Page[Any]]) -> Page[_Item]:
    """Join pages into one, each of whose items is paired with its field."""
    limits = [page.limit for page in pages.values() if page.limit is not None]
    return Page(
        [(field, item) for field in fields for item in pages[field.name].items],
        key=lambda item: pages[item[0].name].key(item[1]),
        partial=any(page.partial for page in pages.values()),
        limit=min(limits, default=None),
    )


def _shorten_around(result: Any, budget: Budget) -> Any:
    """Return a result without items; its texts are cut if they would leave less than half of the budget."""

    def leaves_half(copy: Any) -> bool:
        serializer = Serializer()
        structured = serializer.encode(copy, ())
        around = _join_text(_render_lines(copy, serializer), (), serializer) if budget.text_alone else structured
        return json_bytes(around) <= budget.bytes // 2

    return result if leaves_half(result) else shorten_texts(result, leaves_half, budget.bytes) or result


def render(result: object, cut: PageCut) -> ToolAnswer:
    """Return the answer for a result, within its budget.

    A result that is too large loses items of its pages first. A single item, or a result without a page, loses the ends
    of its long texts, and at last items of its lists. Names, places and decisions are never cut, so an answer is larger
    than its budget only where it has nothing else.

    Raises:
        InternalError: The result is not an attrs class with `render`.
    """
    if not attrs.has(type(result)) or not hasattr(result, "render"):
        raise InternalError(f"a handler returned {type(result).__name__}, not an attrs class with render()")
    pages = [field for field in field_notes(type(result)) if isinstance(getattr(result, field.name), Page)]
    return PagedResult(result, pages, cut).largest() if pages else render_whole(result, cut.budget)


ERRORS = "errors"
"""The detail that lists invalid arguments; the message joins the messages of all of them."""


def render_error(error: Mapping[str, Any], *, text_alone: bool = False) -> ToolAnswer:
    """Return the answer for an error: without secrets, and within the usual budget.

    Args:
        error: What `StithyError.as_dict` returns; details that JSON cannot hold are left out.
        text_alone: Whether the text is sent without the object: then it has the code, the category and the details.
    """

    def answer(copy: Mapping[str, Any]) -> ToolAnswer:
        serializer = Serializer()
        structured = in_texts(serializer.encode(copy, ()), redact)
        annotations = build_annotations(serializer, "", structured)
        lines = [structured[name] for name in ("error", "suggestion") if name in structured]
        if structured.get("retry_after"):
            lines.append(f"Retry after {structured['retry_after']:g} seconds.")
        if text_alone:
            lines.append(_format_facts(structured, "\n".join(lines)))
        return ToolAnswer(
            structured | annotations, "\n".join((*lines, *format_annotations(annotations))), is_error=True
        )

    def fits(copy: Mapping[str, Any]) -> bool:
        whole = answer(copy)
        return (json_bytes(whole.text) if text_alone else answer_bytes(whole)) <= BYTE_BUDGET

    try:
        whole = answer(error)
    except (InternalError, RecursionError, ValueError):
        return render_error({name: value for name, value in error.items() if name != "details"}, text_alone=text_alone)
    return whole if fits(error) else answer(shrink_to_fit(error, fits, BYTE_BUDGET))


def _format_facts(structured: Mapping[str, Any], text: str) -> str:
    """Return an error's code and category, and its details, except those that are in its text."""
    facts = {name: structured[name] for name in ("code", "category") if name in structured}
    details = structured.get("details", {})
    facts |= {name: details[name] for name in details if name != ERRORS}
    written = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in facts.items()
    }
    return ", ".join(f"{name}: {value}" for name, value in written.items() if value not in text)
