"""A GitLab on the loopback interface, with the data of the conformance suite."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from conformance_history import write_conformance_history
from git_forge import Workshop
from gitlab_double.gitlab_server import NAME, GitLabServer, open_gitlab, serve_gitlab


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repositories that git serves: the suite's history."""
    folder = tmp_path_factory.mktemp("gitlab")
    shop = Workshop(folder, NAME)
    write_conformance_history(shop)
    shop.push("greet:refs/merge-requests/1/head")
    return folder


@pytest.fixture
def server(history: Path) -> Iterator[GitLabServer]:
    with serve_gitlab(history) as served:
        yield served


@pytest.fixture
async def forge(server: GitLabServer, tmp_path: Path) -> AsyncIterator[Any]:
    async with open_gitlab(server, tmp_path) as opened:
        yield opened
