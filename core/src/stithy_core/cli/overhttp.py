"""`stithy serve --http`."""

import gc
import os
from collections.abc import Iterable

import click

from stithy_core.cli.common import Choice, make_app
from stithy_core.errors import ConfigError


def serve_http(choice: Choice, host: str, port: int, open_: Iterable[str]) -> None:
    """Serve over HTTP until a signal comes.

    Args:
        choice: Which plugins are loaded, and what may be done with them.
        host: Where to listen.
        port: Likewise; 0 takes one that is free.
        open_: What nobody has to authenticate for, beside what the settings say.

    Raises:
        ConfigError: The address cannot be had, or others reach it and nobody could authenticate.
    """
    try:
        from stithy_core.server.web import logs
    except ImportError as error:
        remedy = 'Run: pip install "stithy-core[serve]"'
        raise ConfigError(f"serving over HTTP needs the package {error.name}", suggestion=remedy) from error
    from stithy_core.app.serving import options_of
    from stithy_core.server.web import application
    from stithy_core.server.web.serving import ConnectionLimits, Ending, WebServer, address_of, listen, run

    app = make_app(choice)
    served = application(app.contents(), options_of(app, host, open_=open_))
    listening = listen(host, port)
    settings = app.config.serve.http
    limits = ConnectionLimits(settings.max_connections, settings.header_seconds, settings.idle_seconds)
    server = WebServer(served, Ending(settings.drain_seconds, settings.grace_seconds), limits)
    address = address_of(listening)
    gc.freeze()
    gc.enable()
    logs.set_up(os.environ.get("STITHY_LOG", "warning"))
    run(server, listening, lambda: click.echo(f"listening on {address}", err=True))
