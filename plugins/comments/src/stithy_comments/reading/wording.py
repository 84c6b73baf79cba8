"""Names and times in the lines of an answer."""

from datetime import datetime


def in_line(text: str) -> str:
    """Give a name in one line, so that a file whose name has lines cannot pass for others."""
    return " ".join(text.splitlines())


def moment(time: datetime) -> str:
    """Write a time as answers do."""
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"
