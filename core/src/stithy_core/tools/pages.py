"""A page cut at its items: as many as the budget allows, and how to go on behind them."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from stithy_core.spi import Page
from stithy_core.tools.answers import Answer
from stithy_core.tools.composing import SHARE, alone, answer_of, fits
from stithy_core.tools.cursors import Position
from stithy_core.tools.cutting import cost
from stithy_core.tools.encoding import Encoding, Short
from stithy_core.tools.shape import Field
from stithy_core.tools.trimming import with_field, with_short_texts

LEAST = 16
"""No item with anything in it takes less bytes, so that what has more of them need not be tried whole."""


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


class Paged:
    """A result with a page.

    Args:
        result: What a handler gave.
        field: The field that has the page.
        cut: How to cut it.
    """

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
        return best or alone(self._result(too_many), self.cut.budget, *self._end(too_many))

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
        own = cost(structured)
        if own > self.cut.budget:
            return None
        answer = answer_of(result, structured, met, cursor, self.cut.budget)
        room = self.cut.budget - (own if answer.structured is structured else cost(answer.structured))
        return answer if fits(answer.text, min(room, self.cut.budget // SHARE)) else None

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

    def leaves_half(copy: Any) -> bool:
        return cost(Encoding().encode(copy, ())) <= budget // 2

    return result if leaves_half(result) else with_short_texts(result, leaves_half, budget) or result
