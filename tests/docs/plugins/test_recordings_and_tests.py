"""Tests of plugins: those of the guide pass."""

import pytest

from stithy_testing import check_plugin

CHAPTERS = ("recordings-and-tests", "hooks")


def test_the_tests_of_the_guide_pass(plugins, blocks, run, tmp_path, fits):
    plugins("stithy-pond", "stithy-waiting", "stithy-gauge")
    (tmp_path / "tests").mkdir()
    for chapter in CHAPTERS:
        for block in blocks(f"plugins/{chapter}.md"):
            if block.name.startswith("tests/"):
                (tmp_path / block.name).write_text(block.text)
    command = "python -m pytest -p no:cacheprovider -W error --rootdir . tests"
    _, output = run(command, PYTHONPATH=str(tmp_path / "site-packages"))
    example = next(
        block.text for block in blocks("plugins/recordings-and-tests.md", "console") if "pytest" in block.text
    )
    assert fits(example.partition("\n")[2], output), output
    assert "failed" not in output


EXAMPLES = ["greet", "waiting", "lines", "pond", "notes", "glossary", "metals", "fire", "gauge", "vault"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_passes_the_kit(plugins, name):
    plugins(f"stithy-{name}")
    check_plugin(__import__(f"stithy_{name}"))
