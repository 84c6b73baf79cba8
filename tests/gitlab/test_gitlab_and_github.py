"""A repository on GitLab and, as a mirror, on GitHub: told apart by alias, by host, and by the remotes of a clone."""

import pytest
from git_forge import git

from stithy_core.spi import StithyError
from stithy_testing import make_app

pytestmark = pytest.mark.anyio
SETTINGS = """
[forges.work]
kind = "gitlab"
url = "https://git.example/lab"
[forges.hub]
kind = "github"
url = "https://hub.example"
"""


@pytest.fixture
def forges(tmp_path):
    return make_app(tmp_path, SETTINGS).forges


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("work:smith/tools/anvil", ("work", "smith/tools/anvil")),
        ("hub:smith/anvil", ("hub", "smith/anvil")),
        ("https://git.example/lab/smith/tools/anvil", ("work", "smith/tools/anvil")),
        ("https://hub.example/smith/anvil", ("hub", "smith/anvil")),
    ],
)
async def test_an_alias_or_a_host_names_the_forge(forges, name, found):
    forge, repository = await forges.repository(name)
    assert (forge.config.alias, str(repository)) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("https://git.example/lab/smith/tools/anvil/-/merge_requests/7", "smith/tools/anvil!7"),
        ("work:smith/tools/anvil!7", "smith/tools/anvil!7"),
        ("https://hub.example/smith/anvil/pull/7", "smith/anvil#7"),
    ],
)
async def test_a_page_names_the_forge_and_the_number(forges, name, found):
    _, ref = await forges.pull_request(name)
    assert str(ref) == found


async def test_a_name_that_both_could_have_is_refused(forges):
    with pytest.raises(StithyError, match="several forges"):
        await forges.repository("smith/anvil")


@pytest.mark.parametrize(
    ("remotes", "found"),
    [
        ({"origin": "git@git.example:lab/smith/tools/anvil.git", "mirror": "https://hub.example/smith/anvil"}, "work"),
        ({"origin": "https://hub.example/smith/anvil", "mirror": "https://git.example/lab/smith/tools/anvil"}, "hub"),
    ],
)
async def test_the_remote_origin_of_the_clone_decides(forges, tmp_path, remotes, found):
    git(tmp_path, "init", "-q", ".")
    for name, url in remotes.items():
        git(tmp_path, "remote", "add", name, url)
    forge, _ = await forges.repository(str(tmp_path))
    assert forge.config.alias == found
