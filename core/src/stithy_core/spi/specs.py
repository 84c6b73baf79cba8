"""The smaller things a plugin can give: settings, commands, checks, services, HTTP routes and stores."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from stithy_core.spi.runtime import Context, Scope
from stithy_core.spi.tools import Ref

if TYPE_CHECKING:
    from stithy_core.spi.routes import Request, Response
    from stithy_core.spi.stores import Store


@frozen(kw_only=True, eq=False)
class Settings:
    """A plugin's own table of stithy.toml and the attrs class that types it. The class has defaults for everything."""

    table: str
    cls: type


@frozen(kw_only=True, eq=False)
class Command:
    """A subcommand: `stithy NAME …`. It is given the rest of the command line and answers with the exit code."""

    name: str
    help: str
    run: Ref | Callable[[Scope, Sequence[str]], int]


@frozen
class Finding:
    """One line of `stithy doctor`: what was looked at, what was found, and what to do about it."""

    level: Literal["ok", "warning", "error"]
    text: str
    remedy: str = ""


@frozen(kw_only=True, eq=False)
class Check:
    """A question of `stithy doctor`."""

    name: str
    run: Ref | Callable[[Scope], Awaitable[Iterable[Finding]]]


@frozen(kw_only=True, eq=False)
class Service:
    """Background work: one async function that runs as long as the server, and is cancelled to stop."""

    name: str
    run: Ref | Callable[[Scope], Awaitable[None]]


@frozen(kw_only=True, eq=False)
class Route:
    """An HTTP route, for a server that is started with HTTP.

    What its handler raises is answered for it: a `StithyError` as `error_response` does, anything else masked as 500, a
    handler that takes longer than `seconds` as 504. A GET writes nothing: the forges' clients refuse it.

    Args:
        method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`; who asks by HEAD is answered by what GET has.
        path: From a slash on, with its variables in braces, each one segment: `/repos/{owner}/{repo}`. `/mcp`,
            `/healthz`, `/readyz`, `/metrics` and `/.well-known/` are the server's own.
        handler: Answers a request. Its `Context` is that of a tool's call, but that nobody is told of progress.
        seconds: How long it may take; `context.remaining()` tells what is left.
    """

    method: str
    path: str
    handler: "Ref | Callable[[Context, Request], Awaitable[Response]]"
    seconds: float = 30.0


@frozen(kw_only=True, eq=False)
class StoreKind:
    """A kind of store that several servers share, chosen by the scheme of `store` in `[http]`.

    Args:
        scheme: The scheme of its URLs, such as `redis`.
        open: Called once with the URL and a store in the memory of this process, whose counts are there for when the
            shared service fails. It connects at the first use, and raises a `ConfigError` for an invalid URL. The URL
            may hold a password, so no error shows it.
    """

    scheme: str
    open: "Ref | Callable[[str, Store], Store]"
