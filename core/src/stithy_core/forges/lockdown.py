"""Lockdown: texts by people who may not push to the repository are kept from tools, and so from the agent.

Whoever can comment can address an agent that reads the comments. Whoever may push could change the code itself, so
that nothing is won by keeping the words of those away.
"""

import time
from collections import OrderedDict
from collections.abc import Mapping
from inspect import BoundArguments
from typing import Any

from attrs import evolve

from stithy_core.errors import Forbidden, NotFound, StithyError, Unsupported
from stithy_core.forges.authorship import Words, replaced, words_in
from stithy_core.forges.guards import repositories_in
from stithy_core.spi import Comments, Forge, GitRemote, Operation, RepositoryRef, Threads, map_concurrently
from stithy_core.spi.write_guard import current_write_guard

KEPT_SECONDS = 300.0
MOST = 4_096
LONGEST = 64
OWN = (Comments.create, Comments.edit, Threads.reply)
"""What these give is what the caller has just written."""


class Lockdown:
    """The guard of one forge. Whoever cannot be found out to have push access counts as one who has none.

    Args:
        forge: The forge itself, which is asked who may push; an answer is good for five minutes, and for the token
            that asked: not every token may ask of everybody.
    """

    def __init__(self, forge: Forge) -> None:
        self._forge = forge
        self._known: OrderedDict[tuple[str, str, str], tuple[float, str]] = OrderedDict()

    def before(self, operation: Operation, arguments: BoundArguments) -> None:
        """Pass everything: whose words an answer has is known afterwards."""

    async def after(self, operation: Operation, arguments: BoundArguments, answer: Any) -> Any:
        """Give an answer with a mark in the place of each text that is kept back."""
        if isinstance(answer, GitRemote):
            return evolve(answer, lockdown=True)  # what is read with git does not come by here
        repository = next(repositories_in(arguments), None)
        if operation in OWN or repository is None:
            return answer
        authors = dict.fromkeys(login for words in words_in(answer) for login in words.authors)
        found = await map_concurrently(authors, lambda login: self._fault(repository, login))
        faults = dict(zip(authors, found, strict=True))
        return replaced(answer, lambda words: _mark(words, faults), _count)

    async def _fault(self, repository: RepositoryRef, login: str) -> str:
        """Say why an author's words are kept back; empty where they are not."""
        identity, now = await self._forge.token_identity(), time.monotonic()
        key = identity, str(repository).lower(), login.lower()
        if key in self._known and now - self._known[key][0] < KEPT_SECONDS:
            return self._known[key][1]
        shown = login[:LONGEST]
        try:
            pushes = await self._forge.identity.may_push(repository, login)
            fault = "" if pushes is True else f"{shown} may not push to {repository}"
        except (Forbidden, NotFound, Unsupported):
            fault = f"whether {shown} may push to {repository} is not known"
        except StithyError:  # it may be known at the next call
            return f"whether {shown} may push to {repository} could not be asked"
        self._keep(key, now, fault)
        return fault

    def _keep(self, key: tuple[str, str, str], now: float, fault: str) -> None:
        self._known[key] = now, fault
        self._known.move_to_end(key)
        while len(self._known) > MOST:
            self._known.popitem(last=False)


def _mark(words: Words, faults: Mapping[str, str]) -> str:
    if not words.authors:
        return "[withheld: nobody is proven to have written it]"
    fault = next((faults[login] for login in words.authors if faults[login]), "")
    return f"[withheld: {fault}]" if fault else ""


def _count() -> None:
    if (call := current_write_guard()) is not None:
        call.withheld += 1
