"""Takes secrets out of text before it leaves the process: those that were read here, and those that look like some."""

import re

MASK = "[redacted]"

# Published shapes: GitHub's and GitLab's prefixes, JWTs, URLs with user info, whatever follows an authorization scheme.
SHAPES = re.compile(
    r"(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,255}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
    r"|(?i:(?<=authorization: )|(?<=bearer )|(?<=token )|(?<=basic ))[A-Za-z0-9._~+/=-]{16,}"
)
SHORTEST = 8

_known: set[str] = set()


def remember(secret: str) -> None:
    """Remember a secret that was read, so that it is found wherever it turns up."""
    if len(secret) >= SHORTEST:
        _known.add(secret)


def redact(text: str) -> str:
    """Give the text without any secret."""
    for secret in sorted(_known, key=len, reverse=True):  # one may begin with another
        text = text.replace(secret, MASK)
    return SHAPES.sub(MASK, text)
