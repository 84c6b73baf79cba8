"""A client of the comments service."""

import json

from attrs import frozen

from stithy_core.spi import Forge, PullRequestRef, RepositoryRef


@frozen
class ServiceClient:
    """Asks the comments service: gives the status, the JSON and the headers; `forge` is the one behind it."""

    ask: object
    forge: Forge | None = None

    @property
    def pr(self):
        return PullRequestRef(RepositoryRef("smith", "anvil"), 2)

    @property
    def world(self):
        return self.forge.world

    async def __call__(self, target, **headers):
        answer = await self.ask("GET", target, headers={name.replace("_", "-"): text for name, text in headers.items()})
        return answer.status, json.loads(answer.body or b"null"), answer.headers
