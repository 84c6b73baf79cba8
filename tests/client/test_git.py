"""What git gets: the forge's own URL, the current token, and no form that would show it."""

import pytest

from stithy_core.app.forge_tokens import FixedToken
from stithy_core.errors import Rejected
from stithy_core.http import ForgeHttp
from stithy_core.spi import ForgeConfig, Token

pytestmark = pytest.mark.anyio

SECRET = "a secret that nobody sees"
TOKEN = Token(value=SECRET, source="the test")


def client(url="https://forge.invalid/sub", **options):
    return ForgeHttp(ForgeConfig(alias="work", kind="pond", url=url), **options)


async def test_a_path_is_below_the_forge():
    found = await client(tokens=FixedToken(TOKEN), ca_file="/ca.pem").git("o/r.git", user="me")
    assert (found.url, found.user, found.secret, found.ca_file) == (
        *("https://forge.invalid/sub/o/r.git", "me"),
        *(SECRET, "/ca.pem"),
    )


async def test_the_secret_is_not_shown():
    found = await client(tokens=FixedToken(TOKEN)).git("o/r.git", user="me")
    assert SECRET not in f"{found} {found!r} {[found]}"


async def test_without_a_token_there_is_no_user():
    found = await client().git("o/r.git", user="me")
    assert (found.user, found.secret) == ("", "")


@pytest.mark.parametrize("path", ["../r.git", "o/../../r.git", "o/%2e%2e/r.git", "o/.%2E/r.git", "./r.git"])
async def test_a_path_that_leads_elsewhere_is_rejected(path):
    with pytest.raises(Rejected, match="not canonical"):
        await client(tokens=FixedToken(TOKEN)).git(path, user="me")


@pytest.mark.parametrize("path", ["https://evil.invalid/r.git", "//evil.invalid/r.git", "@evil.invalid/r.git"])
async def test_no_path_leads_to_another_host(path):
    found = await client(tokens=FixedToken(TOKEN)).git(path, user="me")
    assert found.url.startswith("https://forge.invalid/sub/")
