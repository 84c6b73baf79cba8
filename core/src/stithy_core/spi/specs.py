"""Smaller contributions of plugins: settings, commands, checks, services, HTTP routes and stores."""

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
    """A plugin's table of stithy.toml and the attrs class of its values, which has defaults for all of them."""

    table: str
    cls: type


@frozen(kw_only=True, eq=False)
class Command:
    """A subcommand: `stithy NAME …`. `run` gets the remaining arguments and returns the exit code."""

    name: str
    help: str
    run: Ref | Callable[[Scope, Sequence[str]], int]


@frozen
class Finding:
    """One line of `stithy doctor`: a finding and what to do about it."""

    level: Literal["ok", "warning", "error"]
    text: str
    remedy: str = ""


@frozen(kw_only=True, eq=False)
class Check:
    """A check of `stithy doctor`."""

    name: str
    run: Ref | Callable[[Scope], Awaitable[Iterable[Finding]]]


@frozen(kw_only=True, eq=False)
class Service:
    """Background work: an async function that runs as long as the server, and is cancelled at its end."""

    name: str
    run: Ref | Callable[[Scope], Awaitable[None]]


@frozen(kw_only=True, eq=False)
class Route:
    """An HTTP route, served when the server serves over HTTP.

    Exceptions of the handler become responses: a `StithyError` by `error_response`, any other a masked 500, a handler
    that takes longer than `seconds` a 504. A GET cannot write: the forges' clients refuse it.

    Args:
        method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`; HEAD is answered by the route of GET.
        path: The path from the root, with variables of one segment each in braces: `/repos/{owner}/{repo}`. `/mcp`,
            `/healthz`, `/readyz`, `/metrics` and `/.well-known/` are reserved.
        handler: Handles a request. Its `Context` is that of a tool's call, without progress reports.
        seconds: The time limit; `context.remaining()` returns what is left.
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
