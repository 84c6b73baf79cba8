"""`stithy serve`."""

import gc

import click

from stithy_core.app import App
from stithy_core.cli.common import with_app


@click.command()
@with_app
def serve(app: App) -> None:
    """Serve MCP over standard input and output, as a host starts it.

    It starts with every forge down and without a token. Logs go to standard error; STITHY_LOG=info shows each call.
    """
    from stithy_core.server import build
    from stithy_core.server import serve as serve_stdio

    server = build(app.contents())
    # What is there now stays: it is not looked at again when the collector runs.
    gc.freeze()
    gc.enable()
    serve_stdio(server)
