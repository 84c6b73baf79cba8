"""The conformance suite of the protocol's makers, against `stithy serve --http` with a plugin of what it asks for."""

import subprocess
from pathlib import Path

import anyio
import pytest
from serving import serving

from stithy_core.plugins import Entry
from stithy_core.spi import Contribution
from stithy_testing import connect, make_app

HERE = Path(__file__).parent
EXPECTED = HERE / "expected-failures.yaml"

pytestmark = pytest.mark.anyio


@pytest.fixture
def app(tmp_path, monkeypatch):
    """A server with the plugin that stands beside this file."""

    def load():
        import conformance_plugin

        return conformance_plugin

    monkeypatch.syspath_prepend(HERE)
    return make_app(tmp_path, entries=[Entry(Contribution("stithy-conformance", "1.0", "conformance"), load=load)])


@pytest.mark.node
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_every_scenario_passes_but_those_that_are_listed_with_a_reason(tmp_path, version):
    asked = ["--suite", "all", "--spec-version", version, "--expected-failures", EXPECTED, "-o", tmp_path / "found"]
    async with serving(tmp_path, "--plugins-dir", str(HERE), "--plugin", "conformance-plugin") as served:
        run = await anyio.run_process(
            ["conformance", "server", "--url", f"{served.url}/mcp", *asked], stderr=subprocess.STDOUT, check=False
        )
    said = run.stdout.decode()
    assert run.returncode == 0, said
    assert "✓ tools-list: " in said
    assert "✓ dns-rebinding-protection: 2 passed" in said


async def test_the_tools_that_the_suite_calls_are_there(app, mode):
    """The suite's scenario of a simple text passes without its tool, too."""
    async with connect(app, mode=mode) as client:
        assert (await client.call_tool("test_simple_text")).content[0].text.startswith("This is a simple text")
        assert (await client.call_tool("test_error_handling")).is_error
