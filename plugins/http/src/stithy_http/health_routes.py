"""What those ask who run the server: is it alive, and should it be sent requests?"""

from collections.abc import Callable, Sequence

from attrs import define, field
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route


@define(eq=False)
class Drain:
    """Whether the server is about to end.

    Args:
        close: Ends the streams that would never end by themselves, and tells who listens that it was meant.

    Attributes:
        begun: It has been told to: it still answers, and wants no more.
    """

    _close: Callable[[], None]
    begun: bool = field(default=False, init=False)

    def begin(self) -> None:
        """Hear that it is. Whoever listens again meanwhile is ended by hearing it once more."""
        self.begun = True
        self._close()


def routes(drain: Drain, failed_services: Callable[[], Sequence[str]]) -> list[BaseRoute]:
    """Create `/healthz`, which is 200 as long as anything answers, and `/readyz`, which is 503 once the end has begun.

    A forge or Redis that is down changes neither: another replica has the same trouble, and a restart does not help. A
    service that failed does not either, since it is started again; `/readyz` names it.

    Args:
        drain: Whether the end has begun.
        failed_services: Returns the names of the services that do not run now.
    """

    async def alive(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature
        return PlainTextResponse("ok\n")

    async def ready(request: Request) -> Response:  # noqa: ARG001 -- Starlette's signature
        lines = [f"service {name} failed and starts again\n" for name in failed_services()]
        return PlainTextResponse("ending\n", 503) if drain.begun else PlainTextResponse("".join(["ok\n", *lines]))

    return [Route("/healthz", alive), Route("/readyz", ready)]
