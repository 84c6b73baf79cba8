# ruff: noqa: RUF001 -- people write these apostrophes
"""Find options by number or letter: "option 2", "alternatives A and C", "the second option"."""

import re
from collections import Counter
from collections.abc import Sequence

from stithy_archdocs.adr.option_candidates import OptionCandidate

_KIND = r"(?i:option|alternative|solution|approach|variant|choice|proposal|scenario)"
_ONE = r"#?(?:[A-Z]?\d{1,2}|[A-Z]|[b-h])\b(?!\.\d|['’])"
_NEXT = rf"(?:\)?\s*(?:,\s*(?:and\s)?|and|&|\+)\s*(?:{_KIND}\s*)?\(?{_ONE})"
_PLACE = re.compile(
    rf"\b{_KIND}s?\s*(?:[Nn]o\.?|[Nn]umber|:)?\s*\(?(?P<ones>{_ONE}{_NEXT}{{0,9}})"
    rf"|\b(?P<nth>(?i:first|second|third|fourth|fifth)|1st|2nd|3rd|4th|5th)\s+{_KIND}\b"
)
_LABEL = re.compile(r"\b(?:[A-Za-z]?\d{1,2}|[A-Za-z])\b")
_NTH = ("first", "second", "third", "fourth", "fifth")


def find_by_label(text: str, known: Sequence[OptionCandidate]) -> list[OptionCandidate] | None:
    """Return the options that a statement names by number or letter.

    Args:
        text: The statement.
        known: The options of the record, in order.

    Returns:
        None if it names none by label; an empty list if it names several without joining them, or one that does
        not exist.
    """
    places = [[_get_by_label(label, known) for label in _parse_labels(found)] for found in _PLACE.finditer(text)]
    named = [place for at, place in enumerate(places) if any(place) and place not in places[:at]]
    if not named:
        return None
    return [one for one in named[0] if one] if len(named) == 1 and all(named[0]) else []


def is_label_only(text: str) -> bool:
    """Return whether a text is only a number or letter, which means nothing without a list."""
    found = _PLACE.match(text)
    return found is not None and found.end() >= len(text.rstrip(" .")) - 2


def _parse_labels(found: "re.Match[str]") -> list[str]:
    if not found["nth"]:
        return [one.lower() for one in _LABEL.findall(found["ones"])]
    nth = found["nth"].lower()
    return [str(_NTH.index(nth) + 1) if nth in _NTH else nth[0]]


def _get_by_label(label: str, known: Sequence[OptionCandidate]) -> OptionCandidate | None:
    """Return the option with a label; if all items of a list have the same number (Markdown allows it), by position."""
    first = [one for one in known if one.group == known[0].group]
    if max(Counter(one.label for one in first).values()) == 1 and first[0].label:
        return next((one for one in known if one.label == label), None)
    if len(label) > 1 and not label.isdigit():
        return None
    place = int(label) - 1 if label.isdigit() else ord(label) - ord("a")
    return first[place] if 0 <= place < len(first) else None
