"""A sandbox whose history a test writes, and the tools of stithy-pulls on it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from plugin_entries import find_entries

from stithy_core.spi import PullRequestRef, User
from stithy_sandbox.world import World
from stithy_sandbox.world import World as SandboxWorld
from stithy_testing import connect, make_app

DAY = 24 * 60


class Village:
    """One repository with its accounts, and calls of the tools about its pull requests."""

    def __init__(self, client: Any, world: SandboxWorld, tree: Mapping[str, str]) -> None:
        self.client, self.world = client, world
        self.people: dict[str, User] = {}
        world.user = self.user("smith")
        self.repository = world.add_repository("smith/anvil", tree=tree)

    def user(self, login: str, **fields: Any) -> User:
        if login not in self.people:
            self.people[login] = self.world.add_user(login, **fields)
        return self.people[login]

    def commit(self, message: str, files: Mapping[str, str | None], author: str = "smith", branch: str = "main") -> str:
        return self.world.add_commit(self.repository, branch, message, files, self.user(author))

    def wait(self, days: int) -> None:
        """Advance the world's clock, which counts a minute for each record."""
        self.world._made += days * DAY

    def pull(self, title: str, files: Mapping[str, str | None], author: str = "smith", **fields: Any) -> PullRequestRef:
        """Open a pull request of one commit."""
        branch = f"branch-{self.world._made}"
        self.world.add_branch(self.repository, branch)
        self.commit(title, files, author, branch)
        return self.world.add_pull_request(
            self.repository, title, branch=branch, **{"author": self.user(author), **fields}
        )

    async def ask(self, tool: str, pr: object, **arguments: Any) -> dict[str, Any]:
        """Call a tool, and return its object with its text."""
        with anyio.fail_after(120):
            result = await self.client.call_tool(tool, {"pr": str(pr), **arguments})
        if result.is_error:
            raise AssertionError(result.content[0].text)
        told: dict[str, Any] = result.structured_content | {"text": result.content[0].text}
        return told

    async def impact(self, pr: object, **arguments: Any) -> dict[str, Any]:
        return await self.ask("analyze_pr_impact", pr, **arguments)

    async def suggest(self, pr: object, **arguments: Any) -> dict[str, Any]:
        return await self.ask("get_review_suggestions", pr, **arguments)


@asynccontextmanager
async def village(folder: Path, tree: Mapping[str, str], settings: str = "") -> AsyncIterator[Village]:
    """Open a village with a first commit."""
    app = make_app(
        folder,
        f'[forges.play]\nkind = "sandbox"\n{settings}',
        entries=find_entries("stithy-archdocs", "stithy-pulls", "stithy-sandbox"),
    )
    async with connect(app) as client:
        forge: Any = app.forges.forge("play")
        forge.world = World(forge.config.url)
        yield Village(client, forge.world, tree)


async def list_facts(tmp_path: Path, tree: Mapping[str, str], *pulls: Mapping[str, str | None]) -> list[list[str]]:
    """Return, for each pull request, its facts as `path: text`; those of the whole diff come from the checklist."""
    found: list[list[str]] = []
    async with village(tmp_path, tree) as here:
        for changes in pulls:
            answer = await here.suggest(here.pull("Change", changes))
            rows = [f"{file['path']}: {point}" for file in answer["files"] for point in file["focus_points"]]
            items = [item for section in answer["review_checklist"] for item in section["items"]]
            rows += [item["guidance"].partition(". ")[2] for item in items if "Untested" in item["guidance"]]
            found.append(rows)
    return found
