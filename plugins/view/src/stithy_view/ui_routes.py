"""The pages over HTTP: a pull request, and the state of the server."""

from stithy_core.spi import Context, InvalidArguments, Request, Response, ToolAnswer
from stithy_view.pull_request_answers import read_answers
from stithy_view.report_page import create_report_page
from stithy_view.status_page import create_status_page

RESERVE = 2.0
"""Seconds of the time limit that are left for the page itself."""
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    # Of a policy in the page, browsers ignore this directive (CSP, section 3.3).
    "Content-Security-Policy": "frame-ancestors 'none'",
}


async def show_pull_request(ctx: Context, request: Request) -> Response:
    """Answer `/ui/pull-request?pr=…` with the page of a pull request, or with the error if no tool could read it."""
    pr = request.one("pr")
    if not pr:
        raise InvalidArguments("the query parameter pr is missing", suggestion="Pass pr=owner/repo%23123 or its URL.")
    answers = await read_answers(ctx, pr, ctx.remaining() - RESERVE)
    return _respond(create_report_page(answers, can_reload=True), _choose_status(answers.failure))


def _choose_status(failure: ToolAnswer | None) -> int:
    if failure is None:
        return 200
    # Only this error has a code of its own (JSON-RPC); of the others, an answer does not say which one it is.
    return InvalidArguments.http_status if failure.structured.get("code") == InvalidArguments.code else 502


async def show_status(ctx: Context, request: Request) -> Response:  # noqa: ARG001 -- a handler's signature
    """Answer `/ui/status` with the page of the server's state."""
    return _respond(await create_status_page(ctx))


def _respond(page: str, status: int = 200) -> Response:
    return Response(status=status, body=page.encode(errors="replace"), headers=HEADERS)
