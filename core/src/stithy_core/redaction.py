"""Takes secrets out of text before it leaves the process: those that were read here, and those that look like some."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

MASK = "[redacted]"

# Published shapes: the prefixes of GitHub, GitLab, AWS, Slack, Google, npm, PyPI and of models' makers, private keys in
# PEM, JWTs, URLs with user info, whatever follows an authorization scheme.
# A stranger may write a text that begins like a JWT at every third character: what begins one is bounded, and no step
# is taken back, so that looking through it takes time in proportion to its length.
SHAPES = re.compile(
    r"(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,255}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])|xox[abeoprs]-[0-9]{6}[A-Za-z0-9-]{10,255}|AIza[A-Za-z0-9_-]{35}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,255}|sk-(?:ant|proj|svcacct)-[A-Za-z0-9_-]{20,255}"
    r"|-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----[^-]{0,8000}+(?:-----END (?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----)?"
    r"|eyJ[A-Za-z0-9_-]{10,1000}+\.[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,})"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
    r"|(?i:(?<=authorization: )|(?<=bearer )|(?<=token )|(?<=basic ))[A-Za-z0-9._~+/=-]{16,}"
)
SHORTEST = 8
SECRET_NAMES = re.compile(r"(?:TOKEN|SECRET|PASSWORD|API_KEY|PRIVATE_KEY|_PAT)$")

_known: set[str] = set()
_passing: ContextVar[frozenset[str]] = ContextVar("passing", default=frozenset())


def remember(secret: str) -> None:
    """Remember a secret that was read, so that it is found wherever it turns up."""
    if len(secret) >= SHORTEST:
        _known.add(secret)


def remember_environment(environ: Mapping[str, str]) -> None:
    """Remember what the variables hold whose names promise a secret: a stranger's code may read and quote them."""
    for name, value in environ.items():
        if SECRET_NAMES.search(name):
            remember(value)


@contextmanager
def passing(secrets: Iterable[str]) -> Iterator[None]:
    """Know secrets meanwhile, and in this context only: those of a caller, of whom there may be many."""
    before = _passing.set(_passing.get() | {secret for secret in secrets if len(secret) >= SHORTEST})
    try:
        yield
    finally:
        _passing.reset(before)


def redact(text: str) -> str:
    """Give the text without any secret."""
    for secret in sorted(_known | _passing.get(), key=len, reverse=True):  # one may begin with another
        text = text.replace(secret, MASK)
    return SHAPES.sub(MASK, text)


def in_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Give JSON with each of its texts changed, keys too: by `redact`, say."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {in_texts(key, change): in_texts(inner, change) for key, inner in value.items()}
    return [in_texts(inner, change) for inner in value] if isinstance(value, list | tuple) else value
