"""JavaScript patterns that match exactly one title."""

import re
from collections.abc import Iterable

SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|]")


def escape_pattern(text: str) -> str:
    """Escape the special characters of JavaScript's regular expressions."""
    return SPECIAL.sub(r"\\\g<0>", text)


def any_of(patterns: Iterable[str]) -> str:
    """Return one pattern for titles that begin with one of several; each decides whether it ends there."""
    kept = list(dict.fromkeys(patterns))
    return f"^{kept[0]}" if len(kept) == 1 else f"^({'|'.join(kept)})"
