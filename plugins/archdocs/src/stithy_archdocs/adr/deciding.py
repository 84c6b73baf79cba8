"""From a record's text to what only a decision record has."""

import re
from datetime import date

from attrs import frozen

from stithy_archdocs.adr.dates import first_date
from stithy_archdocs.adr.header import Field, fields
from stithy_archdocs.adr.links import links
from stithy_archdocs.adr.options import options
from stithy_archdocs.adr.source import Source
from stithy_archdocs.adr.status import status
from stithy_archdocs.records import Decision, Problem

_DATES = ("date", "decision_date", "decided", "decided_on", "created", "last_date")
_DECIDERS = (
    "deciders",
    "decider",
    "decision_makers",
    "decision_maker",
    "approvers",
    "approver",
    "authors",
    "author",
    "owners",
    "owner",
)
_REVIEWS = (
    "review",
    "review_date",
    "review_by",
    "review_on",
    "next_review",
    "revisit",
    "revisit_on",
    "revisit_by",
    "expires",
)
_DATE_TITLE = re.compile(r"^[\W\d_]*(?:decision |last )?date\W*$", re.IGNORECASE)
_DECIDER_TITLE = re.compile(r"^[\W\d_]*(?:deciders?|decision[- ]makers?)\W*$", re.IGNORECASE)
_NAMES = re.compile(r"\s*(?:,|;|\s&\s|\sand\s|<br\s*/?>)\s*")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_TEMPLATE = re.compile(r"^\W*[{<\[]|yyyy|list everyone", re.IGNORECASE)


@frozen
class Decided:
    """A decision, and what is wrong with its record."""

    decision: Decision
    problems: tuple[Problem, ...]


def decide(source: Source, numbers: tuple[str, ...], dated: str, *, default: bool) -> Decided:
    """Read a record.

    Args:
        source: Its text.
        numbers: Under which it may be asked for.
        dated: The name of its file, which may begin with a date.
        default: Whether a missing status means accepted.
    """
    header = fields(source)
    linked = links(source, header)
    standing, problems = status(source, header, linked, default=default)
    decision = Decision(
        numbers=numbers,
        status=standing,
        date=_date(source, header) or _of_name(dated),
        deciders=_deciders(source, header),
        review=next((when for field in header if field.key in _REVIEWS and (when := first_date(field.value))), None),
        links=linked,
        options=options(source),
    )
    return Decided(decision, tuple(problems))


def _date(source: Source, header: list[Field]) -> date | None:
    """Give the record's own date; one in a status is the status's."""
    for key in _DATES:
        for field in header:
            if field.key == key and (when := first_date(field.value)):
                return when
    for section in source.parts(_DATE_TITLE):
        for line in source.within(section):
            if when := first_date(line.text):
                return when
    return None


def _of_name(name: str) -> date | None:
    found = re.match(r"(?:19|20)\d\d-?\d\d-?\d\d(?!\d)", name)
    return first_date(found[0]) if found else None


def _deciders(source: Source, header: list[Field]) -> tuple[str, ...]:
    for key in _DECIDERS:
        given = [field.value for field in header if field.key == key]
        if names := _people(given):
            return names
    for section in source.parts(_DECIDER_TITLE):
        return _people([re.sub(r"^\s*[-*+]\s+", "", line.text) for line in source.within(section)])
    return ()


def _people(given: list[str]) -> tuple[str, ...]:
    names = [
        name.strip(" *_[]'\"`")
        for text in given
        if not _TEMPLATE.match(_LINK.sub(r"\1", text))
        for name in _NAMES.split(_LINK.sub(r"\1", text))
    ]
    return tuple(dict.fromkeys(name for name in names if name))[:50]
