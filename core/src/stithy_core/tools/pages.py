"""Pages cut at their items: as many as the budget allows, and how to go on behind them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from stithy_core.spi import Page
from stithy_core.tools.answers import Answer
from stithy_core.tools.composing import SHARE, alone, answer_of, fits
from stithy_core.tools.cursors import Position
from stithy_core.tools.cutting import cost
from stithy_core.tools.encoding import Encoding, Short
from stithy_core.tools.shape import Field
from stithy_core.tools.trimming import with_field, with_short_texts

_Item: TypeAlias = tuple[Field, Any]
"""An item, and the field whose page has it."""
LEAST = 16
"""No item with anything in it takes less bytes, so that what has more of them need not be tried whole."""


@frozen
class Cut:
    """How to cut pages.

    Args:
        budget: How many bytes the answer may have.
        begin: Gives the index of the first item to send.
        mint: Writes the cursor that goes on; None where the tool takes none.
    """

    budget: int
    begin: Callable[["Page[Any]"], int]
    mint: Callable[[Position], str] | None


class Paged:
    """A result with pages, of which each goes on where the one before it ends.

    Args:
        result: What a handler returned.
        fields: Those that have a page, in their order; at least one.
        cut: How to cut them.
    """

    def __init__(self, result: Any, fields: Sequence[Field], cut: Cut) -> None:
        self.fields, self.cut = fields, cut
        self.pages: dict[str, Page[Any]] = {field.name: getattr(result, field.name) for field in fields}
        self.page = _joined(fields, self.pages)
        self.begin = cut.begin(self.page)
        self.whole = self.around = result
        self.parts: list[tuple[Field, Encoding, list[Any]]] = []

    def largest(self) -> Answer:
        """Find the longest page that fits: first all that may, then by halving."""
        here = len(self.page.items) - self.begin
        most = here if self.page.limit is None else min(self.page.limit, here)
        if most * LEAST <= self.cut.budget and (whole := self._whole(most)):
            return whole
        self.around = _around(self._with(()), self.cut.budget)
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
        """Encode as many items as may fit, at least one if there is any, and return how many those are."""
        room = self.cut.budget - cost(Encoding().encode(self.around, ()))
        counts: Counter[str] = Counter()
        for field, item in self._slice(most):
            met = Encoding()
            found = met.items([item], (field.wire,), field, first=counts[field.wire])
            counts[field.wire] += 1
            room -= cost(found) - 1  # its brackets, and a comma
            if room < 0 and self.parts:
                break
            self.parts.append((field, met, found))
        return len(self.parts)

    def _whole(self, most: int) -> Answer | None:
        """Return the answer with all items in one go, as most lists are: unless it is too large."""
        result, met = self._result(most), Encoding()
        return self._fitting(result, met.encode(result, ()), met, most)

    def _attempt(self, count: int) -> Answer | None:
        """Return the answer with so many items, unless it is too large."""
        met, parts = Encoding(), self.parts[:count]
        structured = met.encode(self.around, ())
        for field, part, found in parts:
            structured[field.wire] += found
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

    def _slice(self, count: int) -> Sequence[_Item]:
        return self.page.items[self.begin : self.begin + count]

    def _result(self, count: int) -> Any:
        """Return the result with so many items."""
        if count == len(self.page.items) and self.around is self.whole:
            return self.whole
        return self._with(self._slice(count))

    def _with(self, items: Sequence[_Item]) -> Any:
        """Return the result with these items in its pages."""
        result = self.around
        for field in self.fields:
            own = tuple(item for of, item in items if of is field)
            result = with_field(result, field.name, with_field(self.pages[field.name], "items", own))
        return result

    def _end(self, count: int) -> tuple[str, list[Short]]:
        """Return how to go on behind so many items: the cursor, or where the tool takes none, which pages were cut."""
        seen, here = self.begin + count, len(self.page.items)
        if not count or (seen == here and not self.page.partial):
            return "", []
        if self.cut.mint is None:
            return "", list(self._shorts(count))
        return self.cut.mint(Position.at(seen, lambda index: self.page.key(self.page.items[index]))), []

    def _shorts(self, count: int) -> Iterator[Short]:
        left = Counter(field.wire for field, _ in self._slice(count))
        for field in self.fields:
            page = self.pages[field.name]
            if left[field.wire] < len(page.items) or page.partial:
                yield Short((field.wire,), left[field.wire], page.total or len(page.items), field.rest)


def _joined(fields: Sequence[Field], pages: Mapping[str, Page[Any]]) -> Page[_Item]:
    """Join pages to one, in which each item stands beside its field."""
    limits = [page.limit for page in pages.values() if page.limit is not None]
    return Page(
        [(field, item) for field in fields for item in pages[field.name].items],
        key=lambda item: pages[item[0].name].key(item[1]),
        partial=any(page.partial for page in pages.values()),
        limit=min(limits, default=None),
    )


def _around(result: Any, budget: int) -> Any:
    """Cut the texts of a result with an empty page, if they would leave its items less than half of the budget."""

    def leaves_half(copy: Any) -> bool:
        return cost(Encoding().encode(copy, ())) <= budget // 2

    return result if leaves_half(result) else with_short_texts(result, leaves_half, budget) or result
