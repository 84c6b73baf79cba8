"""The authors of the texts in the records of a forge."""

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
"""The fields of each record that its author wrote. Pull requests are issues, and review comments are comments.

Diffs, logs, annotations and the summaries of checks have no author in the model, so they are not listed.
"""


@frozen
class Authorship:
    """Who wrote the texts of a record.

    Args:
        authors: The logins of all authors; empty where nobody is proven to have written them.
    """

    authors: tuple[str, ...]


def authorship_of(record: Any) -> Authorship | None:
    """Return who wrote the texts of a record; None where it has no text of an author."""
    if not any(getattr(record, name, "") for name in _fields(record)):
        return None
    if isinstance(record, Commit):
        return Authorship(_signers(record))
    author = record.actor if isinstance(record, Event) else record.author
    return Authorship(_logins(author))


def find_authorships(value: Any) -> Iterator[Authorship]:
    """Iterate over the authorships of a record and of all records inside it."""
    if (authorship := authorship_of(value)) is not None:
        yield authorship
    for inner in _inside(value):
        yield from find_authorships(inner)


def replace_texts(value: Any, judge: Callable[[Authorship], str], note: Callable[[], None]) -> Any:
    """Return a copy of a value with marks in place of texts.

    Args:
        value: A record, or several.
        judge: Returns the mark for texts of these authors; empty where they stay.
        note: Called for each text that was replaced.
    """
    if isinstance(value, Listing):
        return value.map(lambda inner: replace_texts(inner, judge, note))
    if isinstance(value, list | tuple):
        return type(value)(replace_texts(inner, judge, note) for inner in value)
    if not attrs.has(type(value)):
        return value
    changes = {}
    for name, inner in _deeper(value):
        if (new := replace_texts(inner, judge, note)) is not inner:
            changes[name] = new
    if (authorship := authorship_of(value)) is not None and (mark := judge(authorship)):
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
    """Iterate over the fields that may contain records: name and value."""
    for one in attrs.fields(type(record)):
        inner = getattr(record, one.name)
        if isinstance(inner, Listing | list | tuple) or attrs.has(type(inner)):
            yield one.name, inner


def _logins(*users: User | None) -> tuple[str, ...]:
    """Return the logins of accounts; empty where one of the accounts was deleted."""
    there = [user.login for user in users if user is not None and user.kind is not UserKind.GHOST]
    return tuple(dict.fromkeys(there)) if len(there) == len(users) else ()


def _signers(commit: Commit) -> tuple[str, ...]:
    """Return the accounts that answer for a commit's message; empty where it is not signed.

    Anybody may write any name into a commit that is not signed. The signature is the committer's and does not prove the
    author, so both are returned: both must be accounts that may push.
    """
    return _logins(commit.author, commit.committer) if commit.verified is True else ()
