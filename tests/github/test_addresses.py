"""URLs of GitHub's APIs, the version of a server, and the web URL from what users write."""

import pytest

import stithy_github
from stithy_core.spi import NotFound
from stithy_github.forge import GitHub
from stithy_testing import check_plugin

pytestmark = pytest.mark.anyio

PLACES = [
    ("https://github.com", "https://api.github.com", "https://api.github.com/graphql"),
    ("https://octo.ghe.com", "https://api.octo.ghe.com", "https://api.octo.ghe.com/graphql"),
    ("https://git.example", "https://git.example/api/v3", "https://git.example/api/graphql"),
    ("http://git.example:8080", "http://git.example:8080/api/v3", "http://git.example:8080/api/graphql"),
    ("https://api.example", "https://api.example/api/v3", "https://api.example/api/graphql"),
    ("https://notghe.com", "https://notghe.com/api/v3", "https://notghe.com/api/graphql"),
]


@pytest.mark.parametrize(("url", "rest", "graphql"), PLACES)
def test_each_product_has_its_own_api_urls(url, rest, graphql):
    assert (GitHub.dialect.api(url), GitHub.dialect.graphql(url)) == (rest, graphql)


@pytest.mark.parametrize(("url", "rest", "graphql"), PLACES)
def test_the_url_of_an_api_becomes_the_web_url(url, rest, graphql):
    (kind,) = stithy_github.stithy_forges()
    assert [kind.address(written) for written in (url, f"{url}/", rest, f"{rest}/", graphql)] == [url] * 5


def test_www_is_the_same_host():
    (kind,) = stithy_github.stithy_forges()
    assert kind.address("https://www.github.com/") == "https://github.com"


def test_everything_that_the_plugin_declares_can_be_loaded():
    check_plugin(stithy_github)


async def test_an_enterprise_server_says_its_version(hub, github):
    hub.answers["GET /"] = (200, {"X-GitHub-Enterprise-Version": "3.12.4"}, {})
    async with github(hub.url) as forge:
        version = await forge.version()
    assert (version.flavour, version.number) == ("ghes", (3, 12, 4))


async def test_a_server_that_github_runs_reports_its_host_as_version(hub, github):
    hub.answers["GET /"] = {}
    async with github(hub.url) as forge:
        version = await forge.version()
    assert (version.flavour, f"http://{version.text}") == ("github", hub.url)


async def test_each_request_has_the_headers_of_the_api(hub, github):
    async with github(hub.url) as forge:
        with pytest.raises(NotFound):
            await forge.version()
    ((_, _, headers),) = hub.asked
    assert headers["accept"] == "application/vnd.github+json"
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["authorization"] == "Bearer token"
    assert headers["user-agent"].startswith("stithy/")
