"""The testing kit for plugins. Its pytest plugin is installed with it.

Each name is loaded at its first use: pytest loads the plugin before it measures coverage, and what the plugin imported
by then would not be counted.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stithy_testing.browsing import Browser, browse
    from stithy_testing.cassettes import Tape, playback
    from stithy_testing.checking import check_installed, check_plugin
    from stithy_testing.client import connect, make_app, reach
    from stithy_testing.installing import write_plugin

__all__ = [
    "Browser",
    "Tape",
    "browse",
    "check_installed",
    "check_plugin",
    "connect",
    "make_app",
    "playback",
    "reach",
    "write_plugin",
]

_MODULES = {
    "Browser": "browsing",
    "Tape": "cassettes",
    "browse": "browsing",
    "check_installed": "checking",
    "check_plugin": "checking",
    "connect": "client",
    "make_app": "client",
    "playback": "cassettes",
    "reach": "client",
    "write_plugin": "installing",
}

if not TYPE_CHECKING:  # a checker that saw `__getattr__` would accept every name

    def __getattr__(name: str) -> Any:
        """Import a name at its first use (PEP 562)."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f"stithy_testing.{_MODULES[name]}"), name)
        return value
