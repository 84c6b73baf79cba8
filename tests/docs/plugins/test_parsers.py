"""Parsers of CI logs: the example is installed, reads the shown log, and passes its own tests."""

import re
import tomllib

import pytest

PAGE = "plugins/parsers.md"


@pytest.fixture
def anvil(blocks, run, tmp_path):
    """Install the parser with the entry point of its pyproject.toml; return a function that runs a command with it."""
    files = {block.name: block.text for block in blocks(PAGE)}
    project = tomllib.loads(files["pyproject.toml"])["project"]
    (group,) = project["entry-points"]
    site = tmp_path / "site"
    metadata = site / f"stithy_anvil-{project['version']}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = "".join(f"{name} = {value}\n" for name, value in project["entry-points"][group].items())
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{points}")
    (site / "stithy_anvil.py").write_text(files["stithy_anvil.py"])
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_anvil.py").write_text(files["tests/test_anvil.py"])
    return lambda line: run(line, PYTHONPATH=str(site))


def test_the_shown_log_is_read_as_shown(anvil, blocks, tmp_path):
    (log,) = (block.text for block in blocks(PAGE, "text"))
    (tmp_path / "build.log").write_text(log)
    command, shown = blocks(PAGE, "console")[0].text.removeprefix("$ ").split("\n", 1)
    assert anvil(command) == (1, shown)


def test_the_tests_of_the_parser_pass(anvil):
    code, output = anvil("python -m pytest -q -p no:cacheprovider -W error --rootdir . tests")
    assert code == 0, output
    assert re.search(r"^\d+ passed", output, re.MULTILINE)
