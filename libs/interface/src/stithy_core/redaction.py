"""Removes secrets from text before it leaves the process: those that were read here, and what looks like one."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from html import escape
from typing import Any

MASK = "[redacted]"

# Published shapes: the prefixes of GitHub, GitLab, AWS, Slack, Google, npm, PyPI and of models' makers, private keys in
# PEM, JWTs, URLs with user info, whatever follows an authorization scheme, but for the name of a parameter: in
# "CancellationToken cancellationToken" no scheme precedes it.
# A hostile text may begin like a JWT at every third character: the beginning is bounded and quantifiers are possessive,
# so that a search takes time in proportion to the length.
SHAPES = re.compile(
    r"(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,255}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])|xox[abeoprs]-[0-9]{6}[A-Za-z0-9-]{10,255}|AIza[A-Za-z0-9_-]{35}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,255}|sk-(?:ant|proj|svcacct)-[A-Za-z0-9_-]{20,255}"
    r"|-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----[^-]{0,8000}+(?:-----END (?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----)?"
    r"|eyJ[A-Za-z0-9_-]{10,1000}+\.[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,})"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
    r"|(?i:(?<=authorization: )|(?<=bearer )|(?<=token )|(?<=basic )|(?<=private-token: )|(?<=job-token: ))"
    r"(?![A-Za-z]{1,40}Token(?![A-Za-z0-9._~+/=-]))"
    r"[A-Za-z0-9._~+/=-]{16,}"
)
SECRET_HEADERS = frozenset(
    {
        *("authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info"),
        *("cookie", "cookie2", "set-cookie", "set-cookie2", "x-csrf-token", "x-xsrf-token"),
        *("private-token", "job-token", "deploy-token", "x-forge-token", "x-gitea-otp", "x-github-otp"),
        *("x-api-key", "x-auth-token", "x-access-token", "x-amz-security-token"),
    }
)
"""The names, in lower case, of the headers of HTTP that carry a credential or a session."""
SHORTEST = 8
BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
SECRET_NAMES = re.compile(r"(?:TOKEN|SECRET|PASSWORD|API_KEY|PRIVATE_KEY|_PAT)$")

_known: set[str] = set()
_passing: ContextVar[frozenset[str]] = ContextVar("passing", default=frozenset())


def remember(secret: str) -> None:
    """Record a secret, so that it is redacted wherever it appears."""
    if len(secret) >= SHORTEST:
        _known.add(secret)


def list_token_secrets(token: str) -> tuple[str, ...]:
    """Return what of a token must not be shown: all of it, and of `user:secret` also the secret alone."""
    return tuple(filter(None, (token, token.partition(":")[2])))


def remember_environment(environ: Mapping[str, str]) -> None:
    """Record the values of environment variables whose names suggest a secret: plugins may read and quote them."""
    for name, value in environ.items():
        if SECRET_NAMES.search(name):
            remember(value)


@contextmanager
def passing(secrets: Iterable[str]) -> Iterator[None]:
    """Redact a caller's secrets until the context is left, and in this context only."""
    before = _passing.set(_passing.get() | {secret for secret in secrets if len(secret) >= SHORTEST})
    try:
        yield
    finally:
        _passing.reset(before)


def redact(text: str) -> str:
    """Return a text with every secret masked, plain or encoded as in JSON, HTML, base64 or a URL."""
    for secret in sorted(_known | _passing.get(), key=len, reverse=True):  # one may begin with another
        for form in _escaped_forms(secret):
            text = text.replace(form, MASK)
        for core in _base64_cores(secret):
            text = _mask_runs(text, core)
        if "%" in text:
            text = _percent_pattern(secret).sub(MASK, text)
    return SHAPES.sub(MASK, text)


@lru_cache(maxsize=256)
def _escaped_forms(secret: str) -> tuple[str, ...]:
    in_json = json.dumps(secret)[1:-1]
    return tuple(dict.fromkeys((secret, in_json, in_json.replace("/", "\\/"), escape(secret))))


@lru_cache(maxsize=256)
def _base64_cores(secret: str) -> tuple[str, ...]:
    """Return what base64 of all texts with the secret in them have in common: three cores, for each place in a triple.

    A character at either end that also holds bits of a neighbour is left out. `user:secret` of a Basic header is one
    such text.
    """
    cores: list[str] = []
    for offset, shared in ((0, 0), (1, 2), (2, 3)):  # bytes before the secret, and the characters that they reach into
        raw = bytes(offset) + secret.encode(errors="surrogatepass")
        whole = len(raw) * 8 // 6
        cores += [encode(raw).decode()[shared:whole] for encode in (b64encode, urlsafe_b64encode)]
    return tuple(dict.fromkeys(cores))


def _mask_runs(text: str, core: str) -> str:
    """Mask each run of base64 that has a core in it."""
    while (found := text.find(core)) >= 0:
        begin, end = found, found + len(core)
        while begin and text[begin - 1] in BASE64:
            begin -= 1
        while end < len(text) and text[end] in BASE64:
            end += 1
        text = text[:begin] + MASK + text[end:].removeprefix("==").removeprefix("=")
    return text


@lru_cache(maxsize=256)
def _percent_pattern(secret: str) -> re.Pattern[str]:
    """Match a secret, or what base64 makes of it, of which some or all characters are percent-encoded, even twice."""
    forms = (secret, *_base64_cores(secret))
    return re.compile("|".join("".join(map(_percent_form, form)) for form in forms))


def _percent_form(character: str) -> str:
    digits = [f"{byte:02x}" for byte in character.encode(errors="surrogatepass")]
    encoded = "".join("%(?:25)*" + "".join(f"[{digit}{digit.upper()}]" for digit in pair) for pair in digits)
    plain = r"[ +]" if character == " " else re.escape(character)
    return f"(?:{plain}|{encoded})"


def in_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with `change` applied to each of its strings, including keys."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {in_texts(key, change): in_texts(inner, change) for key, inner in value.items()}
    return [in_texts(inner, change) for inner in value] if isinstance(value, list | tuple) else value
