"""`stithy ci parse` is the command `ci-failures`."""

from pathlib import Path

import pytest

import stithy_ci
from ci_failures import cli
from stithy_core.plugins import Entry, resolve
from stithy_core.spi import Contribution
from stithy_testing import make_app

LOGS = Path(__file__).parents[2] / "libs" / "ci-failures" / "tests" / "logs"


@pytest.fixture
def run(tmp_path):
    """Run `stithy ci …`, and return its exit code."""
    app = make_app(tmp_path, entries=[Entry(Contribution("stithy-ci", "0.1.0", "ci"), load=lambda: stithy_ci)])
    ((command, origin),) = [one for one in app.commands if one[0].name == "ci"]
    return lambda *words: resolve(command.run)(app.scope(origin), list(map(str, words)))


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_it_answers_as_ci_failures_does(run, capsys, form):
    log = str(LOGS / "pytest" / "9-plain.log")
    ours = run("parse", *form, log), capsys.readouterr()
    assert ours == (cli.run_command(cli.parse, [*form, log], "ci-failures"), capsys.readouterr())
    assert ours[0] == 1


@pytest.mark.parametrize("words", [["parse"], ["parse", "--what"]])
def test_a_wrong_command_line_is_2(run, capsys, words):
    assert run(*words) == 2
    assert "Usage: stithy ci parse" in capsys.readouterr().err
