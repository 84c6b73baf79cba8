"""From a handler's result to what is sent: within its budget, each cut said, its lines as text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, takewhile
from typing import Any

import attrs
from attrs import evolve, frozen

from stithy_core.errors import InternalError
from stithy_core.redaction import in_texts, redact
from stithy_core.spi import Page
from stithy_core.tools.cursors import Position
from stithy_core.tools.cutting import cost, cut_text
from stithy_core.tools.encoding import Encoding, Short, sendable
from stithy_core.tools.hygiene import clean
from stithy_core.tools.notes import lines, notes
from stithy_core.tools.shape import Field, fields_of
from stithy_core.tools.trimming import SHORTEST, Trim, cleaned, fitted, with_field, with_short_texts

USUAL = 16_384
SHARE = 2
"""The text has at most half of the budget, and the object what the text leaves: it is what has everything."""
LEAST = 16
"""No item with anything in it takes less bytes, so that what has more of them need not be tried whole."""
LADDER = (2_048, 1_024, 512, 256, 128, SHORTEST)


@frozen
class Answer:
    """What a call is answered with: an object for programs, and a short text that is enough to act on."""

    structured: Mapping[str, Any]
    text: str
    is_error: bool = False


@frozen
class Cut:
    """How to cut a page.

    Args:
        budget: How many bytes the answer may have.
        begin: Gives the index of the first item to send.
        mint: Writes the cursor that goes on; None where the tool takes none.
    """

    budget: int
    begin: Callable[["Page[Any]"], int]
    mint: Callable[[Position], str] | None


def render(result: object, cut: Cut) -> Answer:
    """Turn a result into an answer that keeps within its budget.

    What is too large is cut at the items of its page first. One item alone, and a result without a page, are cut inside
    of their long texts, and at last inside of their lists. What names, places or decides something is never cut: an
    answer is larger than its budget only where it has nothing else.

    Raises:
        InternalError: The result is no attrs class with `render`.
    """
    if not attrs.has(type(result)) or not hasattr(result, "render"):
        raise InternalError(f"a handler returned {type(result).__name__}, which is no attrs class with render()")
    page = next((field for field in fields_of(type(result)) if isinstance(getattr(result, field.name), Page)), None)
    return _alone(result, cut.budget) if page is None else _Paged(result, page, cut).largest()


def render_error(error: Mapping[str, Any]) -> Answer:
    """Turn a structured error into an answer without secrets that keeps within the usual budget.

    Args:
        error: What `StithyError.as_dict` gives; details that JSON does not have are left out.
    """

    def answer(copy: Mapping[str, Any]) -> Answer:
        met = Encoding()
        structured = in_texts(met.encode(copy, ()), redact)
        found = notes(met, "", structured)
        said = [structured[name] for name in ("error", "suggestion") if name in structured]
        return Answer(structured | found, "\n".join((*said, *lines(found))), is_error=True)

    try:
        whole = answer(error)
    except InternalError:
        return render_error({name: value for name, value in error.items() if name != "details"})
    if size(whole) <= USUAL:
        return whole
    return answer(fitted(error, lambda copy: size(answer(copy)) <= USUAL, USUAL))


def size(answer: Answer) -> int:
    """Measure an answer in the bytes that are sent: structured content and text together."""
    return cost(answer.structured) + cost(answer.text)


class _Paged:
    """A result with a page, each of whose items is encoded once."""

    def __init__(self, result: Any, field: Field, cut: Cut) -> None:
        self.field, self.cut = field, cut
        self.page: Page[Any] = getattr(result, field.name)
        self.begin = cut.begin(self.page)
        self.whole = self.around = result
        self.parts: list[tuple[Encoding, list[Any]]] = []

    def largest(self) -> Answer:
        """Find the longest page that fits: first all that may, then by halving."""
        here = len(self.page.items) - self.begin
        most = here if self.page.limit is None else min(self.page.limit, here)
        if most * LEAST <= self.cut.budget and (whole := self._whole(most)):
            return whole
        empty = with_field(self.around, self.field.name, with_field(self.page, "items", ()))
        self.around = _around(empty, self.cut.budget)
        too_many = self._encode(most)
        best = self._attempt(too_many)
        fits = too_many if best else 0
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            if answer := self._attempt(middle):
                fits, best = middle, answer
            else:
                too_many = middle
        return best or _alone(self._result(too_many), self.cut.budget, *self._end(too_many))

    def _encode(self, most: int) -> int:
        """Encode as many items as may fit, at least one if there is any, and give how many those are."""
        room = self.cut.budget - cost(Encoding().encode(self.around, ()))
        for index, item in enumerate(self.page.items[self.begin : self.begin + most]):
            met = Encoding()
            found = met.items([item], (self.field.wire,), self.field, first=index)
            room -= cost(found) - 1  # its brackets, and a comma
            if room < 0 and self.parts:
                break
            self.parts.append((met, found))
        return len(self.parts)

    def _whole(self, most: int) -> Answer | None:
        """Give the answer with all items in one go, as most lists are: unless it is too large."""
        result, met = self._result(most), Encoding()
        return self._fitting(result, met.encode(result, ()), met, most)

    def _attempt(self, count: int) -> Answer | None:
        """Give the answer with so many items, unless it is too large."""
        met, parts = Encoding(), self.parts[:count]
        structured = met.encode(self.around, ())
        structured[self.field.wire] = [item for _, found in parts for item in found]
        for part, _ in parts:
            met.add(part)
        return self._fitting(self._result(count), structured, met, count)

    def _fitting(self, result: Any, structured: dict[str, Any], met: Encoding, count: int) -> Answer | None:
        cursor, more = self._end(count)
        met.cuts += more
        answer = _answer(result, structured, met, cursor, self.cut.budget)
        fits = size(answer) <= self.cut.budget and cost(answer.text) <= self.cut.budget // SHARE
        return answer if fits else None

    def _result(self, count: int) -> Any:
        """Give the result with so many items."""
        if count == len(self.page.items) and self.around is self.whole:
            return self.whole
        items = self.page.items[self.begin : self.begin + count]
        return with_field(self.around, self.field.name, with_field(self.page, "items", items))

    def _end(self, count: int) -> tuple[str, list[Short]]:
        """Give how to go on behind so many items: the cursor, or where the tool takes none, that it was cut."""
        seen, here = self.begin + count, len(self.page.items)
        if not count or (seen == here and not self.page.partial):
            return "", []
        if self.cut.mint is None:
            return "", [Short((self.field.wire,), count, self.page.total or here, self.field.rest)]
        return self.cut.mint(Position.at(seen, lambda index: self.page.key(self.page.items[index]))), []


def _around(result: Any, budget: int) -> Any:
    """Cut the texts of a result with an empty page, if they would leave its items less than half of the budget."""

    def fits(copy: Any) -> bool:
        return cost(Encoding().encode(copy, ())) <= budget // 2

    return result if fits(result) else with_short_texts(result, fits, budget) or result


def _alone(result: Any, budget: int, cursor: str = "", more: Iterable[Short] = ()) -> Answer:
    """Give the answer of what has no items to leave out."""

    def answer(copy: Any) -> Answer:
        met = Encoding(cuts=list(more))
        made = _answer(copy, met.encode(copy, ()), met, cursor, budget)
        return made if cost(made.text) <= budget else evolve(made, text=_first_lines(made.text, budget // SHARE))

    whole = answer(result)
    if size(whole) <= budget:
        return whole
    return answer(fitted(result, lambda copy: size(answer(copy)) <= budget, budget))


def _answer(result: Any, structured: dict[str, Any], met: Encoding, cursor: str, budget: int) -> Answer:
    found = notes(met, cursor, structured)
    said = list(lines(found))
    text = _text(result, said, met)
    if cost(text) > budget // SHARE:
        text = _shorter(result, said, met, budget // SHARE) or text
    return Answer(structured | found, text)


def _shorter(result: Any, said: Sequence[str], met: Encoding, most: int) -> str:
    """Give the text of a result with its long texts cut as little as will do; nothing where that changes nothing."""
    text = ""
    for texts in reversed(LADDER):
        short = Trim(texts)(result)
        if short is result:
            break
        longer = _text(short, said, met)
        if text and cost(longer) > most:
            break
        text = longer
        if cost(text) > most:
            break
    return text


def _text(result: Any, said: Iterable[str], met: Encoding) -> str:
    """Give the lines of a result, and what is said of it; without hidden characters, but for what the caller wrote."""
    if met.echoes_hidden:
        return sendable("\n".join((*cleaned(result).render(), *said)))
    return sendable(clean("\n".join((*result.render(), *said))))


def _first_lines(text: str, most: int) -> str:
    """Keep whole lines from the beginning, for a result whose text is larger than all that it says."""
    whole = text.split("\n")
    ends = accumulate(cost(line) for line in whole)
    kept = sum(1 for _ in takewhile(lambda end: end <= most, ends))
    first = whole[:kept] or [cut_text(whole[0], most)]
    return "\n".join((*first, f"… {len(whole) - len(first)} more lines; the object has what they say"))
