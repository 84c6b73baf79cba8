"""The testing kit for plugins. Its pytest plugin is installed with it.

Each name is imported at its first use: pytest loads the plugin before coverage starts, and lines that run before that
are not counted.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stithy_testing.cassettes import Tape, playback
    from stithy_testing.client import connect, make_app, open_forge
    from stithy_testing.plugin_check import check_installed, check_plugin
    from stithy_testing.pytest_plugin import write_plugin
    from stithy_testing.route_client import Browser, browse

__all__ = [
    "Browser",
    "Tape",
    "browse",
    "check_installed",
    "check_plugin",
    "connect",
    "make_app",
    "open_forge",
    "playback",
    "write_plugin",
]

_MODULES = {
    "Browser": "route_client",
    "Tape": "cassettes",
    "browse": "route_client",
    "check_installed": "plugin_check",
    "check_plugin": "plugin_check",
    "connect": "client",
    "make_app": "client",
    "open_forge": "client",
    "playback": "cassettes",
    "write_plugin": "pytest_plugin",
}

if not TYPE_CHECKING:  # a checker that saw `__getattr__` would accept every name

    def __getattr__(name: str) -> Any:
        """Import a name at its first use (PEP 562)."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f"stithy_testing.{_MODULES[name]}"), name)
        return value
