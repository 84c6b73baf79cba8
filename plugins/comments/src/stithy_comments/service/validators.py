"""Validators: what a body is called, and whether a client has that one (RFC 9110, sections 8.8.3 and 13.1.2)."""

import re
from hashlib import sha256

TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
CHARACTERS = 32


def validator(body: bytes) -> str:
    """Name a body by its bytes: the same on every replica, and another as soon as a byte changes."""
    return f'"{sha256(body).hexdigest()[:CHARACTERS]}"'


def has(given: str, tag: str) -> bool:
    """Say whether a client has what bears a tag; compared weakly, as If-None-Match is.

    Args:
        given: What `If-None-Match` holds; empty where there is none.
        tag: That of the body that would be sent.
    """
    return given.strip() == "*" or tag in TAG.findall(given)
