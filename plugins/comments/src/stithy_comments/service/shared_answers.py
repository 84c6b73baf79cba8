"""Answers of the service: read once for identical concurrent requests, and charged to the request budget."""

from collections import OrderedDict
from collections.abc import Hashable
from math import ceil

from attrs import Factory, define, frozen

from stithy_comments.service.etags import create_etag
from stithy_comments.service.query_parameters import QueryParameters
from stithy_comments.service.request_budget import BudgetAccount, RequestBudget
from stithy_comments.service.response_body import ResponseBody, create_body
from stithy_comments.service.single_flight import Flights
from stithy_comments.stream.merged_stream import merge_sources
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.stream.stream_sources import StreamSources, read_stream_sources
from stithy_core.spi import Context, Forge, IssueRef, Scope, Unknown

PAGE = 100
"""Approximate number of items that a forge returns per request."""
MOST = 4_096
"""Maximum number of answers whose ETags are kept."""


@frozen(kw_only=True)
class ConversationRequest:
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
    asked: QueryParameters
    identity: str

    @property
    def key(self) -> Hashable:
        """The key that identical requests share."""
        chosen = self.selection
        kind = type(self.ref), tuple(chosen.include), chosen.verdicts
        return self.identity, self.forge.config.alias, str(self.ref).lower(), kind, self.asked


@frozen
class TaggedBody:
    """A response body and its ETag."""

    body: ResponseBody
    tag: str


@define
class LastTags:
    """The ETags of the last answers, by request."""

    _tags: OrderedDict[Hashable, str] = Factory(OrderedDict)

    @classmethod
    def create(cls, scope: Scope) -> "LastTags":  # noqa: ARG003 -- the signature of a factory
        """Create the instance that a server shares among its calls."""
        return cls()

    def is_same(self, key: Hashable, tag: str) -> bool:
        """Return whether the ETag of an answer is the same as last time, and store it."""
        same = self._tags.pop(key, "") == tag
        self._tags[key] = tag
        while len(self._tags) > MOST:
            self._tags.popitem(last=False)
        return same


async def get_answer(ctx: Context, question: ConversationRequest) -> TaggedBody:
    """Return the answer to a request.

    Raises:
        RateLimited: The request budget of the forge or the repository is used up.
        ForgeError: The conversation cannot be read.
    """
    flights: Flights[TaggedBody] = ctx.shared(_flights)
    return await flights.join(question.key, lambda: _read_answer(ctx, question))


def _flights(scope: Scope) -> Flights[TaggedBody]:
    return Flights.create(scope)


async def _read_answer(ctx: Context, question: ConversationRequest) -> TaggedBody:
    admission = ctx.shared(RequestBudget.create)
    account = BudgetAccount(question.identity, question.forge.config.alias, str(question.ref.repository))
    admission.admit(account)
    sources = await read_stream_sources(question.forge, question.ref, question.selection)
    found = await ctx.thread(_encode_answer, sources, question)
    # An unchanged answer was mostly revalidated with 304s, which do not count against GitHub's rate limit.
    same = ctx.shared(LastTags.create).is_same(question.key, found.tag)
    admission.charge(account, 0 if same else _estimate_cost(sources))
    return found


def _encode_answer(sources: StreamSources, question: ConversationRequest) -> TaggedBody:
    written = create_body(merge_sources(sources, question.selection), question.asked)
    return TaggedBody(written, create_etag(written.written))


def _estimate_cost(sources: StreamSources) -> int:
    """Return the estimated number of requests that a read took, beside the first."""
    lists = sources.lists().values()
    return sum(1 if isinstance(listing, Unknown) else max(1, ceil(len(listing) / PAGE)) for listing in lists)
