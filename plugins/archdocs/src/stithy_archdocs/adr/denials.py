# ruff: noqa: RUF001 -- people write these dashes
"""Relations that a record denies: `Supersedes: None (extends ADR-0087)`, "this does not supersede ADR-3"."""

import re

_NONE = re.compile(
    r"[\s*_~(>\"':：=|]*(?:"
    r"(?:none|nil|null|nothing|nobody|neither|never|not|n[./]?a\.?|tbd|does(?: not|n['’]t)|isn['’]t)(?![A-Za-z0-9/-])"
    r"|nein\b|no(?=[\s*_]*(?:$|[.,;:(–—](?!\s?\d)|-\s(?!\d)|(?:other|existing|previous|prior|earlier|older|such|one|adrs?|records?"
    r"|decisions?|documents?)\b))(?![ .]*#?\d)"
    r"|[-–—]+[\s*_]*(?:$|\()|[?{<]|\[\s*\]|$)",
    re.IGNORECASE,
)
"""How a value begins that names nothing. `No. 12` and `[No ORM](3.md)` do name something."""
_NOT = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bneither|\bnor|\bwithout|\bno longer|\bcannot|\brather than|\binstead of)"
    r"[\s*_]+(?:[a-z]+[\s*_]+){0,2}$",
    re.IGNORECASE,
)
_AND = re.compile(r"[\s*_,]*(?:or|nor|and|/)[\s*_]+$|[\s*_,/]+$", re.IGNORECASE)
_EXCEPT = re.compile(r"(?:\bbut|\band|[,;(])\s*(?:not|excluding)\b|\bexcept(?: for)?\b", re.IGNORECASE)


def is_denied_value(text: str) -> bool:
    """Return whether what stands behind `Supersedes:` or "superseded by" says that there is nothing."""
    return _NONE.match(text) is not None


def is_denied_verb(text: str, start: int, *, previous_end: int | None = None) -> bool:
    """Return whether a verb is negated.

    Args:
        text: The line.
        start: Where the verb begins.
        previous_end: Where the verb before it ends, if that one is negated: "neither supersedes nor amends".
    """
    if _NOT.search(text[max(0, start - 60) : start]):
        return True
    return previous_end is not None and _AND.fullmatch(text[previous_end:start]) is not None


def end_of_affirmed(text: str) -> int:
    """Return where an exception begins in a list of records, "ADR-3, but not ADR-4"; the text's end without one."""
    found = _EXCEPT.search(text)
    return found.start() if found else len(text)
