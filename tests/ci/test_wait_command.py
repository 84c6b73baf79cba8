"""`stithy wait`: its exit code says how CI ended."""

import pytest
from ci_play import PR, PYTEST, ci_play
from click.testing import CliRunner

import stithy_ci.ci_waiting
from stithy_ci.wait_command import EPILOG, run
from stithy_core.cli.command_group import list_plugin_commands, stithy
from stithy_core.spi import Contribution

pytestmark = pytest.mark.anyio

CI = Contribution("stithy-ci", "1", "ci")


async def wait(at, *words):
    return await run(at.app.scope(CI), [str(PR), *words])


@pytest.mark.parametrize(
    ("jobs", "code"),
    [({"unit": "passed"}, 0), ({"unit": PYTEST, "slow": "running"}, 1), ({}, 4), ({"unit": PYTEST}, 1)],
)
async def test_the_exit_code_says_how_ci_ended(tmp_path, jobs, code):
    async with ci_play(tmp_path) as at:
        if jobs:
            at.run(**jobs)
        assert await wait(at) == code


async def test_it_waits_for_the_end_with_all(tmp_path, monkeypatch, capsys):
    async with ci_play(tmp_path) as at:
        found = at.run(unit=PYTEST, slow="running")

        async def end(seconds):
            at.end(found, "slow", "failed", PYTEST.replace("test_auth", "test_slow"))

        monkeypatch.setattr(stithy_ci.ci_waiting, "sleep", end)
        assert await wait(at, "--all") == 1
    assert "2 tests failed in 2 of 2 checks" in capsys.readouterr().out


async def test_a_timeout_ends_it_while_ci_runs(tmp_path, capsys):
    async with ci_play(tmp_path) as at:
        at.run(slow="running")
        assert await wait(at, "--timeout", "0.001") == 5
    assert capsys.readouterr().err == f"CI of {PR} still runs after 0.001 minutes\n"


@pytest.mark.parametrize(
    ("words", "code", "shown"),
    [
        (["smith/anvil#99"], 4, "smith/anvil has no pull request 99"),
        (["smith/anvil#2", "--timeout", "x"], 2, "'x' is not a valid float"),
        (["--help"], 0, EPILOG.splitlines()[-1]),
    ],
)
def test_the_command_line(tmp_path, monkeypatch, words, code, shown):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stithy.toml").write_text('[forges.play]\nkind = "sandbox"\n')
    list_plugin_commands.cache_clear()
    done = CliRunner().invoke(stithy, ["wait", *words])
    assert (done.exit_code, shown in done.output) == (code, True), done.output
