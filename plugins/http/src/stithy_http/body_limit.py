"""What is sent to us: read whole before anybody works on it, and neither large nor slow."""

import anyio
from attrs import frozen
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stithy_http.problems import Problem, refuse

PATIENCE = 20.0
"""Seconds for a body to arrive; who sends a byte now and then would keep one of few places."""

CLOSE = {"Connection": "close"}  # the rest of the body would be taken for the next request


class _Gone(Exception):
    """The client went away while it sent."""


class _Large(Exception):
    """It sent too much."""


@frozen(eq=False)
class Bodies:
    """Refuses bodies that are too large (413) or too slow (408).

    Args:
        app: What answers the rest.
        most: Bytes of a body.
    """

    app: ASGIApp
    most: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        try:
            with anyio.fail_after(PATIENCE):
                body = await self._read(Headers(scope=scope), receive)
        except _Gone:
            return None
        except _Large:
            text = f"a request has at most {self.most:,} bytes ([serve.http] max_body)"
            return await refuse(Problem(413, "body_too_large", text, CLOSE), scope, receive, send)
        except TimeoutError:
            text = f"the body did not arrive within {PATIENCE:.0f} seconds"
            return await refuse(Problem(408, "body_too_slow", text, CLOSE), scope, receive, send)
        whole = {"type": "http.request", "body": body, "more_body": False}
        return await self.app(scope, replay_body(whole, receive), send)

    async def _read(self, headers: Headers, receive: Receive) -> bytes:
        declared = headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self.most:
            raise _Large
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise _Gone
            body += message.get("body", b"")
            if len(body) > self.most:
                raise _Large
            if not message.get("more_body", False):
                return bytes(body)


def replay_body(first: Message, receive: Receive) -> Receive:
    """Return what receives a body that was read already, and then whether the client is still there."""
    unread = [first]

    async def replay() -> Message:
        return unread.pop() if unread else await receive()

    return replay
