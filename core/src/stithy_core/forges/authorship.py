"""Whose words stand where in the records of a forge: the one list of it."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs
from attrs import frozen

from stithy_core.spi import Comment, Commit, Event, Issue, Listing, Review, User, UserKind

TEXTS: tuple[tuple[type, tuple[str, ...]], ...] = (
    (Issue, ("title", "body")),
    (Comment, ("body",)),
    (Review, ("body",)),
    (Event, ("text",)),
    (Commit, ("message", "author_name", "author_email")),
)
"""The fields of each record that its author wrote; pull requests are issues, and what stands in threads comments.

Diffs, logs, annotations and the summaries of checks have no author in the model. They are not among them.
"""


@frozen
class Words:
    """Words of a record.

    Args:
        authors: The logins of all whose words they are; empty where nobody is proven to have written them.
    """

    authors: tuple[str, ...]


def words_of(record: Any) -> Words | None:
    """Say whose words a record has; None where it has none of anybody's."""
    if not any(getattr(record, name, "") for name in _fields(record)):
        return None
    if isinstance(record, Commit):
        return Words(_signers(record))
    author = record.actor if isinstance(record, Event) else record.author
    return Words(_logins(author))


def words_in(value: Any) -> Iterator[Words]:
    """Find all words, however deep they stand."""
    if (words := words_of(value)) is not None:
        yield words
    for inner in _inside(value):
        yield from words_in(inner)


def replaced(value: Any, judge: Callable[[Words], str], note: Callable[[], None]) -> Any:
    """Put marks in the place of words.

    Args:
        value: A record, or many.
        judge: Gives the mark for words; nothing where they stay.
        note: Is told of each text in whose place a mark was put.
    """
    if isinstance(value, Listing):
        return value.map(lambda inner: replaced(inner, judge, note))
    if isinstance(value, list | tuple):
        return type(value)(replaced(inner, judge, note) for inner in value)
    if not attrs.has(type(value)):
        return value
    changes = {}
    for name, inner in _deeper(value):
        if (new := replaced(inner, judge, note)) is not inner:
            changes[name] = new
    if (words := words_of(value)) is not None and (mark := judge(words)):
        for name in _fields(value):
            if getattr(value, name):
                changes[name] = mark
                note()
    return attrs.evolve(value, **changes) if changes else value


def _fields(record: Any) -> tuple[str, ...]:
    return next((names for cls, names in TEXTS if isinstance(record, cls)), ())


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, Listing | list | tuple):
        yield from value
    elif attrs.has(type(value)):
        yield from (inner for _, inner in _deeper(value))


def _deeper(record: Any) -> Iterator[tuple[str, Any]]:
    """Give what may have records in it."""
    for one in attrs.fields(type(record)):
        inner = getattr(record, one.name)
        if isinstance(inner, Listing | list | tuple) or attrs.has(type(inner)):
            yield one.name, inner


def _logins(*users: User | None) -> tuple[str, ...]:
    """Give the logins of accounts that are there; none where one of them is not."""
    there = [user.login for user in users if user is not None and user.kind is not UserKind.GHOST]
    return tuple(dict.fromkeys(there)) if len(there) == len(users) else ()


def _signers(commit: Commit) -> tuple[str, ...]:
    """Say whose words a commit's message is: anybody may write any name into a commit that nobody signed.

    A signature is the committer's and says nothing of the author, so that both must be accounts that may push.
    """
    return _logins(commit.author, commit.committer) if commit.verified is True else ()
