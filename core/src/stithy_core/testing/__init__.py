"""For the tests of plugins: `pytest_plugins = ["stithy_core.testing"]` brings the fixtures."""

from stithy_core.testing.checking import check_plugin
from stithy_core.testing.client import connect, make_app
from stithy_core.testing.fixtures import install_plugin
from stithy_core.testing.installing import write_plugin
from stithy_core.testing.playback import Tape, playback

__all__ = ["Tape", "check_plugin", "connect", "install_plugin", "make_app", "playback", "write_plugin"]
