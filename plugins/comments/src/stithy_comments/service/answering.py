"""From what is asked to the body of an answer: read once for all who ask the same, and accounted for."""

from collections import OrderedDict
from collections.abc import Hashable
from math import ceil

from attrs import Factory, define, frozen

from stithy_comments.service.admission import Account, Admission
from stithy_comments.service.body import Body, body
from stithy_comments.service.flights import Flights
from stithy_comments.service.query import Asked
from stithy_comments.service.validators import validator
from stithy_comments.stream.merging import merged
from stithy_comments.stream.reading import Sources, read
from stithy_comments.stream.selection import Selection
from stithy_core.spi import Context, Forge, IssueRef, Scope, Unknown

PAGE = 100
"""How many items a forge gives at once, about."""
MOST = 4_096


@frozen(kw_only=True)
class Question:
    """What is read, and what is made of it.

    Args:
        forge: Which.
        ref: The pull request, or a number that may be an issue's.
        selection: What of it.
        asked: How it is given.
        identity: Whose forge token is used: what is read with one is not shown to who has another.
    """

    forge: Forge
    ref: IssueRef
    selection: Selection
    asked: Asked
    identity: str

    @property
    def key(self) -> Hashable:
        """What is the same for identical questions."""
        chosen = self.selection
        kind = type(self.ref), tuple(chosen.include), chosen.verdicts
        return self.identity, self.forge.config.alias, str(self.ref).lower(), kind, self.asked


@frozen
class Answer:
    """A body and what it is called."""

    body: Body
    tag: str


@define
class Known:
    """What answers were called when they were given last."""

    _tags: OrderedDict[Hashable, str] = Factory(OrderedDict)

    @classmethod
    def of(cls, scope: Scope) -> "Known":  # noqa: ARG003 -- the signature of a factory
        """Give the one of a server."""
        return cls()

    def is_same(self, key: Hashable, tag: str) -> bool:
        """Say whether an answer is what it was, and remember it."""
        same = self._tags.pop(key, "") == tag
        self._tags[key] = tag
        while len(self._tags) > MOST:
            self._tags.popitem(last=False)
        return same


async def answer(ctx: Context, question: Question) -> Answer:
    """Answer a question.

    Raises:
        RateLimited: As much as may be spent on the forge was spent.
        ForgeError: It cannot be read.
    """
    flights: Flights[Answer] = ctx.shared(_flights)
    return await flights.join(question.key, lambda: _answer(ctx, question))


def _flights(scope: Scope) -> Flights[Answer]:
    return Flights.of(scope)


async def _answer(ctx: Context, question: Question) -> Answer:
    admission = ctx.shared(Admission.of)
    account = Account(question.identity, question.forge.config.alias, str(question.ref.repository))
    admission.admit(account)
    sources = await read(question.forge, question.ref, question.selection)
    found = await ctx.thread(_written, sources, question)
    # What has not changed was confirmed by the forge, which is free, but for what it has no validators for.
    same = ctx.shared(Known.of).is_same(question.key, found.tag)
    admission.charge(account, 0 if same else _cost(sources))
    return found


def _written(sources: Sources, question: Question) -> Answer:
    written = body(merged(sources, question.selection), question.asked)
    return Answer(written, validator(written.written))


def _cost(sources: Sources) -> int:
    """Estimate how many requests a reading took, beside the first."""
    lists = sources.lists().values()
    return sum(1 if isinstance(listing, Unknown) else max(1, ceil(len(listing) / PAGE)) for listing in lists)
