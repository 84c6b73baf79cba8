"""Numbers and lists in sentences."""

from collections.abc import Sequence

MOST_NAMED = 3


def counted(number: int, thing: str) -> str:
    """Write a number with its thing: 1 commit, 3 commits."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def named(names: Sequence[str], thing: str) -> str:
    """Name a few things, and of many the first, the last and their number."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{counted(len(names), thing)} from {names[0]} up to {names[-1]}"
