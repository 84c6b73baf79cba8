"""Puts a server together; the only room that knows all the others."""

from stithy_core.app.assembly import App
from stithy_core.app.doctor import examine

__all__ = ["App", "examine"]
