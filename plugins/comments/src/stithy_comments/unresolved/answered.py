"""Which comments somebody else answered, told by addresses and quotations: these say what they answer."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from attrs import frozen

ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
QUOTED = re.compile(r"^\s{0,3}>\s?(?!\s*>)(.*\S)", re.MULTILINE)
LEAST = 16
"""A quoted line of fewer characters may stand anywhere by chance."""
MOST_LINES = 100


@frozen(kw_only=True)
class Said:
    """A comment, or the body of a review."""

    url: str
    author: str
    at: datetime
    body: str


def answered(answers: Iterable[Said], said: Iterable[Said]) -> set[str]:
    """Find what was answered.

    Args:
        answers: What may answer.
        said: What may be answered, oldest first.

    Returns:
        The addresses of what somebody other than its author answered after it was said.
    """
    addresses: dict[str, Said] = {}
    lines: dict[str, list[Said]] = {}
    for one in said:
        addresses[one.url] = one
        for line in _own_lines(one.body):
            lines.setdefault(line, []).append(one)
    return {
        target.url
        for answer in answers
        for target in (*_linked(answer, addresses), *_quoted(answer, lines))
        if target.author != answer.author and target.at <= answer.at
    }


def _linked(answer: Said, addresses: dict[str, Said]) -> Iterator[Said]:
    for found in ADDRESS.findall(answer.body):
        if target := addresses.get(found) or addresses.get(found.rstrip(".,;:!?")):
            yield target


def _quoted(answer: Said, lines: dict[str, list[Said]]) -> Iterator[Said]:
    """Give of what has a quoted line the latest that was said by somebody else before."""
    for line in QUOTED.findall(answer.body)[:MOST_LINES]:
        before = [one for one in lines.get(line.strip(), ()) if one.author != answer.author and one.at <= answer.at]
        yield from before[-1:]


def _own_lines(body: str) -> Iterator[str]:
    for line in body.splitlines()[:MOST_LINES]:
        text = line.strip()
        if len(text) >= LEAST and not text.startswith(">"):
            yield text
