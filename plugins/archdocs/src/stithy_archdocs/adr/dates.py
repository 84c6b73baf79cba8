"""Dates as people write them; what can be read in two ways is none."""

import re
from datetime import date

_MONTHS = dict(zip("jan feb mar apr may jun jul aug sep oct nov dec".split(), range(1, 13), strict=True))  # noqa: SIM905 -- a line
_YEAR_FIRST = re.compile(r"(?<!\d)((?:19|20)\d\d)([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[\s.-]+(?:of\s+)?([A-Za-z]{3,9})[,.\s-]+((?:19|20)\d\d)(?!\d)"
)
_MONTH_FIRST = re.compile(r"\b([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)(?!\d)")
_DOTTED = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?!\d)")
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})[/-](\d{1,2})[/-]((?:19|20)\d\d)(?!\d)")


def first_date(text: str) -> date | None:
    """Give the first date of a text."""
    if found := _YEAR_FIRST.search(text):
        return _made(found[1], found[3], found[4])
    if found := _DAY_FIRST.search(text):
        return _made(found[3], _month(found[2]), found[1])
    if found := _MONTH_FIRST.search(text):
        return _made(found[3], _month(found[1]), found[2])
    if found := _DOTTED.search(text):
        return _made(found[3], found[2], found[1])
    if (found := _SLASHED.search(text)) and (int(found[1]) > 12 or int(found[2]) > 12 or found[1] == found[2]):  # noqa: PLR2004 -- no month
        day, month = sorted((int(found[1]), int(found[2])), reverse=True)
        return _made(found[3], month, day)
    return None


def _month(name: str) -> int:
    return _MONTHS.get(name[:3].lower(), 0)


def _made(year: str, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
