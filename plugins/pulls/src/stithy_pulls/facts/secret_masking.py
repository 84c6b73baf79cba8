"""Strings that look like secrets: find lines that contain one, and mask them."""

import re
from functools import lru_cache
from pathlib import PurePosixPath

from stithy_core.spi import MASK, redact
from stithy_pulls.diffs.file_roles import classify_file

LONGEST = 2_000
"""Characters of a line that are searched."""
WORDS = r"passw(?:or)?d|passphrase|secret|(?<!publickey)token|(?:api|private|access|secret|signing|encryption)_?key"
"""Words in names of secrets. .NET's `PublicKeyToken` is a part of an assembly's name."""
SHAPE = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY(?:-----)?|\bxox[abprs]-[0-9A-Za-z-]{10,}")
"""What `redact` leaves and a line of code should not have: a header whose key is on other lines, any token of Slack."""
TOKEN = re.compile(
    r"\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_[A-Za-z0-9_]{40,}|\bglpat-[A-Za-z0-9_-]{20}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bAIza[A-Za-z0-9_-]{35}|\bnpm_[A-Za-z0-9]{36}|\bpypi-[A-Za-z0-9_-]{50,}|\bsk-(?:ant|proj|svcacct)-[A-Za-z0-9_-]{20,}"
)
"""Tokens whose prefix says who issued them."""
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


UNREAL = re.compile(
    r"(?i)example|sample|dummy|fake|test|mock|placeholder|changeme|change[_-]?me|your[_-]|xxxx|1234567|abcdef|redacted"
    r"|default|secret[_-]?key|password|insecure|development"
)
"""Words in values that are made up."""
ELSEWHERE = {
    *("example", "examples", "sample", "samples", "fixture", "fixtures", "mock", "mocks", "demo", "doc", "docs"),
    *("stories", "testdata", "cassettes", "snapshots", "__snapshots__"),
}
"""Folders whose secrets are made up."""
LEAST_REAL = 16
"""Characters of a value that may be a real secret, if only the name of its variable says so."""


def is_real_secret(text: str, path: str) -> bool:
    """Return whether an added line of a file contains what is probably a secret in use.

    That is a published shape, such as a token of GitHub, or a random value that a variable's name calls a secret;
    neither in tests, examples or documentation, nor made up by its words.
    """
    text = text[:LONGEST]
    if not _is_in_use(path) or not contains_secret(text, path):
        return False
    shaped = [found[0] for form in (SHAPE, TOKEN) for found in form.finditer(text)]
    named = [found["value"] for form in _list_patterns(path) for found in form.finditer(text)]
    return any(not UNREAL.search(value) for value in shaped) or any(map(_is_random, named))


@lru_cache
def _is_in_use(path: str) -> bool:
    pure = PurePosixPath(path)
    made_up = {part.lower() for part in pure.parts[:-1]} & ELSEWHERE or "example" in pure.name.lower()
    return not made_up and classify_file(path) not in ("test", "docs", "lock")


def _is_random(value: str) -> bool:
    """Return whether a value has digits among its letters as no word, name, path or URL has."""
    if len(value) < LEAST_REAL or UNREAL.search(value) or not re.fullmatch(r"[A-Za-z0-9+/=_.~-]+", value):
        return False
    changes = len(re.findall(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])", value))
    return changes >= 3 and not re.fullmatch(r"[a-z]+(?:[._/-][a-z0-9]+)*", value)  # noqa: PLR2004 -- words with a number have fewer


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


@lru_cache
def _list_patterns(path: str) -> tuple[re.Pattern[str], ...]:
    pure = PurePosixPath(path)
    bare = pure.suffix.lower() in SETTINGS or pure.name.lower().startswith(".env")
    return (NAMED, BARE) if bare else (NAMED,)
