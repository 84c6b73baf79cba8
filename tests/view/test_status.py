"""`stithy status`: one screen, whatever the pull request has."""

import re

import pytest
from click import unstyle
from click.testing import CliRunner
from rich.cells import cell_len

from stithy_core.cli.command_group import list_plugin_commands, stithy
from stithy_core.spi import ToolAnswer
from stithy_view.status_command import COMMENTS, FAILURES, READINESS, build_sections, format_screen


@pytest.fixture
def show(tmp_path, monkeypatch):
    def run(pr):
        list_plugin_commands.cache_clear()
        return CliRunner().invoke(stithy, ["status", pr])

    monkeypatch.chdir(tmp_path)
    (tmp_path / "stithy.toml").write_text('[forges.play]\nkind = "sandbox"\n')
    return run


def test_it_shows_what_blocks_and_who_must_act(show):
    done = show("smith/anvil#2")
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "smith/anvil#2\n\nMerge: blocked\n  smith: smith requested changes, and the review is not"
    )
    assert "\nCI: failed\n  test: the check ended as failed; no source shows why\n" in done.stdout
    assert "\nOpen threads and comments: 3\n  anvil/horn.py:14: smith: Is 60 Rockwell or Shore here?\n" in done.stdout


def test_without_an_answer_it_fails(show):
    done = show("smith/anvil#99")
    assert (done.exit_code, "smith/anvil has no pull request 99" in done.stderr) == (1, True)


FAILURE = {"test_name": "test", "error_message": "first\nsecond \x1b line " + "鍛x" * 200, "file_path": "t.py"}
LARGE = {
    READINESS: ToolAnswer({"verdict": "ready"}, ""),
    FAILURES: ToolAnswer({"status": "failed", "failures": [FAILURE] * 50, "total_failures": 200}, ""),
    COMMENTS: ToolAnswer({}, "Failed to find: no answer", is_error=True),
}


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (200, 60)])
def test_it_fills_one_screen_at_most(size):
    lines = [unstyle(line) for line in format_screen("o/r#1", list(build_sections(LARGE)), size)]
    assert len(lines) < size[1]
    assert max(map(cell_len, lines)) in (size[0] - 1, size[0])  # a wide letter may not fit in the last column
    listed = sum(line.startswith("  t.py: test: first second") for line in lines)
    assert f"  … {200 - listed} more" in lines


def test_a_part_that_cannot_be_read_says_so():
    shown = unstyle("\n".join(format_screen("o/r#1", list(build_sections(LARGE)), None)))
    assert re.search(r"comments: not known\n  Failed to find: no answer$", shown)
