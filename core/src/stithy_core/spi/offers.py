"""The smaller things a plugin can give: settings, commands, checks, services and routes."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Literal

from attrs import Factory, frozen

from stithy_core.spi.runtime import Scope
from stithy_core.spi.tools import Ref


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


@frozen(kw_only=True)
class Request:
    """An HTTP request to a plugin's route."""

    method: str
    path: str
    parameters: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


@frozen(kw_only=True)
class Response:
    """The answer of a plugin's route."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = Factory(dict)


@frozen(kw_only=True, eq=False)
class Route:
    """An HTTP route, for a server that is started with HTTP: `path` has its variables in braces."""

    method: str
    path: str
    handler: Ref | Callable[[Scope, Request], Awaitable[Response]]
