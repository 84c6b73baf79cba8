"""What the policies know of a request beside the request itself."""

from hashlib import blake2b

import httpx
from attrs import frozen

from stithy_core.http.expected_json import ExpectedJson

MARK = "stithy"
KEY = "stithy.key"
WAIT = "stithy.wait"


@frozen
class Mark:
    """Goes along with a request, in its `extensions`.

    Args:
        identity: Whose token it carries (`identity_of`).
        writing: Whether it changes something.
        repeatable: Whether sending it twice does the same as once.
        streamed: Whether a success is handed on before its body was read.
        expected: What the JSON of a success must be; None where nothing is known of it.
    """

    identity: str = ""
    writing: bool = False
    repeatable: bool = True
    streamed: bool = False
    expected: ExpectedJson | None = None


def mark_of(request: httpx.Request) -> Mark:
    """Give a request's mark."""
    mark: Mark = request.extensions[MARK]
    return mark


def key_of(request: httpx.Request) -> str:
    """Give what makes two requests the same: method, URL, whose token, every header but it, and what is expected.

    All headers count, so that whatever an answer's `Vary` names is part of the key. What is expected counts, so that
    a copy that suits one question is never the answer to another.
    """
    if (known := request.extensions.get(KEY)) is None:
        mark = mark_of(request)
        parts = [request.method.encode(), str(request.url).encode(), mark.identity.encode()]
        parts.append(repr(mark.expected).encode())
        for name, value in request.headers.raw:
            if name.lower() != b"authorization":
                parts += [name.lower(), value]
        known = request.extensions[KEY] = blake2b(b"\n".join(parts), digest_size=20).hexdigest()
    key: str = known
    return key
