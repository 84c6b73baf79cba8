"""Withhold texts whose authors may not push, and count them in the answer of the call that read them."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from inspect import BoundArguments
from typing import Any

from attrs import evolve

from stithy_core.builtin.lockdown.authorship import Authorship, find_authorships, replace_texts
from stithy_core.spi import (
    CallWrapper,
    Comments,
    Forbidden,
    Forge,
    ForgeGuard,
    GitRemote,
    NotFound,
    Operation,
    RepositoryRef,
    StithyError,
    Threads,
    Unsupported,
    WrappedTool,
    current_call,
    map_concurrently,
)
from stithy_core.spi.call_wrappers import repositories_in

NOTE = "withheld_texts"
KEPT_SECONDS = 300.0
MOST = 4_096
LONGEST = 64
OWN = (Comments.create, Comments.edit, Threads.reply)
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
            return evolve(answer, lockdown=True)  # what is read with git does not pass here
        repository = next(repositories_in(arguments), None)
        if operation in OWN or repository is None:
            return answer
        authors = dict.fromkeys(login for one in find_authorships(answer) for login in one.authors)
        found = await map_concurrently(authors, lambda login: self._fault(repository, login))
        faults = dict(zip(authors, found, strict=True))
        return replace_texts(answer, lambda one: _mark(one, faults), _count)

    async def _fault(self, repository: RepositoryRef, login: str) -> str:
        """Return why an author's texts are withheld; empty where they are not."""
        identity, now = await self.forge.token_identity(), time.monotonic()
        key = identity, str(repository).lower(), login.lower()
        if key in self._faults and now - self._faults[key][0] < KEPT_SECONDS:
            return self._faults[key][1]
        shown = login[:LONGEST]
        try:
            pushes = await self.forge.identity.may_push(repository, login)
            fault = "" if pushes is True else f"{shown} may not push to {repository}"
        except (Forbidden, NotFound, Unsupported):
            fault = f"whether {shown} may push to {repository} is not known"
        except StithyError:  # the next call may succeed
            return f"whether {shown} may push to {repository} could not be asked"
        self._keep(key, now, fault)
        return fault

    def _keep(self, key: tuple[str, str, str], now: float, fault: str) -> None:
        self._faults[key] = now, fault
        self._faults.move_to_end(key)
        while len(self._faults) > MOST:
            self._faults.popitem(last=False)


def _mark(authorship: Authorship, faults: Mapping[str, str]) -> str:
    if not authorship.authors:
        return "[withheld: nobody is proven to have written it]"
    fault = next((faults[login] for login in authorship.authors if faults[login]), "")
    return f"[withheld: {fault}]" if fault else ""


def _count() -> None:
    if (call := current_call()) is not None:
        count = call.notes.get(NOTE, (0, ""))[0] + 1
        line = f"Lockdown: {count} of the texts that were read are withheld, since their authors may not push"
        call.add_note(NOTE, count, line)
