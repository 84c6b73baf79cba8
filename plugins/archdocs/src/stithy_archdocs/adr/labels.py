# ruff: noqa: RUF001 -- people write these apostrophes
"""Options by number or letter: "option 2", "alternatives A and C", "the second option"."""

import re
from collections import Counter
from collections.abc import Sequence

from stithy_archdocs.adr.candidates import Candidate

_KIND = r"(?i:option|alternative|solution|approach|variant|choice|proposal|scenario)"
_ONE = r"#?(?:[A-Z]?\d{1,2}|[A-Z]|[b-h])\b(?!\.\d|['’])"
_NEXT = rf"(?:\)?\s*(?:,\s*(?:and\s)?|and|&|\+)\s*(?:{_KIND}\s*)?\(?{_ONE})"
_PLACE = re.compile(
    rf"\b{_KIND}s?\s*(?:[Nn]o\.?|[Nn]umber|:)?\s*\(?(?P<ones>{_ONE}{_NEXT}{{0,9}})"
    rf"|\b(?P<nth>(?i:first|second|third|fourth|fifth)|1st|2nd|3rd|4th|5th)\s+{_KIND}\b"
)
_LABEL = re.compile(r"\b(?:[A-Za-z]?\d{1,2}|[A-Za-z])\b")
_NTH = ("first", "second", "third", "fourth", "fifth")


def placed(text: str, known: Sequence[Candidate]) -> list[Candidate] | None:
    """Give the options that a statement names by number or letter.

    Args:
        text: The statement.
        known: The options of the record, in order.

    Returns:
        None where it names none so; nothing where it names several that it does not join, or one that is not there.
    """
    places = [[_at(label, known) for label in _labels(found)] for found in _PLACE.finditer(text)]
    named = [place for at, place in enumerate(places) if any(place) and place not in places[:at]]
    if not named:
        return None
    return [one for one in named[0] if one] if len(named) == 1 and all(named[0]) else []


def nameless(text: str) -> bool:
    """Tell whether a text is a number or letter alone, which says nothing where no list has it."""
    found = _PLACE.match(text)
    return found is not None and found.end() >= len(text.rstrip(" .")) - 2


def _labels(found: "re.Match[str]") -> list[str]:
    if not found["nth"]:
        return [one.lower() for one in _LABEL.findall(found["ones"])]
    nth = found["nth"].lower()
    return [str(_NTH.index(nth) + 1) if nth in _NTH else nth[0]]


def _at(label: str, known: Sequence[Candidate]) -> Candidate | None:
    """Give the option of a label; of lists that number all alike, as Markdown may, the one at its place."""
    first = [one for one in known if one.group == known[0].group]
    if max(Counter(one.label for one in first).values()) == 1 and first[0].label:
        return next((one for one in known if one.label == label), None)
    if len(label) > 1 and not label.isdigit():
        return None
    place = int(label) - 1 if label.isdigit() else ord(label) - ord("a")
    return first[place] if 0 <= place < len(first) else None
