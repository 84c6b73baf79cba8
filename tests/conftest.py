"""Fixtures for all tests, and the conditions under which a test is skipped."""

import functools
import gc
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from typing import Any

import httpx
import pytest

from stithy_core.http import request_sender
from stithy_core.tools.registry import DURATIONS

pytest_plugins = ["lab", "redises", "worlds"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files first that take long: one that comes last runs in one process while the others have nothing to do."""
    long = {item.path for item in items if any(item.get_closest_marker(name) for name in LONG)}
    items.sort(key=lambda item: item.path not in long)  # the order within a file stays


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Run no garbage collection during the collection of tests: what it creates lives to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Exclude the objects of the collection from garbage collection, and search the few others less often."""
    gc.freeze()
    gc.set_threshold(5_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Write the cursor key and caches to a temporary folder, not to the user's home."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STATE", "CACHE"):
            patch.setenv(f"XDG_{name}_HOME", str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(scope="session", autouse=True)
def unhurried() -> Iterator[tuple[dict[str, float], httpx.Timeout]]:
    """Raise the time limits that a stalled machine can exceed; a test of a limit sets its own."""
    calls, timeout = dict(DURATIONS), request_sender.TIMEOUT
    with pytest.MonkeyPatch.context() as patch:
        for duration in calls:
            patch.setitem(DURATIONS, duration, 1_800.0)
        patch.setattr(request_sender, "TIMEOUT", httpx.Timeout(120))
        yield calls, timeout


@pytest.fixture(scope="session", autouse=True)
def _trust_once() -> Iterator[None]:
    """Read the trusted certificates once for all clients of httpx: each client reads them for 60 ms of CPU."""
    with pytest.MonkeyPatch.context() as patch:
        create = functools.lru_cache(maxsize=8)(httpx.create_ssl_context)
        patch.setattr("httpx._transports.default.create_ssl_context", create)
        yield


@pytest.fixture(autouse=True)
def _restore_log() -> Iterator[None]:
    """Undo what a command in this process did to the log: with its `propagate`, caplog would stay empty later."""
    log = logging.getLogger("stithy")
    handlers, propagate, level = log.handlers, log.propagate, log.level
    yield
    log.handlers, log.propagate = handlers, propagate
    log.setLevel(level)


@pytest.fixture
def product_limits(
    unhurried: tuple[dict[str, float], httpx.Timeout], monkeypatch: pytest.MonkeyPatch
) -> dict[str, float]:
    """Restore the product's own time limits; return those of a call, in seconds by duration."""
    calls, timeout = unhurried
    for duration, seconds in calls.items():
        monkeypatch.setitem(DURATIONS, duration, seconds)
    monkeypatch.setattr(request_sender, "TIMEOUT", timeout)
    return calls


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def unproxied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the user's proxy settings."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> str:
    """Both eras of the protocol: the handshake, and what came after it."""
    return str(request.param)


def lacks_live(item: Any) -> str:
    params = item.callspec.params
    name = next(params[fixture] for fixture in ("lab", "server") if fixture in params)
    variables = [f"STITHY_LIVE_{name}_{word}" for word in ("URL", "TOKEN")]
    missing = [variable for variable in variables if not os.environ.get(variable)]
    return f"it needs a forge: set {' and '.join(missing)} (docs/live-tests.md)" if missing else ""


def lacks_node(item: Any) -> str:
    there = all(map(shutil.which, ("mcp-inspector", "conformance", "mcpb")))
    return "" if there else "it needs make node, and .node/python/bin and .node/node_modules/.bin first in PATH"


@functools.cache
def reaches_packages() -> bool:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--retries=0"]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*command, "--dest", folder, "attrs"], capture_output=True, check=False).returncode == 0


def lacks_packages(item: Any) -> str:
    return "" if reaches_packages() else "it needs a package index that pip reaches"


def lacks_redis(item: Any) -> str:
    return "" if shutil.which("redis-server") else "it needs a redis-server: Debian's package of that name"


def lacks_hosts(item: Any) -> str:
    return "" if (item.config.rootpath / ".hosts" / "stamp").exists() else "it needs make hosts"


def lacks_agents(item: Any) -> str:
    there = (item.config.rootpath / ".agents" / "stamp").exists() and shutil.which("node")
    return "" if there else "it needs make agents, and node in PATH"


def lacks_contract(item: Any) -> str:
    from github_double.stage import MISSING, is_installed

    return "" if is_installed() else MISSING


def lacks_browser(item: Any) -> str:
    installed = (item.config.rootpath / ".browser" / "stamp").exists() and find_spec("playwright")
    there = installed and shutil.which("node") and shutil.which("chromium")
    return "" if there else "it needs make browser, node in PATH, and Debian's package chromium"


@pytest.fixture
def patient_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the time limits after which an answer about documents is partial, since the machine may be busy."""
    for limit in ("WAIT", "QUICK", "FIRST_ROUND", "ROUND"):
        monkeypatch.setattr(f"stithy_archdocs.documents.document_library.{limit}", 60.0)
    monkeypatch.setattr("stithy_archdocs.search.section_ranking.SECONDS", 60.0)


LACKS = {
    "live": lacks_live,
    "node": lacks_node,
    "hosts": lacks_hosts,
    "agents": lacks_agents,
    "packages": lacks_packages,
    "redis": lacks_redis,
    "contract": lacks_contract,
    "browser": lacks_browser,
}

LONG = ("hosts", "agents", "packages", "browser", "node")
"""What such tests start or install takes most of a minute."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose requirement is missing; fail it instead if STITHY_REQUIRES names the marker."""
    promised = os.environ.get("STITHY_REQUIRES", "").split(",")
    for marker, lacks in LACKS.items():
        if item.get_closest_marker(marker) and (lack := lacks(item)):
            (pytest.fail if marker in promised else pytest.skip)(lack)
