"""Words about numbers."""


def many(count: int, noun: str) -> str:
    """Give a number with what it counts: `1 file`, `2,000 files`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
