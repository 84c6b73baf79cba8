"""Withhold texts whose authors may not push, and count them in the answer of the call that read them."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from inspect import BoundArguments
from typing import Any

import attrs
from attrs import evolve, frozen

from stithy_core.spi import (
    CallWrapper,
    Comment,
    Comments,
    Commit,
    Event,
    Forbidden,
    Forge,
    ForgeGuard,
    GitRemote,
    Issue,
    Listing,
    NotFound,
    Operation,
    RepositoryRef,
    Review,
    StithyError,
    Threads,
    Unsupported,
    User,
    UserKind,
    WrappedTool,
    current_call,
    map_concurrently,
)
from stithy_core.spi.call_wrappers import repositories_in

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


def find_authorship(record: Any) -> Authorship | None:
    """Return who wrote the texts of a record; None where it has no text of an author."""
    if not any(getattr(record, name, "") for name in _list_text_fields(record)):
        return None
    if isinstance(record, Commit):
        return Authorship(_list_signers(record))
    author = record.actor if isinstance(record, Event) else record.author
    return Authorship(_list_logins(author))


def find_authorships(value: Any) -> Iterator[Authorship]:
    """Iterate over the authorships of a record and of all records inside it."""
    if (authorship := find_authorship(value)) is not None:
        yield authorship
    for inner in _list_inner_values(value):
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
    for name, inner in _iterate_fields(value):
        if (new := replace_texts(inner, judge, note)) is not inner:
            changes[name] = new
    if (authorship := find_authorship(value)) is not None and (mark := judge(authorship)):
        for name in _list_text_fields(value):
            if getattr(value, name):
                changes[name] = mark
                note()
    return attrs.evolve(value, **changes) if changes else value


def _list_text_fields(record: Any) -> tuple[str, ...]:
    return next((names for cls, names in TEXTS if isinstance(record, cls)), ())


def _list_inner_values(value: Any) -> Iterator[Any]:
    if isinstance(value, Listing | list | tuple):
        yield from value
    elif attrs.has(type(value)):
        yield from (inner for _, inner in _iterate_fields(value))


def _iterate_fields(record: Any) -> Iterator[tuple[str, Any]]:
    """Iterate over the fields that may contain records: name and value."""
    for one in attrs.fields(type(record)):
        inner = getattr(record, one.name)
        if isinstance(inner, Listing | list | tuple) or attrs.has(type(inner)):
            yield one.name, inner


def _list_logins(*users: User | None) -> tuple[str, ...]:
    """Return the logins of accounts; empty where one of the accounts was deleted."""
    logins = [user.login for user in users if user is not None and user.kind is not UserKind.GHOST]
    return tuple(dict.fromkeys(logins)) if len(logins) == len(users) else ()


def _list_signers(commit: Commit) -> tuple[str, ...]:
    """Return the accounts that answer for a commit's message; empty where it is not signed.

    Anybody may write any name into a commit that is not signed. The signature is the committer's and does not prove the
    author, so both are returned: both must be accounts that may push.
    """
    return _list_logins(commit.author, commit.committer) if commit.verified is True else ()


NOTE = "withheld_texts"
CACHE_SECONDS = 300.0
MOST_AUTHORS = 4_096
LONGEST_LOGIN = 64
OWN_TEXTS = (Comments.create, Comments.edit, Threads.reply)
"""Operations that return what the caller has just written."""


class WithheldNote(CallWrapper):
    """Describes the note that `PushGuard` adds to answers."""

    def note_schemas(self, tool: WrappedTool) -> Mapping[str, Mapping[str, Any]]:  # noqa: ARG002 -- of the base
        """Describe the number of texts that were withheld."""
        return {NOTE: {"type": "integer"}}


class PushGuard(ForgeGuard):
    """Withholds texts of one forge. If it cannot be determined that an author may push, the text is withheld.

    Args:
        forge: The forge itself, which is asked who may push. An answer is valid for five minutes, and for the token
            that asked: not every token may ask about everybody.
    """

    def __init__(self, forge: Forge) -> None:
        super().__init__(forge)
        self._faults: OrderedDict[tuple[str, str, str], tuple[float, str]] = OrderedDict()

    async def after(self, operation: Operation, arguments: BoundArguments, answer: Any) -> Any:
        """Return an answer with a mark in place of each text that is withheld."""
        if isinstance(answer, GitRemote):
            return evolve(answer, lockdown=True)  # texts that are read with git do not pass through this guard
        repository = next(repositories_in(arguments), None)
        if operation in OWN_TEXTS or repository is None:
            return answer
        authors = dict.fromkeys(login for one in find_authorships(answer) for login in one.authors)
        answers = await map_concurrently(authors, lambda login: self._find_fault(repository, login))
        faults = dict(zip(authors, answers, strict=True))
        return replace_texts(answer, lambda one: _format_mark(one, faults), _count_text)

    async def _find_fault(self, repository: RepositoryRef, login: str) -> str:
        """Return why an author's texts are withheld; empty where they are not."""
        identity, now = await self.forge.token_identity(), time.monotonic()
        key = identity, str(repository).lower(), login.lower()
        if key in self._faults and now - self._faults[key][0] < CACHE_SECONDS:
            return self._faults[key][1]
        shown = login[:LONGEST_LOGIN]
        try:
            pushes = await self.forge.identity.may_push(repository, login)
            fault = "" if pushes is True else f"{shown} may not push to {repository}"
        except (Forbidden, NotFound, Unsupported):
            fault = f"whether {shown} may push to {repository} is not known"
        except StithyError:  # the next call may succeed
            return f"whether {shown} may push to {repository} could not be asked"
        self._store_fault(key, now, fault)
        return fault

    def _store_fault(self, key: tuple[str, str, str], now: float, fault: str) -> None:
        self._faults[key] = now, fault
        self._faults.move_to_end(key)
        while len(self._faults) > MOST_AUTHORS:
            self._faults.popitem(last=False)


def _format_mark(authorship: Authorship, faults: Mapping[str, str]) -> str:
    if not authorship.authors:
        return "[withheld: nobody is proven to have written it]"
    fault = next((faults[login] for login in authorship.authors if faults[login]), "")
    return f"[withheld: {fault}]" if fault else ""


def _count_text() -> None:
    if (call := current_call()) is not None:
        count = call.notes.get(NOTE, (0, ""))[0] + 1
        line = f"Lockdown: {count} of the texts that were read are withheld, since their authors may not push"
        call.add_note(NOTE, count, line)
