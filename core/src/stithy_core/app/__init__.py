"""Composition root: creates a server from settings and plugins. It is the only package that imports all others."""

from stithy_core.app.assembly import App

__all__ = ["App"]
