"""What the tests of stithy-pulls share: real repositories, a forge that serves them, and the tool itself."""

import anyio
import pytest
from git_forge import TOKEN, Workshop, serving
from lab import CASSETTES

from stithy_testing import connect, make_app

TOOL = "detect_merge_conflicts"


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path, unproxied):
    """Keep caches, the user's configuration of git and this project's own clone out of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)


@pytest.fixture
def shop(tmp_path):
    """A repository with nothing in it yet."""
    return Workshop(tmp_path / "served")


@pytest.fixture
def served(tmp_path, shop):
    with serving(tmp_path / "served", shop) as found:
        yield found


@pytest.fixture
def locked(tmp_path, shop):
    """The same behind a token."""
    with serving(tmp_path / "served", shop, token=TOKEN) as found:
        yield found


@pytest.fixture
def app_of(tmp_path):
    """Return a server for a forge: `settings` are more lines of stithy.toml."""

    def start_server(served, settings="", **environ):
        lines = f'[forges.work]\nkind = "gitea"\nurl = "{served.url}"\n'
        return make_app(tmp_path, lines + settings, environ={"GITEA_URL": served.url, **environ})

    return start_server


@pytest.fixture
def ask(app_of):
    """Call the tool, and give its object; an error is raised as what it says."""

    async def call_tool(served, pr, settings="", token="", **arguments):
        app = app_of(served, settings, **({"GITEA_TOKEN": token} if token else {}))
        with anyio.fail_after(120):
            async with connect(app) as client:
                result = await client.call_tool(TOOL, {"pr": pr, **arguments})
        if result.is_error:
            raise AssertionError(result.content[0].text)
        return result.structured_content | {"text": result.content[0].text}

    return call_tool


@pytest.fixture
def kept(request, server):
    """Skip where nobody has recorded the module's world yet."""
    folder, lab = server
    if not lab.live and not list((CASSETTES / folder).glob(f"{request.module.WORLD}-*")):
        pytest.skip(f"{folder} has no recording of it yet: STITHY_RECORD={folder} make live (docs/live-tests.md)")
