"""Serves stithy over HTTP: MCP, the routes of plugins, and what operators ask.

This module declares the transport and imports nothing that only serving needs: reading the settings loads it, too.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from stithy_core.config.transports import Transport
from stithy_http.http_settings import ServeHttpSettings, read_environment

if TYPE_CHECKING:
    from stithy_core.app import App
    from stithy_http.application import Application

__all__ = ["TRANSPORT", "ServeHttpSettings"]


def _application(app: "App", host: str, open_areas: Iterable[str]) -> "Application":
    from stithy_http.command import create_application

    return create_application(app, host, open_areas)


def _serve(app: "App", host: str, port: int, open_areas: Iterable[str]) -> None:
    from stithy_http.command import serve_http

    serve_http(app, host, port, open_areas)


TRANSPORT = Transport(
    settings=ServeHttpSettings, read_environment=read_environment, application=_application, serve=_serve
)
