"""Patterns of JavaScript that match a title and nothing else."""

import re
from collections.abc import Iterable

SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|]")


def escaped(text: str) -> str:
    """Escape what means something in a regular expression of JavaScript."""
    return SPECIAL.sub(r"\\\g<0>", text)


def any_of(patterns: Iterable[str]) -> str:
    """Give one pattern for titles that begin with one of some; what shall match to the end says so itself."""
    kept = list(dict.fromkeys(patterns))
    return f"^{kept[0]}" if len(kept) == 1 else f"^({'|'.join(kept)})"
