"""The pages of the packages: what they say of settings, tools and capabilities is so."""

import re
from pathlib import Path

import pytest

from stithy_comments import stithy_tools
from stithy_core.spi import declared_support, operations
from stithy_gitea.forge import Gitea
from stithy_testing import make_app

ROOT = Path(__file__).parents[2]
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def readme(folder):
    return (ROOT / folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", ["core", "plugins/gitea"])
def test_the_settings_are_right(tmp_path, folder):
    app = make_app(tmp_path, TOML.search(readme(folder))[1])
    assert app.check_names() is None
    assert list(app.forges.configured) == ["work"]


def test_the_tools_of_comments_have_a_row_each():
    rows = re.findall(r"^\| `(\w+)` \|", readme("plugins/comments"), re.MULTILINE)
    assert rows == [tool.name for tool in stithy_tools()]


def test_operations_that_some_gitea_versions_lack_are_listed():
    """The page says of all other operations that every server has them."""
    page = readme("plugins/gitea")
    rows = {name: row for row in page.splitlines() for name in re.findall(r"`(\w+\.\w+)`", row) if row.startswith("|")}
    told = {operation.__qualname__: declared_support(Gitea, operation) for operation in operations()}
    gated = {name: said for name, said in told.items() if said not in ("always", "never")}
    assert rows.keys() == gated.keys() | {"Threads.reply"}
    for name, said in gated.items():
        assert all(number in rows[name] for number in re.findall(r"[\d.]+", said))
    at_once = ["PullRequests.conversation", "Comments.block", "Checks.of_pull_request"]
    never = [*at_once, "Checks.annotations", "Checks.test_report"]
    assert [name for name, said in told.items() if said == "never"] == never
    assert "except for annotations, test reports, and conversations in one request" in page
    assert "checks in one request with their pull request" in page
