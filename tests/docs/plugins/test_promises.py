"""Promises: what is shown of a deprecation is what the command shows."""

import pytest
from click.testing import CliRunner

from stithy_core.cli.command_group import stithy

PAGE = "plugins/promises.md"
IN_THE_MODULE = ("from stithy_words import WORD\nSTITHY_API = 1", "")
IN_A_REFERENCE = (
    """
    from stithy_core.spi import Command, hookimpl
    STITHY_API = 1
    @hookimpl
    def stithy_commands():
        return [Command(name="fan", help="Blow", run="stithy_fan_later:run")]
    """,
    "from stithy_words import WORD\ndef run(scope, words): ...",
)


@pytest.fixture(params=[IN_THE_MODULE, IN_A_REFERENCE], ids=["module", "reference"])
def _fan(request, plugins, install_plugin, tmp_path, monkeypatch):
    """Install a plugin that uses a deprecated name, at once or later."""
    source, later = request.param
    plugins("stithy-words")
    install_plugin("stithy-fan", source)
    (tmp_path / "site-packages" / "stithy_fan_later.py").write_text(later)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_fan")
def test_the_note_of_a_deprecation_is_the_shown_one(blocks):
    (shown,) = (block.text for block in blocks(PAGE, "text"))
    assert shown in CliRunner().invoke(stithy, ["plugins"]).stdout
