"""Strings that look like secrets: find lines that contain one, and mask them."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from stithy_core.spi import MASK, redact

LONGEST = 2_000
"""Characters of a line that are searched."""
WORDS = r"passw(?:or)?d|passphrase|secret|token|(?:api|private|access|secret|signing|encryption)_?key"
SHAPE = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY(?:-----)?|\bxox[abprs]-[0-9A-Za-z-]{10,}")
"""What `redact` leaves and a line of code should not have: a header whose key is on other lines, any token of Slack."""
NAMED = re.compile(
    rf"(?i:(?:{WORDS})[\"']?(?:\s*:\s*\w{{1,20}})?\s*(?::=|=>|[:=])\s*[\"'])(?P<value>(?![^\"']*[<>${{}}\s])[^\"']{{8,}})(?=[\"'])"
)
BARE = re.compile(rf"(?i:^\s*(?:export\s+)?[\w.-]*(?:{WORDS})\s*[:=]\s*)(?P<value>[^\s\"'<>${{}}#]{{8,}})\s*$")
"""Assignments without quotes, in files of settings."""
SETTINGS = {".env", ".properties", ".ini", ".cfg", ".conf"}
"""Suffixes of files of settings."""
BEGIN, END = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY"), re.compile(r"-----END [A-Z ]*PRIVATE KEY")


def contains_secret(text: str, path: str) -> bool:
    """Return whether a line of a file contains what looks like a secret."""
    text = text[:LONGEST]
    return bool(SHAPE.search(text)) or any(form.search(text) for form in _list_patterns(path)) or redact(text) != text


def mask_secrets(text: str, path: str = "") -> str:
    """Return a line with everything that looks like a secret masked."""
    for form in _list_patterns(path):
        text = form.sub(lambda found: found[0].replace(found["value"], MASK), text)
    return redact(SHAPE.sub(lambda found: found[0] if BEGIN.match(found[0]) else MASK, text))


class LineMasker:
    """Mask the lines of a file one after the other, including those inside a private key."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._inside = False

    def mask_line(self, text: str) -> str:
        """Return the next line, masked."""
        was_inside, begins = self._inside, bool(BEGIN.search(text))
        self._inside = (was_inside or begins) and not END.search(text)
        if was_inside or (begins and not text.rstrip().endswith("-----")):
            return MASK
        return mask_secrets(text, self._path) if not begins else text if self._inside else MASK


def _list_patterns(path: str) -> Iterator[re.Pattern[str]]:
    yield NAMED
    pure = PurePosixPath(path)
    if pure.suffix.lower() in SETTINGS or pure.name.lower().startswith(".env"):
        yield BARE
