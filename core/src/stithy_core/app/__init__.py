"""Puts a server together; the only room that knows all the others."""

from stithy_core.app.assembly import App

__all__ = ["App"]
