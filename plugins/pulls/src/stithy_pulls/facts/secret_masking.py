"""Strings that look like secrets: where they are, and lines of code without them."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from stithy_core.spi import redact

MASK = "[redacted]"
LONGEST = 2_000
"""Characters of a line that are looked at."""
WORDS = r"passw(?:or)?d|passphrase|secret|token|(?:api|private|access|secret|signing|encryption)_?key"
SHAPE = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?:-----)?|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b"
    r"|\bxox[abprs]-[0-9A-Za-z-]{10,}"
)
NAMED = re.compile(
    rf"(?i:(?:{WORDS})[\"']?(?:\s*:\s*\w{{1,20}})?\s*(?::=|=>|[:=])\s*[\"'])(?P<value>(?![^\"']*[<>${{}}\s])[^\"']{{8,}})(?=[\"'])"
)
BARE = re.compile(rf"(?i:^\s*(?:export\s+)?[\w.-]*(?:{WORDS})\s*[:=]\s*)(?P<value>[^\s\"'<>${{}}#]{{8,}})\s*$")
"""Where files of settings need no quotation marks."""
SETTINGS = {".env", ".properties", ".ini", ".cfg", ".conf"}
BEGIN, END = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY"), re.compile(r"-----END [A-Z ]*PRIVATE KEY")


def contains_secret(text: str, path: str) -> bool:
    """Say whether a line of a file holds what looks like a secret."""
    text = text[:LONGEST]
    return bool(SHAPE.search(text)) or any(form.search(text) for form in _forms(path)) or redact(text) != text


def mask_secrets(text: str, path: str = "") -> str:
    """Give a line without what looks like a secret in it."""
    for form in _forms(path):
        text = form.sub(lambda found: found[0].replace(found["value"], MASK), text)
    return redact(SHAPE.sub(lambda found: found[0] if BEGIN.match(found[0]) else MASK, text))


class LineMasker:
    """Masks the lines of a file one after the other: those inside of a private key, too."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._inside = False

    def mask_line(self, text: str) -> str:
        """Give the next line."""
        was_inside, begins = self._inside, bool(BEGIN.search(text))
        self._inside = (was_inside or begins) and not END.search(text)
        if was_inside or (begins and not text.rstrip().endswith("-----")):
            return MASK
        return mask_secrets(text, self._path) if not begins else text if self._inside else MASK


def _forms(path: str) -> Iterator[re.Pattern[str]]:
    yield NAMED
    pure = PurePosixPath(path)
    if pure.suffix.lower() in SETTINGS or pure.name.lower().startswith(".env"):
        yield BARE
