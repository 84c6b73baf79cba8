"""A sandbox whose history a test writes, and the tools of stithy-pulls on it."""

from contextlib import asynccontextmanager

import anyio

from stithy_sandbox.world import World
from stithy_testing import connect, make_app

DAY = 24 * 60


class Village:
    """One repository, its people, and what is asked about its pull requests."""

    def __init__(self, client, world, tree):
        self.client, self.world = client, world
        self.people = {}
        world.user = self.user("smith")
        self.repository = world.add_repository("smith/anvil", tree=tree)

    def user(self, login, **fields):
        if login not in self.people:
            self.people[login] = self.world.add_user(login, **fields)
        return self.people[login]

    def commit(self, message, files, author="smith", branch="main"):
        return self.world.add_commit(self.repository, branch, message, files, self.user(author))

    def wait(self, days):
        """Let time pass: the world's own clock counts what is made, a minute each."""
        self.world._made += days * DAY

    def pull(self, title, files, author="smith", **fields):
        """Open a pull request of one commit."""
        branch = f"branch-{self.world._made}"
        self.world.add_branch(self.repository, branch)
        self.commit(title, files, author, branch)
        return self.world.add_pull_request(
            self.repository, title, branch=branch, **{"author": self.user(author), **fields}
        )

    async def ask(self, tool, pr, **arguments):
        """Call a tool, and give its object with its text."""
        with anyio.fail_after(120):
            result = await self.client.call_tool(tool, {"pr": str(pr), **arguments})
        if result.is_error:
            raise AssertionError(result.content[0].text)
        return result.structured_content | {"text": result.content[0].text}

    async def impact(self, pr, **arguments):
        return await self.ask("analyze_pr_impact", pr, **arguments)

    async def suggest(self, pr, **arguments):
        return await self.ask("get_review_suggestions", pr, **arguments)


@asynccontextmanager
async def village(folder, tree, settings=""):
    """Enter a village with a first commit."""
    app = make_app(folder, f'[forges.play]\nkind = "sandbox"\n{settings}')
    async with connect(app) as client:
        forge = app.forges.forge("play")
        forge.world = World(forge.config.url)
        yield Village(client, forge.world, tree)
