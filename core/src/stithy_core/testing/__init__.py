"""For the tests of plugins: `pytest_plugins = ["stithy_core.testing"]` brings the fixtures."""

import sys

from stithy_core.testing.browsing import Browser, browse
from stithy_core.testing.checking import check_installed, check_plugin
from stithy_core.testing.client import connect, make_app, reach
from stithy_core.testing.installing import write_plugin
from stithy_core.testing.playback import Tape, playback

# The fixtures are for pytest, which finds them here; whoever only plays a recording back needs no pytest.
if "pytest" in sys.modules:
    from stithy_core.testing.fixtures import install_plugin as install_plugin

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
