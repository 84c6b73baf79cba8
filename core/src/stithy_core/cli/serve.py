"""`stithy serve`. A module of its own because hosts start it for every session: it imports no other command."""

import gc
from typing import TYPE_CHECKING

import click
from attrs import evolve

from stithy_core.cli.command_support import AppOptions, F, create_app, take_streams, with_app_options
from stithy_core.sdk_import import skip_unused_parts

if TYPE_CHECKING:
    from stithy_core.config import AnswerParts

PORTS = 65_536


def _parse_address(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, int] | None:  # noqa: ARG001 -- click's signature
    """Return host and port of HOST:PORT; an IPv6 address is in brackets.

    Raises:
        BadParameter: The value has another form.
    """
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    if not (port.isdecimal() and int(port) < PORTS) or not host or (":" in host and not host.startswith("[")):
        raise click.BadParameter(f"invalid address {value!r}; expected HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080")
    return host, int(port)


def with_serve_options(command: F) -> F:
    """Declare the options for serving."""
    command = click.option(
        "--answers",
        type=click.Choice(["auto", "text", "both"]),
        help="Send the text of answers alone, or the object, too; auto: the text alone to known hosts.",
    )(command)
    command = click.option(
        "--open",
        "open_",
        multiple=True,
        type=click.Choice(["mcp", "routes", "metrics"]),
        help="With --http: require no token for this area; may be repeated.",
    )(command)
    return click.option(
        "--http", "address", metavar="HOST:PORT", callback=_parse_address, help="Serve over HTTP at this address."
    )(command)


@click.command()
@with_serve_options
@with_app_options
def serve(
    options: AppOptions, address: tuple[str, int] | None, open_: tuple[str, ...], answers: "AnswerParts | None"
) -> None:
    """Serve MCP over standard input and output, for a host; or over HTTP, with the routes of plugins.

    The server starts without a token, and while forges are down. Logs go to standard error; STITHY_LOG=info shows each
    call.
    """
    options = evolve(options, answers=answers)
    if address is not None:
        from stithy_core.config.transports import HTTP, require_transport

        transport = require_transport(HTTP)
        with skip_unused_parts(over_http=True):
            transport.serve(create_app(options), *address, open_)
        return
    if open_:
        raise click.UsageError("--open requires --http")
    # Before any plugin runs, and for ever: a thread that a plugin starts may print at any time.
    reading, writing = take_streams()
    app = create_app(options)
    with skip_unused_parts():
        from stithy_core.server import build_server, serve_stdio

    server = build_server(app.contents())
    # Objects that exist now live as long as the server: the collector never looks at them again.
    gc.freeze()
    gc.enable()
    serve_stdio(server, reading, writing)
