"""Where a token of GitLab is found, and that none is ever taken for another server's."""

import pytest
import yaml
from programs import stand_in

from stithy_core.spi import ForgeConfig
from stithy_gitlab.gitlab_credentials import GitLabCredentials
from stithy_testing import make_app

pytestmark = pytest.mark.anyio
URL = "https://git.example"
CLOUD = "https://gitlab.com"
OTHERS = ["http://git.example", "https://git.example:3000", "https://git.example.evil", "https://git.example/sub"]


@pytest.fixture
def found(tmp_path):
    """Return a function that looks up a URL's token in an environment of its own."""

    async def find(url=URL, **environ):
        environ = {"HOME": str(tmp_path / "home"), "PATH": str(tmp_path / "empty")} | environ
        token = await GitLabCredentials(ForgeConfig(alias="work", kind="gitlab", url=url), environ, None).find()
        return token and (token.value, token.source)

    return find


@pytest.fixture
def glab(tmp_path):
    """Write what `glab` keeps."""

    def write(hosts=None, path="home/.config/glab-cli/config.yml", text=None):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(yaml.safe_dump({"host": "gitlab.com", "hosts": hosts}) if text is None else text)

    return write


async def test_the_token_of_glab_is_found_by_its_host(found, glab):
    glab({"gitlab.com": {"token": "of-cloud", "api_protocol": "https"}, "git.example": {"token": "of-glab"}})
    assert await found() == ("of-glab", "glab's configuration for git.example")
    assert await found(CLOUD) == ("of-cloud", "glab's configuration for gitlab.com")
    assert [await found(url) for url in OTHERS] == [None] * 4


async def test_the_protocol_of_glab_counts(found, glab):
    glab({"git.example": {"token": "of-glab", "api_protocol": "http"}})
    assert [await found(), (await found("http://git.example"))[0]] == [None, "of-glab"]


@pytest.mark.parametrize(
    "place", ["glab/config.yml", "xdg/glab-cli/config.yml", "home/Library/Application Support/glab-cli/config.yml"]
)
async def test_glab_keeps_its_configuration_in_one_of_several_places(found, glab, tmp_path, place):
    glab({"git.example": {"token": "of-glab"}}, place)
    folders = {"GLAB_CONFIG_DIR": str(tmp_path / "glab"), "XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    assert (await found(**folders))[0] == "of-glab"


MALFORMED = {
    "empty": "",
    "no YAML": "hosts: [",
    "a text": "hosts",
    "a list of hosts": "hosts: [git.example, {token: of-glab}]",
    "a number of hosts": "hosts: 3",
    "odd hosts": "hosts: {git.example: of-glab, 3: {token: x}, '[': {token: x}, ~: {token: x}}",
    "a number as the token": "hosts: {git.example: {token: 123}}",
    "a token in a keyring": "hosts: {git.example: {token: ''}}",
    "a tag": "hosts: {git.example: {token: !!python/name:os.sep ''}}",
    "too deep": "[" * 5_000,
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_configuration_of_glab_holds_no_token(found, glab, text):
    glab(text=text)
    assert await found() is None


@pytest.mark.parametrize("name", ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN", "OAUTH_TOKEN"])
@pytest.mark.parametrize("host", ["GITLAB_URL", "GITLAB_HOST", "GITLAB_URI", "GL_HOST"])
async def test_a_variable_is_that_of_the_host_beside_it(found, name, host):
    environ = {name: "s3cret", host: "git.example"}
    assert await found(**environ) == ("s3cret", f"the variable {name}")
    assert [await found(url, **environ) for url in (CLOUD, *OTHERS)] == [None] * 5


async def test_a_variable_without_a_host_is_for_gitlab_com(found):
    assert await found(CLOUD, GITLAB_TOKEN="s3cret") == ("s3cret", "the variable GITLAB_TOKEN")
    assert await found(GITLAB_TOKEN="s3cret") is None


async def test_the_token_of_a_job_is_for_the_server_of_the_job(found):
    job = {"CI_JOB_TOKEN": "of-job", "CI_SERVER_URL": URL}
    assert await found(**job) == ("of-job", "the variable CI_JOB_TOKEN")
    assert await found(CLOUD, **job) is None
    assert await found(**job, GITLAB_TOKEN="mine", GITLAB_HOST="git.example") == ("mine", "the variable GITLAB_TOKEN")


@pytest.mark.parametrize(("password", "source"), [("of-nobody", None), ("glpat-smith-0123456789abcdef", "git")])
async def test_the_password_of_gits_helper_counts_if_gitlab_accepts_it(server, tmp_path, password, source):
    path = stand_in(tmp_path / "bin", "git", f"echo 'username=smith'; echo 'password={password}'")
    settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\n'
    app = make_app(tmp_path, settings, environ={"HOME": str(tmp_path), "PATH": path})
    found = await app.connections.token_source(app.forges.forge("work").config)
    await app.connections.aclose()
    assert found == (source and "git credential helper")
    assert server.requests == ["GET /user"]
