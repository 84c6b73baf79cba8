"""Detection of answered comments: a later comment of another author that links to the comment or quotes it."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from attrs import frozen

ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
QUOTED = re.compile(r"^\s{0,3}>\s?(?!\s*>)(.*\S)", re.MULTILINE)
LEAST = 16
"""Minimum length of a quoted line; a shorter one may match by chance."""
MOST_LINES = 100


@frozen(kw_only=True)
class ConversationText:
    """A comment, or the body of a review."""

    url: str
    author: str
    at: datetime
    body: str


def find_answered(answers: Iterable[ConversationText], said: Iterable[ConversationText]) -> set[str]:
    """Return the URLs of the texts that another author answered later.

    Args:
        answers: The texts that may be answers.
        said: The texts that may be answered, oldest first.
    """
    addresses: dict[str, ConversationText] = {}
    lines: dict[str, list[ConversationText]] = {}
    for one in said:
        addresses[one.url] = one
        for line in _own_lines(one.body):
            lines.setdefault(line, []).append(one)
    return {
        target.url
        for answer in answers
        for target in (*_find_linked(answer, addresses), *_find_quoted(answer, lines))
        if target.author != answer.author and target.at <= answer.at
    }


def _find_linked(answer: ConversationText, addresses: dict[str, ConversationText]) -> Iterator[ConversationText]:
    for found in ADDRESS.findall(answer.body):
        if target := addresses.get(found) or addresses.get(found.rstrip(".,;:!?")):
            yield target


def _find_quoted(answer: ConversationText, lines: dict[str, list[ConversationText]]) -> Iterator[ConversationText]:
    """Iterate over the quoted texts: for each quoted line the latest earlier text of another author that has it."""
    for line in QUOTED.findall(answer.body)[:MOST_LINES]:
        before = [one for one in lines.get(line.strip(), ()) if one.author != answer.author and one.at <= answer.at]
        yield from before[-1:]


def _own_lines(body: str) -> Iterator[str]:
    for line in body.splitlines()[:MOST_LINES]:
        text = line.strip()
        if len(text) >= LEAST and not text.startswith(">"):
            yield text
