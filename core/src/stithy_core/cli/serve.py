"""`stithy serve`."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from stithy_core.cli.common import Choice, make_app, with_choice
from stithy_core.cli.streams import take

PORTS = 65_536


def _address(ctx: click.Context, parameter: click.Parameter, given: str | None) -> tuple[str, int] | None:  # noqa: ARG001 -- click's signature
    """Read HOST:PORT; an IPv6 address stands in brackets."""
    if given is None:
        return None
    host, _, port = given.rpartition(":")
    if not (port.isdecimal() and int(port) < PORTS) or not host or (":" in host and not host.startswith("[")):
        raise click.BadParameter("write HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080")
    return host, int(port)


@click.command()
@click.option("--http", "address", metavar="HOST:PORT", callback=_address, help="Serve over HTTP there: MCP at /mcp.")
@click.option(
    "--open",
    "open_",
    multiple=True,
    type=click.Choice(["mcp", "routes", "metrics"]),
    help="With --http: let everybody in who reaches it, without a token; may be repeated.",
)
@with_choice
def serve(choice: Choice, address: tuple[str, int] | None, open_: tuple[str, ...]) -> None:
    """Serve MCP over standard input and output, as a host starts it; or over HTTP, with the routes of plugins.

    It starts with every forge down and without a token. Logs go to standard error; STITHY_LOG=info shows each call.
    """
    if address is not None:
        from stithy_core.config.transports import HTTP, require_transport

        transport = require_transport(HTTP)
        transport.serve(make_app(choice), *address, open_)
        return
    if open_:
        raise click.UsageError("--open is for --http")
    # Before any plugin runs, and for good: a thread that one starts may print at any time.
    reading, writing = take()
    app = make_app(choice)
    with _absent("uvicorn"):
        from stithy_core.server import build
        from stithy_core.server import serve as serve_stdio

    server = build(app.contents())
    # What is there now stays: it is not looked at again when the collector runs.
    gc.freeze()
    gc.enable()
    serve_stdio(server, reading, writing)


@contextmanager
def _absent(module: str) -> Iterator[None]:
    """Let what is imported meanwhile find a module missing (docs/adr/0007-start-without-uvicorn.md).

    sse_starlette, which the SDK brings, imports uvicorn only to hook its shutdown, and says that it may be missing.
    Over standard input and output nothing is ever served by it, and it takes a twentieth of the start.
    """
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment] # how Python marks what must not be found
    try:
        yield
    finally:
        del sys.modules[module]
