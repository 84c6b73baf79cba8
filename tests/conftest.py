"""What every test may ask for, and what a test does that lacks something."""

import functools
import gc
import os
import shutil
import subprocess
import sys
import tempfile

import httpx
import pytest
from hypothesis import HealthCheck, settings

from stithy_core.http import request_sender
from stithy_core.tools.registry import DURATIONS

# A busy machine makes an example slow, and not wrong.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

pytest_plugins = ["lab", "redises", "worlds"]


def pytest_collection_finish():
    """Keep what collecting the tests made, which stays to the end, out of every collection of garbage."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def state(tmp_path_factory):
    """Keep the key of cursors, and caches, out of the home of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STATE", "CACHE"):
            patch.setenv(f"XDG_{name}_HOME", str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(scope="session", autouse=True)
def unhurried():
    """Replace the time limits that a stalled machine can cross; a test of a limit sets its own."""
    calls, timeout = dict(DURATIONS), request_sender.TIMEOUT
    with pytest.MonkeyPatch.context() as patch:
        for duration in calls:
            patch.setitem(DURATIONS, duration, 1_800.0)
        patch.setattr(request_sender, "TIMEOUT", httpx.Timeout(120))
        yield calls, timeout


@pytest.fixture
def product_limits(unhurried, monkeypatch):
    """Put the product's own time limits back; give those of a call, in seconds by duration."""
    calls, timeout = unhurried
    for duration, seconds in calls.items():
        monkeypatch.setitem(DURATIONS, duration, seconds)
    monkeypatch.setattr(request_sender, "TIMEOUT", timeout)
    return calls


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def unproxied(monkeypatch):
    """Let nothing go through a proxy of whoever runs the tests."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(params=["legacy", "auto"])
def mode(request):
    """Both eras of the protocol: the handshake, and what came after it."""
    return request.param


def lacks_live(item):
    params = item.callspec.params
    name = next(params[fixture] for fixture in ("lab", "server") if fixture in params)
    variables = [f"STITHY_LIVE_{name}_{word}" for word in ("URL", "TOKEN")]
    missing = [variable for variable in variables if not os.environ.get(variable)]
    return f"it needs a forge: set {' and '.join(missing)} (docs/live-tests.md)" if missing else ""


def lacks_node(item):
    there = all(map(shutil.which, ("mcp-inspector", "conformance")))
    return "" if there else "it needs make node, and .node/python/bin and .node/node_modules/.bin first in PATH"


@functools.cache
def reaches_packages():
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--retries=0"]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*command, "--dest", folder, "attrs"], capture_output=True, check=False).returncode == 0


def lacks_packages(item):
    return "" if reaches_packages() else "it needs a package index that pip reaches"


def lacks_redis(item):
    return "" if shutil.which("redis-server") else "it needs a redis-server: Debian's package of that name"


def lacks_hosts(item):
    return "" if (item.config.rootpath / ".hosts" / "stamp").exists() else "it needs make hosts"


def lacks_contract(item):
    from github_double.stage import MISSING, is_installed

    return "" if is_installed() else MISSING


LACKS = {
    "live": lacks_live,
    "node": lacks_node,
    "hosts": lacks_hosts,
    "packages": lacks_packages,
    "redis": lacks_redis,
    "contract": lacks_contract,
}


def pytest_runtest_setup(item):
    """Skip what lacks something, and say what; fail instead where it was promised (STITHY_REQUIRES=node,live)."""
    promised = os.environ.get("STITHY_REQUIRES", "").split(",")
    for marker, lacks in LACKS.items():
        if item.get_closest_marker(marker) and (lack := lacks(item)):
            (pytest.fail if marker in promised else pytest.skip)(lack)
