"""Transports other than standard input and output, found by their entry points in the group `stithy.transports`.

They are found here, below the app, because a transport has the class of its settings table.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from attrs import frozen

from stithy_core.errors import ConfigError

GROUP = "stithy.transports"
HTTP = "http"
"""The one transport that the command line and the settings know today."""
HTTP_VARIABLES = "STITHY_HTTP_"


@frozen(kw_only=True)
class Transport:
    """A way to serve an app, declared by a distribution of its own (docs/adr/0034-http-is-a-distribution.md).

    Args:
        settings: The attrs class of its table `[serve.NAME]`; every field has a default.
        read_environment: Returns the settings with what the environment adds. Raises `ConfigError`.
        application: Returns an ASGI application that serves an app, with a context manager `running()` for its
            lifetime: from the app, the host name or address it would listen at, and the areas that are open.
        serve: Serves an app until a signal comes: from the app, host, port (0: any free one) and open areas.
    """

    settings: type
    read_environment: Callable[[Mapping[str, str], Any], Any]
    application: Callable[[Any, str, Iterable[str]], Any]
    serve: Callable[[Any, str, int, Iterable[str]], None]


@cache
def find_transport(name: str) -> Transport | None:
    """Return an installed transport; None if no distribution declares it."""
    for entry in entry_points(group=GROUP, name=name):
        transport: Transport = entry.load()
        return transport
    return None


def require_transport(name: str) -> Transport:
    """Return an installed transport.

    Raises:
        ConfigError: It is not installed.
    """
    transport = find_transport(name)
    if transport is None:
        raise ConfigError(
            f"serving over {name.upper()} needs the package stithy-{name}",
            suggestion=f'Run: pip install "stithy-{name}"',
        )
    return transport


def settings_class(name: str) -> type:
    """Return the class of the table `[serve.NAME]`: dict, which checks nothing, if the transport is not installed."""
    transport = find_transport(name)
    return transport.settings if transport else dict


def read_http_environment(environ: Mapping[str, str], settings: Any) -> Any:
    """Return the settings of HTTP with what the environment adds; unchanged if stithy-http is not installed.

    Args:
        environ: The environment.
        settings: The table `[serve.http]` as read; None if the file has none.

    Raises:
        ConfigError: A variable has an invalid value.
    """
    # A server over standard input and output is started once a session: it skips the look-up of entry points.
    if settings is None and not any(name.startswith(HTTP_VARIABLES) for name in environ):
        return None
    transport = find_transport(HTTP)
    if transport is None:
        return settings
    return transport.read_environment(environ, transport.settings() if settings is None else settings)
