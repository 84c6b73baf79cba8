"""Places in Ruby's backtraces."""

import re

from ci_failures.parsers.text_helpers import relative

FRAME = re.compile(r"^\s*(?:# \s*)?(?:from )?([^\s:\[\]][^:\[\]]{0,400}):(\d{1,7})(?::in [`'].*)?:?$")
FOREIGN = ("/", "../", "<", "(eval", "vendor/bundle/", "internal:")


def frame(text: str) -> tuple[str, int] | None:
    """Return file and line of a frame in the repository; None for any other line."""
    found = FRAME.match(text) if ":" in text else None
    return inside(found[1], int(found[2])) if found else None


def inside(path: str, line: int) -> tuple[str, int] | None:
    """Return a place relative to the repository; None if it is in a gem or in Ruby itself."""
    file = relative(path)
    return None if file.startswith(FOREIGN) or "/gems/" in file or "vendor/bundle/" in file else (file, line)
