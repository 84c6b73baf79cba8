"""Characters of file names that must not reach an answer or a report.

A line break in a name would forge a row wherever paths are listed. Bytes that are not UTF-8, which Python represents by
surrogates (PEP 383), cannot be encoded.
"""

import re

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_FIRST_BYTE = 0xDC00
UNSAFE_NAME = "not read: the name has control characters or is not UTF-8; rename the file"


def is_safe_path(path: str) -> bool:
    """Return whether a path can be shown as it is."""
    return not _UNSAFE.search(path)


def escape_path(path: str) -> str:
    r"""Return a path to be shown, with escapes such as `\n` and `\xff`."""
    return _UNSAFE.sub(_escape_character, path)


def _escape_character(found: "re.Match[str]") -> str:
    code = ord(found[0])
    return f"\\x{code - _FIRST_BYTE:02x}" if _FIRST_BYTE <= code < _FIRST_BYTE + 256 else ascii(found[0])[1:-1]
