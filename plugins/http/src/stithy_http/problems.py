"""What the server itself refuses, before MCP or a plugin is asked; in the shape that routes answer errors in."""

from collections.abc import Mapping

from attrs import Factory, frozen
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from stithy_core.spi import Response as Neutral
from stithy_http.plugin_routes import outgoing
from stithy_http.request_state import mark_of


@frozen
class Problem:
    """Why a request is not answered.

    Args:
        status: Of the answer.
        code: The word for it, which the metrics count, too.
        message: What happened, and what to do.
        headers: Of the answer.
    """

    status: int
    code: str
    message: str
    headers: Mapping[str, str] = Factory(dict)

    def response(self) -> Response:
        """Make the answer."""
        told = {"error": {"code": self.code, "message": self.message}}
        return outgoing(Neutral.of_json(told, status=self.status, headers=self.headers))


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request without going on with it."""
    mark_of(scope).refused = problem.code
    await problem.response()(scope, receive, send)
