"""What the transports share: the context of a request, their exceptions, the counts for metrics, and the clock."""

import asyncio
import time
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Protocol

import httpx
from attrs import Factory, define, frozen

from stithy_core.http.response_contents import ExpectedJson

CONTEXT = "stithy"
"""The extension of a request that holds its `RequestContext`."""
KEY = "stithy.key"
WAIT = "stithy.wait"
"""The extension of a response that holds the seconds until an exhausted rate limit is renewed."""


@frozen(kw_only=True)
class RequestContext:
    """What transports need to know of a request; it is in the request's `extensions`.

    Args:
        identity: The hash of the token (`hash_token`).
        secret_headers: The names, in lower case, of the headers that carry the token.
        writing: Whether it changes something.
        repeatable: Whether sending it twice has the same effect as once.
        streamed: Whether a successful response is returned before its body is read.
        expected: What the JSON of a success must be; None if the body is not JSON.
        decode: Returns the JSON of a body that is read whole, as `Dialect.decode`.
    """

    identity: str = ""
    secret_headers: frozenset[bytes] = frozenset()
    writing: bool = False
    repeatable: bool = True
    streamed: bool = False
    expected: ExpectedJson | None = None
    decode: Callable[[bytes], bytes] = bytes


def get_context(request: httpx.Request) -> RequestContext:
    """Return the context of a request."""
    context: RequestContext = request.extensions[CONTEXT]
    return context


def hash_request(request: httpx.Request) -> str:
    """Return the hash that identical requests share: of method, URL, token, headers and expected JSON.

    All headers but those of the token count, so that whatever the `Vary` of a response names is part of the key. What
    is expected counts, so that a response that suits one caller is never returned to another that it does not suit.
    """
    if (known := request.extensions.get(KEY)) is None:
        context = get_context(request)
        parts = [request.method.encode(), str(request.url).encode(), context.identity.encode()]
        parts.append(repr(context.expected).encode())
        for name, value in request.headers.raw:
            if name.lower() not in context.secret_headers:
                parts += [name.lower(), value]
        known = request.extensions[KEY] = blake2b(b"\n".join(parts), digest_size=20).hexdigest()
    key: str = known
    return key


class TransportRefusal(Exception):
    """The root of what a transport raises in place of a response; `ErrorMapper` turns it into a `ForgeError`."""


class RateLimitExhausted(TransportRefusal):
    """A rate limit has nothing left, and the forge was not asked.

    Args:
        wait: Seconds until it may have.
        reason: What is used up.
    """

    def __init__(self, wait: float, reason: str) -> None:
        super().__init__(reason)
        self.wait = wait
        self.reason = reason


class CircuitOpen(TransportRefusal):
    """The circuit breaker of a host is open, and the host was not asked.

    Args:
        wait: Seconds until it is asked again.
        reason: The last failure of the host.
    """

    def __init__(self, wait: float, reason: str) -> None:
        super().__init__(reason)
        self.wait = wait
        self.reason = reason


class UnusableBody(TransportRefusal):
    """A response arrived whose body cannot be read.

    Args:
        status: Its HTTP status.
        reason: What is wrong with the body; follows "but".
        too_large: Whether the body is over the limit.
    """

    def __init__(self, status: int, reason: str, *, too_large: bool = False) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.too_large = too_large


MOST_LIMITS = 20


@define
class RequestCounts:
    """Counts since the client was created.

    Args:
        sent: Requests that were sent to a host, repeated ones included.
        shared: Reads that got the response of another caller's request.
        confirmed: Reads answered from the cache after the forge confirmed the entry (304).
        stale: Reads with a cache entry that was no longer valid.
        missed: Reads without a cache entry.
        repeated: Requests that were sent again after a failure.
        withheld: Requests that were not sent, since a rate limit was exhausted or a circuit breaker open.
        left: What each rate limit of the forge had left in its latest response.
    """

    sent: int = 0
    shared: int = 0
    confirmed: int = 0
    stale: int = 0
    missed: int = 0
    repeated: int = 0
    withheld: int = 0
    left: dict[str, int] = Factory(dict)

    def record_limit(self, limit: str, left: int) -> None:
        """Record what a rate limit has left."""
        # A forge has a few limits; the names are its own, so a broken one must not fill the memory.
        if limit in self.left or len(self.left) < MOST_LIMITS:
            self.left[limit] = left

    def reads(self) -> Mapping[str, int]:
        """Return how many reads were answered in each way."""
        return {
            "coalesced": self.shared,
            "revalidated": self.confirmed,
            "stale": self.stale,
            "missed": self.missed,
        }


class Clock(Protocol):
    """Reads the time and waits."""

    def time(self) -> float:
        """Return the seconds since 1970 by this machine's clock."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        ...


class SystemClock:
    """The clock of this machine."""

    def time(self) -> float:
        """Return the seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)


SYSTEM = SystemClock()
