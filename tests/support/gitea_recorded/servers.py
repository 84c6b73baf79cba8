"""The server's version and page size."""

import re

from gitea_recorded.comparing import expect_error
from gitea_recorded.exchanges import Exchange
from gitea_recorded.teller import Teller
from stithy_core.spi import Forge, RepositoryRef


async def version(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    found = await forge.version()
    if exchange.path == "/api/v1/version" and found.flavour == "forgejo":
        assert exchange.path not in [asked[1] for asked in teller.asked]  # its text misleads
        return
    told = exchange.body["version"]
    assert (found.flavour, found.text) == (exchange.server.partition("-")[0], told)
    number = re.match(r"[\d.]+", told)
    assert number is not None
    assert ".".join(map(str, found.number)) == number[0]


async def no_version(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """404 of Forgejo's route says that it is a Gitea; 401 of Gitea's says that the token is bad."""
    teller.again(exchange)
    if exchange.status == 404:
        assert (await forge.version()).flavour == "gitea"
    elif exchange.server.startswith("gitea"):
        await expect_error(exchange, forge.version())
    else:
        await version(exchange, teller, forge)


async def settings(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """The largest page that the server gives is the page that it is asked for."""
    teller.again(exchange)
    path = "/api/v1/repos/smith/anvil/issues"
    teller.tell("GET", path, [])
    await forge.issues.list(RepositoryRef("smith", "anvil"))
    asked = next(query for _, where, query, _ in teller.asked if where == path)
    assert asked["limit"] == str(exchange.body["max_response_items"])
