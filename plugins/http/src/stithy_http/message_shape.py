"""Requests over HTTP that are JSON but no JSON-RPC request are answered as over standard input and output."""

from attrs import frozen
from pydantic_core import from_json
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from stithy_core.server.malformed import refuse_message
from stithy_http.body_limit import replay_body

BAD_REQUEST = 400


@frozen(eq=False)
class MessageShape:
    """Answers requests of a wrong shape with -32600 and their id.

    The SDK answers them with -32602 and without an id, and takes one whose id is null or no integer for a notification:
    202, and nothing else.

    Args:
        app: What answers the rest; the body arrives in one piece.
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        first = await receive()
        body = first.get("body", b"")
        try:
            refused = refuse_message(from_json(body))
        except ValueError:  # no JSON; the SDK says so
            refused = []
        if not refused:
            return await self.app(scope, replay_body(first, receive), send)
        error = refused[0] if len(refused) == 1 else refused[0].model_copy(update={"id": None})
        content = error.model_dump_json(by_alias=True, exclude_unset=True)
        return await Response(content, BAD_REQUEST, media_type="application/json")(scope, receive, send)
