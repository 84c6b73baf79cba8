"""Parts of the SDK that a server does not need are imported on first use, and are not missing."""

import importlib
import json
import subprocess
import sys
from threading import Barrier, Thread

import pytest

from stithy_core.sdk_import import defer_package, import_deferring

OFFERING = """
    import time
    print("runs", end="")
    time.sleep(0.2)
    from .inner import word
    later = word.upper()
"""


@pytest.fixture
def offering(tmp_path, monkeypatch):
    """A package that offers the names of its module, and is deferred; `offering.print` lists what it printed."""
    folder = tmp_path / "offering"
    folder.mkdir()
    (folder / "__init__.py").write_text(OFFERING.replace("\n    ", "\n"))
    (folder / "inner.py").write_text('word = "word"\n')
    monkeypatch.syspath_prepend(tmp_path)
    defer_package("offering")
    yield
    for name in ("offering", "offering.inner"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("offering")
def test_a_module_of_a_deferred_package_is_imported_without_the_package(capsys):
    import offering.inner

    assert offering.inner.word == "word"
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("offering")
def test_a_deferred_package_runs_once_for_the_first_name_of_its_own(capsys):
    """Also if two threads use it at once: the second one waits for the whole package."""
    import offering

    found, barrier = [], Barrier(2)

    def use():
        barrier.wait()
        found.append(offering.later)

    threads = [Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, capsys.readouterr().out) == (["WORD", "WORD"], "runs")
    with pytest.raises(AttributeError, match=r"^module 'offering' has no attribute 'absent'$"):
        _ = offering.absent


@pytest.fixture
def building(tmp_path, monkeypatch):
    """A module that imports two names of the package `far`, of which it needs neither until later."""
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "__init__.py").write_text("def double(number): return 2 * number\nclass Words: first = 'one'\n")
    (tmp_path / "building.py").write_text("import json\nfrom far import Words, double\ndef run(): return double(21)\n")
    monkeypatch.syspath_prepend(tmp_path)
    import_deferring("building", ("far",))
    yield sys.modules["building"]
    for name in ("building", "far"):
        sys.modules.pop(name, None)


def test_a_module_is_imported_without_modules_it_uses_later(building):
    assert "far" not in sys.modules
    assert building.json is json


def test_a_deferred_name_is_that_of_the_module_when_it_is_called_or_read(building):
    assert (building.run(), building.Words.first) == (42, "one")
    with pytest.raises(AttributeError, match="absent"):
        _ = building.Words.absent


@pytest.mark.usefixtures("building")
def test_other_modules_import_what_one_module_defers():
    from far import double

    assert double(1) == 2


def test_a_module_that_fails_is_imported_again(tmp_path, monkeypatch):
    """Otherwise the next import would get what the first one left behind."""
    (tmp_path / "far.py").write_text("")
    (tmp_path / "failing.py").write_text("from far import word\nfirst = 1\nraise OSError('not now')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for _ in range(2):
        with pytest.raises(OSError, match="not now"):
            import_deferring("failing", ("far",))
    with pytest.raises(ImportError):  # of the name that `far` lacks: this import defers nothing
        importlib.import_module("failing")


def test_everything_of_the_sdk_is_there_after_a_server_was_imported():
    """The client and the wire types of both eras, whose validators are built on first use."""
    program = """
from stithy_core.sdk_import import skip_unused_parts
with skip_unused_parts():
    import stithy_core.server, sys
absent = {"mcp.client", "mcp.server.mcpserver", "mcp.server.auth", "starlette", "sse_starlette", "uvicorn"}
assert not absent & set(sys.modules), "imported too early"
from mcp_types import methods
import mcp, mcp.server, starlette, uvicorn
from mcp import *
assert mcp.server.MCPServer and mcp.Client is Client and mcp.types.Tool is Tool
for version in ("2025-11-25", "2026-07-28"):
    result = {"tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    assert methods.serialize_server_result("tools/list", version, result)["tools"] == []
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_server_over_http_imports_neither_the_client_of_the_sdk_nor_its_framework():
    program = """
from stithy_core.sdk_import import skip_unused_parts
with skip_unused_parts(over_http=True):
    import stithy_http.application, sys
assert not {"mcp.client", "mcp.server.mcpserver"} & set(sys.modules), "imported too early"
import mcp
assert mcp.Client and mcp.server.MCPServer
"""
    subprocess.run([sys.executable, "-c", program], check=True)
