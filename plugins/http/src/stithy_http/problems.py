"""Errors of the server itself, in the shape of the errors of routes: `{"error": {"code": …, "message": …}}`."""

from collections.abc import Mapping

from attrs import Factory, frozen
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from stithy_core.spi import Response as PluginResponse
from stithy_http.plugin_routes import to_starlette_response
from stithy_http.request_state import get_request_state


@frozen
class Problem:
    """Why the server refuses a request.

    Args:
        status: The HTTP status.
        code: The error code, which is also a label of the metrics.
        message: What happened, and what to do next.
        headers: Further headers of the answer.
    """

    status: int
    code: str
    message: str
    headers: Mapping[str, str] = Factory(dict)

    def create_response(self) -> Response:
        """Return the answer."""
        body = {"error": {"code": self.code, "message": self.message}}
        return to_starlette_response(PluginResponse.of_json(body, status=self.status, headers=self.headers))


async def send_problem(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a request, and record the code."""
    get_request_state(scope).refused = problem.code
    await problem.create_response()(scope, receive, send)
