"""Parse dates as people write them; an ambiguous date such as 03/04/2024 is not parsed."""

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


def parse_first_date(text: str) -> date | None:
    """Return the first date in a text; None if the text has no date, it is ambiguous, or it is not in the calendar."""
    if found := _YEAR_FIRST.search(text):
        return _make_date(found[1], found[3], found[4])
    if found := _DAY_FIRST.search(text):
        return _make_date(found[3], _get_month_number(found[2]), found[1])
    if found := _MONTH_FIRST.search(text):
        return _make_date(found[3], _get_month_number(found[1]), found[2])
    if found := _DOTTED.search(text):
        return _make_date(found[3], found[2], found[1])
    if (found := _SLASHED.search(text)) and (int(found[1]) > 12 or int(found[2]) > 12 or found[1] == found[2]):  # noqa: PLR2004 -- above 12 it can only be the day
        day, month = sorted((int(found[1]), int(found[2])), reverse=True)
        return _make_date(found[3], month, day)
    return None


def _get_month_number(name: str) -> int:
    return _MONTHS.get(name[:3].lower(), 0)


def _make_date(year: str, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
