"""Where each flavour looks for code owners (docs/forge-behaviour/gitea.md#code)."""

import pytest
from gitea_loopback import serve
from lab import Lab
from loopback import Server, starting
from worlds import open_forge

from stithy_core.spi import ForgeConfig
from stithy_sandbox import URL
from stithy_sandbox.sandbox_forge import Sandbox

pytestmark = pytest.mark.anyio

GITEA = ("CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS")


@pytest.mark.parametrize(("flavour", "places"), [("gitea", GITEA), ("forgejo", (*GITEA, ".forgejo/CODEOWNERS"))])
async def test_the_places_are_those_of_the_server(unproxied, tmp_path, flavour, places):
    async with starting() as start:
        server = serve(await start(Server()), flavour)
        async with open_forge(Lab(server.url, "lab", tmp_path, token="not-a-token")) as forge:
            file = await forge.owners_file()
    assert (file.places, file.of_default, file.expressions) == (places, True, True)


async def test_a_forge_that_says_nothing_has_githubs_way():
    file = await Sandbox(ForgeConfig(alias="play", kind="sandbox", url=URL), None).owners_file()
    assert (file.places[0], file.of_default, file.expressions) == (".github/CODEOWNERS", False, False)
