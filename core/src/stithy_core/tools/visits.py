"""One request to a plugin's route, from the request to its response: the only way in and the only way out."""

import re
from collections.abc import Callable
from typing import Any

import anyio

from stithy_core.containment import ends_caller
from stithy_core.errors import InternalError, InvalidSpec, StithyError, ToolTimeout
from stithy_core.spi import Request, Response, error_response
from stithy_core.spi.write_guard import WriteGuard
from stithy_core.tools.context import CallContext, Places
from stithy_core.tools.executor import silent
from stithy_core.tools.jobs import Jobs
from stithy_core.tools.masking import inside, told
from stithy_core.tools.mounting import Mounted

MOST = 8 * 1024 * 1024
"""Bytes of a response's body; what would be larger is a fault of its plugin's, which should cut and say so."""

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")


class Visits:
    """Answers requests: a context made, the handler timed, its faults masked, its response held to what HTTP can say.

    Args:
        places: Finds the repositories and pull requests that are asked for.
        jobs: Work that outlives requests.
    """

    def __init__(self, places: Places, jobs: Jobs) -> None:
        self._places = places
        self._jobs = jobs

    async def answer(self, mounted: Mounted, request: Request) -> Response:
        """Answer one request; every failure is an answer, too."""
        try:
            return await self._answer(mounted, request)
        except StithyError as known:
            return error_response(known)
        except BaseException as unknown:  # the one place where a plugin's fault is masked
            if ends_caller(unknown):
                raise
            return error_response(told(unknown, mounted.name, mounted.origin))

    async def _answer(self, mounted: Mounted, request: Request) -> Response:
        handler, seconds = _handler(mounted), mounted.route.seconds
        ends = anyio.current_time() + seconds
        passage = WriteGuard(mounted.name, writes=mounted.route.method != "GET", dry=False)
        context = CallContext(
            mounted.scope,
            silent,
            places=self._places,
            jobs=self._jobs,
            ends=ends,
            passage=passage,
            caller=request.caller,
        )
        with passage, anyio.move_on_at(ends) as limit:
            response = await handler(context, request)
        if limit.cancelled_caught:
            raise ToolTimeout(f"{mounted.name} took longer than {seconds:g} seconds", suggestion="Try again.")
        if misfit := _misfit(response):
            raise inside(mounted.name, mounted.origin, f": {misfit}", "Report it to the plugin's author.")
        assert isinstance(response, Response)
        return response


def _handler(mounted: Mounted) -> Callable[..., Any]:
    try:
        return mounted.handler
    except InvalidSpec as error:
        raise InternalError(
            f"{mounted.name} of {mounted.origin}: {error.message}", suggestion=error.suggestion
        ) from error


def _misfit(response: object) -> str:
    """Say what is wrong with what a handler gave, or nothing."""
    if not isinstance(response, Response):
        return f"its handler gave {type(response).__name__}, and no Response"
    if response.status not in range(200, 600):  # RFC 9110, section 15
        return "its status is none"
    if type(response.body) is not bytes:
        return "its body is no bytes"
    if len(response.body) > MOST:
        return f"its body of {len(response.body):,} bytes is larger than {MOST:,}"
    fit = all(_HEADER.fullmatch(name) and _VALUE.fullmatch(value) for name, value in response.headers.items())
    return "" if fit else "its headers cannot be sent"
