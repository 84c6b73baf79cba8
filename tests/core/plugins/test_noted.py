"""Plugins that work, and of which their user should know something."""

import threading
import time

import pytest

from stithy_core.plugins import create_report, load_plugins, scan_plugins

SLOW = """
    import time

    STITHY_API = 1
    time.perf_counter.ahead += {seconds}
"""
THREAD = """
    import threading

    STITHY_API = 1
    stop = threading.Event()
    threading.Thread(target=stop.wait, name="bellows").start()
"""


class Clock:
    """A clock that a plugin can put forward."""

    def __init__(self, clock):
        self.clock = clock
        self.ahead = 0.0

    def __call__(self):
        return self.clock() + self.ahead


def notes(name):
    plugins = load_plugins(scan_plugins())
    return next(row for row in create_report(plugins).plugins.items if row.distribution == name)


@pytest.mark.parametrize(("seconds", "said"), [(3, True), (0.1, False)])
def test_a_slow_import_is_noted_with_its_time(install_plugin, monkeypatch, seconds, said):
    monkeypatch.setattr(time, "perf_counter", Clock(time.perf_counter))
    install_plugin("stithy-slow", SLOW.format(seconds=seconds))
    row = notes("stithy-slow")
    assert row.milliseconds >= seconds * 1_000
    assert ("its import took 3." in " ".join(row.notes or ())) is said


def test_a_thread_that_an_import_started_is_noted(install_plugin):
    install_plugin("stithy-thread", THREAD)
    row = notes("stithy-thread")
    import stithy_thread

    stithy_thread.stop.set()
    assert row.state == "loaded"
    assert "its import started the thread 'bellows'" in row.notes[0]
    assert "use a service instead" in row.notes[0]


def test_a_thread_that_was_there_before_is_not(install_plugin):
    stop = threading.Event()
    threading.Thread(target=stop.wait).start()
    install_plugin("stithy-calm", "STITHY_API = 1")
    row = notes("stithy-calm")
    stop.set()
    assert row.notes is None
