"""Answers of the service: read once for identical concurrent requests, and charged to the request budget (SERVE-18)."""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from math import ceil

from attrs import Factory, define, frozen

from stithy_comments.service.query_parameters import QueryParameters
from stithy_comments.service.response_body import ResponseBody, create_body
from stithy_comments.service.single_flight import Flights
from stithy_comments.settings import CommentsSettings
from stithy_comments.stream.merged_stream import merge_sources
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.stream.stream_sources import StreamSources, read_stream_sources
from stithy_core.spi import Context, Forge, IssueRef, RateLimited, Scope, Unknown

ENTITY_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
TAG_CHARACTERS = 32
HOUR = 3600.0
"""Seconds."""
BURST = 0.2
"""The share of an hour's requests that may be spent at once; the rest refills over the hour."""
SHARE = 0.5
"""The share of the requests that one repository may use."""
MOST_BUCKETS = 10_000
"""Maximum number of buckets; a repository whose bucket was evicted is still limited by its forge's bucket."""
ITEMS_PER_REQUEST = 100
"""Approximate number of items that a forge returns per request."""
MOST_TAGS = 4_096
"""Maximum number of answers whose ETags are kept."""


def create_etag(body: bytes) -> str:
    """Return the ETag of a body: a digest of its bytes, so that all replicas have the same."""
    return f'"{sha256(body).hexdigest()[:TAG_CHARACTERS]}"'


def has_etag(header: str, tag: str) -> bool:
    """Return whether `If-None-Match` contains an ETag; the comparison is weak (RFC 9110, 13.1.2).

    Args:
        header: The value of `If-None-Match`; empty if the header is missing.
        tag: The ETag of the body that would be sent.
    """
    return header.strip() == "*" or tag in ENTITY_TAG.findall(header)


@define
class TokenBucket:
    """A token bucket: it refills steadily up to its size; requests in progress may overdraw it.

    Args:
        per_hour: Maximum number of requests in any hour.
        level: The requests available at time `at`; negative if overdrawn.
        at: The time of `level`, in seconds of the clock.
    """

    per_hour: float
    level: float
    at: float

    def spend(self, cost: float, now: float) -> None:
        """Refill the bucket up to `now`, then remove `cost` requests."""
        most = BURST * self.per_hour
        self.level = min(most, self.level + (now - self.at) * self._per_second) - cost
        self.at = now

    def wait(self, now: float) -> float:
        """Return the seconds until a request is available; 0 if one is available now."""
        self.spend(0, now)
        return max(0.0, (1 - self.level) / self._per_second)

    @property
    def _per_second(self) -> float:
        return (1 - BURST) * self.per_hour / HOUR


@frozen
class BudgetAccount:
    """The owner of a bucket: a token's identity (empty for the server's own token), a forge and a repository."""

    identity: str
    forge: str
    repository: str


class RequestBudget:
    """Counts the requests to each forge and repository, with a token bucket for each.

    The core obeys the rate limit in the forge's headers. This budget applies before that, so that other users of the
    same token keep a part of the forge's rate limit.

    Args:
        per_hour: Maximum number of requests to one forge in an hour; 0 for unlimited.
        clock: Returns the time in seconds.
    """

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_hour = per_hour
        self._clock = clock
        self._buckets: OrderedDict[Hashable, TokenBucket] = OrderedDict()

    @classmethod
    def create(cls, scope: Scope) -> "RequestBudget":
        """Create the instance that a server shares among its calls."""
        return cls(scope.settings(CommentsSettings).requests_per_hour)

    def admit(self, account: BudgetAccount) -> None:
        """Spend one request.

        Args:
            account: The token, forge and repository.

        Raises:
            RateLimited: The budget is used up; `retry_after` has the seconds until a request is available.
        """
        if self._per_hour <= 0:
            return
        now = self._clock()
        wait, whose = max((bucket.wait(now), name) for name, bucket in self._both(account, now))
        if wait > 0:
            raise RateLimited(
                f"the budget of {whose} is used up: the limit is {self._per_hour:,} requests per hour to"
                f" {account.forge}, half of them for one repository",
                suggestion="Send If-None-Match, request less, or raise requests_per_hour in [comments].",
                retry_after=wait,
            )
        self.charge(account, 1)

    def charge(self, account: BudgetAccount, cost: int) -> None:
        """Spend the further requests that an answer took; called once that number is known."""
        if self._per_hour > 0:
            now = self._clock()
            for _, bucket in self._both(account, now):
                bucket.spend(cost, now)

    def _both(self, account: BudgetAccount, now: float) -> Sequence[tuple[str, TokenBucket]]:
        named = f"{account.forge}:{account.repository}"
        whole = self._bucket((account.identity, account.forge), 1, now)
        return [(account.forge, whole), (named, self._bucket((account.identity, named.lower()), SHARE, now))]

    def _bucket(self, key: Hashable, share: float, now: float) -> TokenBucket:
        if key not in self._buckets:
            size = max(share * self._per_hour, 1 / BURST)  # a bucket smaller than one request would never admit any
            self._buckets[key] = TokenBucket(size, BURST * size, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return self._buckets[key]


@frozen(kw_only=True)
class ConversationRequest:
    """A request to the service.

    Args:
        forge: The forge.
        ref: The pull request, or a number that may be an issue's.
        selection: The part of the conversation to read.
        options: The parameters of the request.
        identity: The identity of the forge token. Answers read with one token are never returned to another's owner.
    """

    forge: Forge
    ref: IssueRef
    selection: Selection
    options: QueryParameters
    identity: str

    @property
    def key(self) -> Hashable:
        """The key that identical requests share."""
        chosen = self.selection
        kind = type(self.ref), tuple(chosen.include), chosen.verdicts
        return self.identity, self.forge.config.alias, str(self.ref).lower(), kind, self.options


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
        while len(self._tags) > MOST_TAGS:
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
    written = create_body(merge_sources(sources, question.selection), question.options)
    return TaggedBody(written, create_etag(written.written))


def _estimate_cost(sources: StreamSources) -> int:
    """Return the estimated number of requests that a read took, beside the first."""
    lists = sources.lists().values()
    return sum(
        1 if isinstance(listing, Unknown) else max(1, ceil(len(listing) / ITEMS_PER_REQUEST)) for listing in lists
    )
