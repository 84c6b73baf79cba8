"""ETags of response bodies, and their comparison with If-None-Match (RFC 9110, sections 8.8.3 and 13.1.2)."""

import re
from hashlib import sha256

TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
CHARACTERS = 32


def create_etag(body: bytes) -> str:
    """Return the ETag of a body: a digest of its bytes, so that all replicas have the same."""
    return f'"{sha256(body).hexdigest()[:CHARACTERS]}"'


def has_etag(given: str, tag: str) -> bool:
    """Return whether `If-None-Match` contains an ETag; the comparison is weak (RFC 9110, 13.1.2).

    Args:
        given: The value of `If-None-Match`; empty if the header is missing.
        tag: The ETag of the body that would be sent.
    """
    return given.strip() == "*" or tag in TAG.findall(given)
