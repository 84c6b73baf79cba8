"""Pull requests of the sandbox, and their reports."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from stithy_core.app import App
from stithy_core.spi import Contribution
from stithy_sandbox.world import World
from stithy_testing import make_app
from stithy_view.pull_request_answers import PullRequestAnswers, read_answers

SETTINGS = '[forges.play]\nkind = "sandbox"\n'
SECONDS = 120.0

ReadAnswers = Callable[..., Awaitable[PullRequestAnswers]]


def create_app(folder: Path, world: World | None = None) -> App:
    """Return a server whose only forge is a sandbox, with its sample data or with a world of the test."""
    app: App = make_app(folder, SETTINGS)
    if world is not None:
        forge: object = app.forges.forge("play")
        forge.world = world  # type: ignore[attr-defined] # the sandbox's own way to other data
    return app


@pytest.fixture
def answers(tmp_path: Path) -> ReadAnswers:
    """Return a function that reads a pull request as the report and the pages do."""

    async def read(pr: str, world: World | None = None) -> PullRequestAnswers:
        app = create_app(tmp_path, world)
        async with app.running():
            return await read_answers(app.scope(Contribution("stithy-view", "1", "view")), pr, SECONDS)

    return read
