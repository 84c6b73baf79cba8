"""Parse what only decision records have.

The entry point of this package: `documents` calls `decide` and nothing else to read a record.
"""

import re
from datetime import date
from functools import lru_cache

from attrs import frozen

from stithy_archdocs.adr.header_fields import HeaderField, parse_header
from stithy_archdocs.adr.option_parser import parse_options
from stithy_archdocs.adr.record_dates import parse_first_date
from stithy_archdocs.adr.record_links import parse_links
from stithy_archdocs.adr.record_source import RecordSource
from stithy_archdocs.adr.status_parser import parse_status
from stithy_archdocs.document_models import Decision, DecisionStatus, DocumentProblem

_DATES = ("date", "adr_date", "decision_date", "decided", "decided_on", "created", "last_date")
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
_LINK = re.compile(r"\[([^\]]{0,300})\]\([^)]{0,500}\)")
_TEMPLATE = re.compile(r"^\W*[{<\[]|yyyy|list everyone", re.IGNORECASE)


@frozen
class ParsedDecision:
    """A parsed decision, and the problems found in its record."""

    decision: Decision
    problems: tuple[DocumentProblem, ...]


def parse_decision(source: RecordSource, numbers: tuple[str, ...], dated: str, *, default: bool) -> ParsedDecision:
    """Parse a decision record.

    Args:
        source: The text of the record.
        numbers: The numbers by which it can be requested.
        dated: The file name, which may begin with a date.
        default: Whether a record without a status counts as accepted.
    """
    header = parse_header(source)
    linked = parse_links(source, header)
    standing, problems = parse_status(source, header, linked, default=default)
    decision = Decision(
        numbers=numbers,
        status=_share_status(standing),
        date=_parse_date(source, header) or _parse_file_date(dated),
        deciders=_parse_deciders(source, header),
        review=next(
            (when for field in header if field.key in _REVIEWS and (when := parse_first_date(field.value))), None
        ),
        links=linked,
        options=parse_options(source),
    )
    return ParsedDecision(decision, tuple(problems))


@lru_cache(maxsize=256)
def _share_status(status: DecisionStatus) -> DecisionStatus:
    """Return one object for equal statuses: records of one template have the same status in the same line."""
    return status


def _parse_date(source: RecordSource, header: list[HeaderField]) -> date | None:
    """Return the date of the record itself; a date in its status belongs to the status."""
    for key in _DATES:
        for field in header:
            if field.key == key and (when := parse_first_date(field.value)):
                return when
    for section in source.find_sections(_DATE_TITLE):
        for line in source.get_lines(section):
            if when := parse_first_date(line.text):
                return when
    return None


def _parse_file_date(name: str) -> date | None:
    found = re.match(r"(?:19|20)\d\d-?\d\d-?\d\d(?!\d)", name)
    return parse_first_date(found[0]) if found else None


def _parse_deciders(source: RecordSource, header: list[HeaderField]) -> tuple[str, ...]:
    for key in _DECIDERS:
        given = [field.value for field in header if field.key == key]
        if names := _split_names(given):
            return names
    for section in source.find_sections(_DECIDER_TITLE):
        return _split_names([re.sub(r"^\s*[-*+]\s+", "", line.text) for line in source.get_lines(section)])
    return ()


def _split_names(given: list[str]) -> tuple[str, ...]:
    names = [
        name.strip(" *_[]'\"`")
        for text in given
        if not _TEMPLATE.match(_LINK.sub(r"\1", text))
        for name in _NAMES.split(_LINK.sub(r"\1", text))
    ]
    return tuple(dict.fromkeys(name for name in names if name))[:50]
