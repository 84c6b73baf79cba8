"""Answers of the service: read once for identical concurrent requests, and charged to the request budget."""

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
"""Approximate number of items that a forge returns per request."""
MOST = 4_096
"""Maximum number of answers whose ETags are kept."""


@frozen(kw_only=True)
class Question:
    """A request to the service.

    Args:
        forge: The forge.
        ref: The pull request, or a number that may be an issue's.
        selection: The part of the conversation to read.
        asked: The parameters of the request.
        identity: The identity of the forge token. Answers read with one token are never returned to another's owner.
    """

    forge: Forge
    ref: IssueRef
    selection: Selection
    asked: Asked
    identity: str

    @property
    def key(self) -> Hashable:
        """The key that identical requests share."""
        chosen = self.selection
        kind = type(self.ref), tuple(chosen.include), chosen.verdicts
        return self.identity, self.forge.config.alias, str(self.ref).lower(), kind, self.asked


@frozen
class Answer:
    """A response body and its ETag."""

    body: Body
    tag: str


@define
class Known:
    """The ETags of the last answers, by request."""

    _tags: OrderedDict[Hashable, str] = Factory(OrderedDict)

    @classmethod
    def of(cls, scope: Scope) -> "Known":  # noqa: ARG003 -- the signature of a factory
        """Create the instance that a server shares among its calls."""
        return cls()

    def is_same(self, key: Hashable, tag: str) -> bool:
        """Return whether the ETag of an answer is the same as last time, and store it."""
        same = self._tags.pop(key, "") == tag
        self._tags[key] = tag
        while len(self._tags) > MOST:
            self._tags.popitem(last=False)
        return same


async def answer(ctx: Context, question: Question) -> Answer:
    """Return the answer to a request.

    Raises:
        RateLimited: The request budget of the forge or the repository is used up.
        ForgeError: The conversation cannot be read.
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
    # An unchanged answer was mostly revalidated with 304s, which do not count against GitHub's rate limit.
    same = ctx.shared(Known.of).is_same(question.key, found.tag)
    admission.charge(account, 0 if same else _cost(sources))
    return found


def _written(sources: Sources, question: Question) -> Answer:
    written = body(merged(sources, question.selection), question.asked)
    return Answer(written, validator(written.written))


def _cost(sources: Sources) -> int:
    """Return the estimated number of requests that a read took, beside the first."""
    lists = sources.lists().values()
    return sum(1 if isinstance(listing, Unknown) else max(1, ceil(len(listing) / PAGE)) for listing in lists)
