"""Counts and lists of names as phrases of a sentence."""

from collections.abc import Sequence

MOST_NAMED = 3


def format_count(count: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `2,000 files`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def format_range(names: Sequence[str], noun: str) -> str:
    """Return up to three names, or the first, the last and the number of the names."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{format_count(len(names), noun)} from {names[0]} up to {names[-1]}"
