"""The pages of the packages: what they say of settings, tools and abilities is so."""

import re
from pathlib import Path

import pytest

from stithy_comments import stithy_tools
from stithy_core.testing import make_app

ROOT = Path(__file__).parents[2]
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def readme(folder):
    return (ROOT / folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", ["core", "plugins/gitea"])
def test_the_settings_are_right(tmp_path, folder):
    app = make_app(tmp_path, TOML.search(readme(folder))[1])
    assert app.unanswered() is None
    assert list(app.forges.configured) == ["work"]


def test_the_tools_of_comments_have_a_row_each():
    rows = re.findall(r"^\| `(\w+)` \|", readme("plugins/comments"), re.MULTILINE)
    assert rows == [tool.name for tool in stithy_tools()]
