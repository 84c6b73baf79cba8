"""An organization of Azure DevOps with two projects, and a server of stithy that knows it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from azure_devops_double import (
    FORK,
    NAME,
    ORGANIZATION,
    PROJECT,
    TOKEN,
    AzureDevOpsHandler,
    Organization,
    identify,
    write_now,
)
from conformance_history import write_conformance_history
from git_server import serving_git

from stithy_testing import connect, make_app


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def served_organization(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Organization]:
    """Serve the suite's history and its pull requests 1 to 3; 4 conflicts, 5 too and is from a fork, 6 is elsewhere."""
    org = Organization(tmp_path_factory.mktemp("azure"))
    with serving_git(org, AzureDevOpsHandler):
        home, fork, lone = (
            org.add_repository(*at) for at in ((PROJECT, NAME), (PROJECT, FORK, NAME), ("lone", "lone"))
        )
        write_conformance_history(home)
        home.branch("clash", "main~1")
        home.commit("Go another way", {"before.txt": "elsewhere\n"})
        fork.git("fetch", "-q", str(home.bare), "main")
        fork.branch("forked", "FETCH_HEAD~1")
        fork.commit("Go a third way", {"before.txt": "away\n"})
        lone.commit("Begin")
        lone.branch("alone")
        lone.commit("Go on", {"on.txt": "on\n"})
        lone.push()
        org.open_pull(PROJECT, NAME, "greet", description="Closes #1.")
        org.open_pull(PROJECT, NAME, "before", status="completed", closedBy=identify("normal"))
        org.state["pulls"][2] |= {"closedDate": write_now(), "title": "Done before"}
        org.open_pull(PROJECT, NAME, "later", "greet", isDraft=True)
        org.open_pull(PROJECT, NAME, "clash")
        org.open_pull(PROJECT, NAME, "forked", fork=FORK)
        org.open_pull("lone", "lone", "alone")
        yield org


@pytest.fixture
def org(served_organization: Organization, monkeypatch: pytest.MonkeyPatch) -> Organization:
    """The organization; what a test changes is undone."""
    for name in ("state", "asked", "sign_in"):
        monkeypatch.setattr(served_organization, name, deepcopy(getattr(served_organization, name)))
    return served_organization


@pytest.fixture(autouse=True)
def _installed(install_example: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the plugin, and let git keep what it fetches in the folder of the test."""
    install_example("azure-devops")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@frozen
class Desk:
    """A client of a server of stithy."""

    client: Any

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool, and return its answer as an object."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    async def fail(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail, and return the text."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        text: str = result.content[0].text
        return text


@pytest.fixture
def settings(org: Organization) -> str:
    """The settings that configure the organization."""
    return f'[forges.work]\nkind = "azure-devops"\nurl = "{org.url}/{ORGANIZATION}"\ntoken = {{ env = "PAT" }}\n'


@pytest.fixture
def open_desk(settings: str, tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[Desk]]:
    """Return a function that starts a server with a token, and connects a client."""

    @asynccontextmanager
    async def enter(token: str = TOKEN) -> AsyncIterator[Desk]:
        async with connect(make_app(tmp_path, settings, environ={"PAT": token})) as client:
            yield Desk(client)

    return enter
