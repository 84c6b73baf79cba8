"""The limits of size and time for request bodies: a body is read completely before anything else looks at it."""

import anyio
from attrs import frozen
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stithy_http.problems import Problem, send_problem

BODY_SECONDS = 20.0
"""Time for a body to arrive: a client that sends a byte now and then would occupy one of few slots."""

CLOSE = {"Connection": "close"}  # otherwise the rest of the body is read as the next request


class _ClientDisconnected(Exception):
    """The client disconnected while it sent the body."""


class _BodyTooLarge(Exception):
    """The body is larger than allowed."""


@frozen(eq=False)
class BodyLimit:
    """Refuses bodies that are too large (413) or too slow (408).

    Args:
        app: Answers all other requests.
        most: Largest body, in bytes.
    """

    app: ASGIApp
    most: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        try:
            with anyio.fail_after(BODY_SECONDS):
                body = await self._read(Headers(scope=scope), receive)
        except _ClientDisconnected:
            return None
        except _BodyTooLarge:
            text = f"the body is larger than {self.most:,} bytes, the limit [serve.http] max_body; send less"
            return await send_problem(Problem(413, "body_too_large", text, CLOSE), scope, receive, send)
        except TimeoutError:
            text = f"the body did not arrive within {BODY_SECONDS:.0f} seconds"
            return await send_problem(Problem(408, "body_too_slow", text, CLOSE), scope, receive, send)
        whole = {"type": "http.request", "body": body, "more_body": False}
        return await self.app(scope, replay_body(whole, receive), send)

    async def _read(self, headers: Headers, receive: Receive) -> bytes:
        declared = headers.get("content-length", "")
        # A number of thousands of digits takes int() long; 20 digits are more than any limit.
        if declared.isdecimal() and int(declared[:20]) > self.most:
            raise _BodyTooLarge
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise _ClientDisconnected
            body += message.get("body", b"")
            if len(body) > self.most:
                raise _BodyTooLarge
            if not message.get("more_body", False):
                return bytes(body)


def replay_body(first: Message, receive: Receive) -> Receive:
    """Return a `receive` that returns a message that was read already, and then those of the client."""
    unread = [first]

    async def replay() -> Message:
        return unread.pop() if unread else await receive()

    return replay
