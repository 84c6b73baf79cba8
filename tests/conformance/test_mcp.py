"""The conformance suite of the protocol's makers, against `stithy serve --http` with a plugin of what it asks for."""

import re
import subprocess
from functools import partial
from pathlib import Path

import anyio
import pytest
from serving import serving

from stithy_core.plugins import Entry
from stithy_core.spi import Contribution
from stithy_testing import connect, make_app

HERE = Path(__file__).parent
EXPECTED = HERE / "expected-failures.yaml"

UNEXPECTED = re.compile(r"^  [✗✓] ([\w-]+)(?::\S+)?$", re.MULTILINE)
"""A line of the report with a failure that is not expected, or an expected one that passed; group 1 is the scenario."""

REPEATS = 5
"""The suite waits half a second for some answers, too short on a busy machine. A wrong server fails each time."""

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
    async with serving(tmp_path, "--plugins-dir", str(HERE), "--plugin", "conformance-plugin") as served:
        run_suite = partial(run_scenarios, f"{served.url}/mcp", tmp_path / "results", version)
        report, failures = await run_suite("--suite", "all")
        assert "✓ tools-list: " in report
        assert "✓ dns-rebinding-protection: 2 passed" in report
        for _ in range(REPEATS):
            repeats = [await run_suite("--scenario", scenario) for scenario in sorted(failures)]
            report = "".join(text for text, _ in repeats) or report
            failures = {scenario for _, names in repeats for scenario in names}
    assert not failures, report


async def run_scenarios(url: str, folder: Path, version: str, *scenarios: str) -> tuple[str, set[str]]:
    """Run scenarios of the suite against a server.

    Returns:
        The suite's report, and the scenarios with a failure that is not expected or an expected one that passed.
    """
    options = ["--spec-version", version, "--expected-failures", str(EXPECTED), "-o", str(folder)]
    command = ["conformance", "server", "--url", url, *scenarios, *options]
    run = await anyio.run_process(command, stderr=subprocess.STDOUT, check=False)
    report = run.stdout.decode()
    failures = set(UNEXPECTED.findall(report))
    assert run.returncode == 0 or failures, report
    return report, failures


async def test_the_tools_that_the_suite_calls_are_there(app, mode):
    """The suite's scenario of a simple text passes without its tool, too."""
    async with connect(app, mode=mode) as client:
        assert (await client.call_tool("test_simple_text")).content[0].text.startswith("This is a simple text")
        assert (await client.call_tool("test_error_handling")).is_error
