"""From a handler's result, or an error, to what is sent: within its budget, and each cut said."""

from collections.abc import Mapping
from typing import Any

import attrs

from stithy_core.errors import InternalError
from stithy_core.redaction import in_texts, redact
from stithy_core.spi import Page
from stithy_core.tools.answers import Answer
from stithy_core.tools.composing import alone, size
from stithy_core.tools.encoding import Encoding
from stithy_core.tools.notes import lines, notes
from stithy_core.tools.pages import Cut, Paged
from stithy_core.tools.shape import fields_of
from stithy_core.tools.trimming import fitted

__all__ = ["Cut", "render", "render_error", "size"]

USUAL = 16_384


def render(result: object, cut: Cut) -> Answer:
    """Turn a result into an answer that keeps within its budget.

    What is too large is cut at the items of its pages first. One item alone, and a result without a page, are cut
    inside of their long texts, and at last inside of their lists. What names, places or decides something is never
    cut: an answer is larger than its budget only where it has nothing else.

    Raises:
        InternalError: The result is no attrs class with `render`.
    """
    if not attrs.has(type(result)) or not hasattr(result, "render"):
        raise InternalError(f"a handler returned {type(result).__name__}, which is no attrs class with render()")
    pages = [field for field in fields_of(type(result)) if isinstance(getattr(result, field.name), Page)]
    return Paged(result, pages, cut).largest() if pages else alone(result, cut.budget)


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
        if structured.get("retry_after"):
            said.append(f"Retry after {structured['retry_after']:g} seconds.")
        return Answer(structured | found, "\n".join((*said, *lines(found))), is_error=True)

    try:
        whole = answer(error)
    except (InternalError, RecursionError, ValueError):
        return render_error({name: value for name, value in error.items() if name != "details"})
    if size(whole) <= USUAL:
        return whole
    return answer(fitted(error, lambda copy: size(answer(copy)) <= USUAL, USUAL))
