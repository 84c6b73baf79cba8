"""docs/troubleshooting.md: each error text is what the command before it writes."""

import pytest

PAGE = "troubleshooting.md"
COUNT = 12


@pytest.mark.parametrize("number", range(COUNT))
def test_an_error_is_written_as_shown(run, blocks, fits, tmp_path, number):
    (tmp_path / "stithy.toml").write_text(blocks(PAGE, "toml")[0].text)
    command, shown = blocks(PAGE, "console")[number].text.removeprefix("$ ").split("\n", 1)
    code, output = run(command)
    assert code in (1, 2)
    assert fits(shown, output), output


def test_every_error_is_produced(blocks):
    assert len(blocks(PAGE, "console")) == COUNT
