"""A client of the comments service."""

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from stithy_core.spi import PullRequestRef, RepositoryRef
from stithy_testing import Browser


@frozen
class ServiceClient:
    """Asks the comments service: gives the status, the JSON and the headers; `forge` is the one behind it."""

    ask: Browser
    forge: Any = None

    @property
    def pr(self) -> PullRequestRef:
        return PullRequestRef(RepositoryRef("smith", "anvil"), 2)

    @property
    def world(self) -> Any:
        return self.forge.world

    async def __call__(self, target: str, **headers: str) -> tuple[int, Any, Mapping[str, str]]:
        answer = await self.ask("GET", target, headers={name.replace("_", "-"): text for name, text in headers.items()})
        return answer.status, json.loads(answer.body or b"null"), answer.headers
