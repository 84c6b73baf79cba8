"""Serves an app over HTTP: `stithy serve --http HOST:PORT`."""

import gc
import os
from collections.abc import Iterable
from ipaddress import ip_address

import click

from stithy_core.app import App
from stithy_core.errors import ConfigError
from stithy_http import json_logs
from stithy_http.application import Application, build_application
from stithy_http.bearer_tokens import create_issuer, create_verifier
from stithy_http.http_settings import ServeHttpSettings
from stithy_http.options import ServerOptions
from stithy_http.uvicorn_server import ConnectionLimits, ShutdownTimes, WebServer, format_address, listen, run_server

AREAS = frozenset({"mcp", "routes", "metrics"})


def serve_http(app: App, host: str, port: int, open_areas: Iterable[str]) -> None:
    """Serve over HTTP until a signal comes.

    Args:
        app: The app.
        host: The host name or address to listen at.
        port: The port; 0 takes a free one.
        open_areas: Areas that need no authentication, besides those of the settings.

    Raises:
        ConfigError: The server cannot listen there, or other machines reach it and nobody could authenticate.
    """
    application = create_application(app, host, open_areas)
    listening = listen(host, port)
    settings = read_settings(app)
    limits = ConnectionLimits(settings.max_connections, settings.header_seconds, settings.idle_seconds)
    server = WebServer(application, ShutdownTimes(settings.drain_seconds, settings.grace_seconds), limits)
    address = format_address(listening)
    # Objects that exist now live as long as the server: the collector never looks at them again.
    gc.freeze()
    gc.enable()
    json_logs.set_up_json_logging(os.environ.get("STITHY_LOG", "warning"))
    run_server(server, listening, lambda: click.echo(f"listening on {address}", err=True))


def create_application(app: App, host: str, open_areas: Iterable[str] = ()) -> Application:
    """Return the ASGI application of an app.

    Args:
        app: The app.
        host: The host name or address that it will listen at.
        open_areas: Areas that need no authentication, besides those of the settings.

    Raises:
        ConfigError: Other machines reach it and nobody could authenticate, or a token cannot be read.
    """
    return build_application(app.contents(), create_options(app, host, open_areas))


def create_options(app: App, host: str, open_areas: Iterable[str] = ()) -> ServerOptions:
    """Return how the application protects itself; arguments and errors as for `create_application`."""
    settings = read_settings(app)
    verifier = create_verifier(app, settings)
    # Further names mean that clients elsewhere reach it by them, through a proxy on this machine.
    only_local = is_loopback(host) and not settings.hosts
    opened = frozenset((*settings.open, *open_areas)) | (AREAS if only_local and verifier is None else frozenset())
    if verifier is None and not opened:
        raise ConfigError(
            f"other machines reach the server at {host}, and no token is configured",
            suggestion="Set STITHY_HTTP_TOKEN or STITHY_HTTP_TOKEN_FILE, or write a table [serve.http.oauth];"
            " --open mcp (routes, metrics) needs no authentication for that area.",
        )
    own = frozenset() if is_wildcard(host) else frozenset({host.lower()})
    return ServerOptions(
        hosts=own | frozenset(settings.hosts),
        origins=frozenset(settings.origins),
        loopback=only_local,
        open=opened,
        verifier=verifier,
        issuer=create_issuer(settings.oauth) if settings.oauth else None,
        forge_tokens=settings.forge_tokens,
        forge_token_fallback=settings.forge_token_fallback,
        max_body=settings.max_body,
        max_requests=settings.max_requests,
        max_requests_each=settings.max_requests_each,
    )


def read_settings(app: App) -> ServeHttpSettings:
    """Return the settings of an app's HTTP server; the defaults without a table `[serve.http]` and its variables."""
    settings = app.config.serve.http
    return settings if isinstance(settings, ServeHttpSettings) else ServeHttpSettings()


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_wildcard(host: str) -> bool:
    """Return whether an address means all addresses of a machine."""
    return host.strip("[]") in ("", "0.0.0.0", "::")  # noqa: S104 -- it is compared, not bound
