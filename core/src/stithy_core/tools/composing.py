"""Answers put together: the object, and beside it the text with its share of the budget."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, takewhile
from math import inf
from typing import Any, cast

from attrs import evolve

from stithy_core.sanitize import clean, sendable
from stithy_core.spi import Hint
from stithy_core.tools.answers import Answer
from stithy_core.tools.cutting import cost, cut_text
from stithy_core.tools.encoding import Encoding, Short
from stithy_core.tools.notes import lines, notes
from stithy_core.tools.schema import HINTS
from stithy_core.tools.trimming import SHORTEST, Trim, cleaned, fitted

SHARE = 2
"""The text has at most half of the budget, and the object what the text leaves: it is what has everything."""
WIDEST = 6
"""Bytes of the longest escape."""
LADDER = (2_048, 1_024, 512, 256, 128, SHORTEST)


def size(answer: Answer) -> int:
    """Measure an answer in the bytes that are sent: structured content and text together."""
    return cost(answer.structured) + cost(answer.text)


def fits(text: str, most: float) -> bool:
    """Say whether a text takes at most so many bytes; one that is short enough in any case is not measured."""
    return len(text) * WIDEST + len('""') <= most or cost(text) <= most


def alone(result: Any, budget: int, cursor: str = "", more: Iterable[Short] = ()) -> Answer:
    """Give the answer of what has no items to leave out.

    Args:
        result: What is sent.
        budget: How many bytes the answer may have.
        cursor: How to go on; empty where nothing follows.
        more: What was cut already.
    """

    def made(copy: Any, most: float) -> Answer | None:
        met = Encoding(cuts=list(more))
        structured = met.encode(copy, ())
        own = cost(structured)
        if own > most:  # then its text is not even asked for
            return None
        answer = answer_of(copy, structured, met, cursor, budget)
        if not fits(answer.text, budget):
            answer = evolve(answer, text=_first_lines(answer, budget // SHARE))
        whole = own if answer.structured is structured else cost(answer.structured)
        return answer if fits(answer.text, most - whole) else None

    if whole := made(result, budget):
        return whole
    short = fitted(result, lambda copy: made(copy, budget) is not None, budget)
    return made(short, budget) or cast("Answer", made(short, inf))


def answer_of(result: Any, structured: dict[str, Any], met: Encoding, cursor: str, budget: int) -> Answer:
    """Put an answer together; its text keeps within its share wherever shorter texts can do that.

    Args:
        result: What is sent.
        structured: The same as JSON.
        met: What was met on the way from the one to the other.
        cursor: How to go on; empty where nothing follows.
        budget: How many bytes the answer may have.
    """
    found = notes(met, cursor, structured)
    said = list(lines(found)) if found else ()
    rendered = _rendered(result, met)
    if hints := [line for line in rendered if isinstance(line, Hint)]:
        found[HINTS] = _joined(structured.get(HINTS), hints)
    text = _text(rendered, said, met)
    share = budget // SHARE
    if not fits(text, share):
        text = _shorter(result, said, met, share) or text
    return Answer(structured | found if found else structured, text)


def _shorter(result: Any, said: Sequence[str], met: Encoding, most: int) -> str:
    """Give the text of a result with its long texts cut as little as will do; nothing where that changes nothing."""
    text = ""
    for texts in reversed(LADDER):
        short = Trim(texts)(result)
        if short is result:
            break
        longer = _text(_rendered(short, met), said, met)
        if text and cost(longer) > most:
            break
        text = longer
    return text


def _joined(own: Any, hints: Sequence[str]) -> Any:
    """Return the note: a result may have one of its own, and its hints stand behind that."""
    if own is not None and not isinstance(own, str):
        return own
    return "\n".join((*([own] if own else []), *(sendable(clean(hint)) for hint in hints)))


def _rendered(result: Any, met: Encoding) -> list[str]:
    """Return the lines of a result; where a text repeats hidden characters of the caller, all others are clean."""
    return list((cleaned(result) if met.echoes_hidden else result).render())


def _text(rendered: Sequence[str], said: Iterable[str], met: Encoding) -> str:
    """Return the text: without hidden characters, but for what the caller wrote."""
    text = "\n".join((*rendered, *said))
    return sendable(text if met.echoes_hidden else clean(text))


def _first_lines(made: Answer, most: int) -> str:
    """Keep whole lines from the beginning, for a result whose text is larger than all that it says, and all notes."""
    said = list(lines(made.structured))
    whole = made.text.removesuffix("\n".join(said)).rstrip("\n").split("\n")
    ends = accumulate(cost(line) for line in whole)
    kept = sum(1 for _ in takewhile(lambda end: end <= most, ends))
    first = whole[:kept] or [cut_text(whole[0], most)]
    return "\n".join((*first, f"… {len(whole) - len(first)} more lines; the object has what they say", *said))
