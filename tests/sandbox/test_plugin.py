"""What the plugin declares, and the whole way from a tool's call to the sandbox."""

import subprocess
import sys

import pytest

from stithy_core.app import App
from stithy_core.config import load_config
from stithy_core.spi import declared_support, operations
from stithy_sandbox.sandbox_forge import Sandbox

pytestmark = pytest.mark.anyio

PLACE = {"repository": "smith/anvil", "pull_request_number": 2}


@pytest.fixture
def app(tmp_path):
    (tmp_path / "stithy.toml").write_text('[forges.play]\nkind = "sandbox"\n')
    return App(load_config({}, tmp_path), environ={}, directory=tmp_path)


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.__qualname__)
def test_every_operation_is_always_there(operation):
    assert declared_support(Sandbox, operation) == "always"


def test_entry_module_is_tiny():
    """Loading the plugin does not load the forge."""
    program = "import sys, stithy_sandbox; print([name for name in sys.modules if name.startswith('stithy_sandbox')])"
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "['stithy_sandbox']"


async def test_version_is_its_own(forge):
    version = await forge.version()
    assert version.flavour == "sandbox"
    assert version.number


async def test_comment_through_the_tools(app):
    """A comment that one tool makes is among those that the other lists."""
    made = await app.executor.call("pr_comment_create", {**PLACE, "comment": "Struck."})
    listed = await app.executor.call("pr_comment_list", PLACE)
    assert listed.structured["total"] == 3
    assert listed.structured["comments"][-1]["id"] == made.structured["comment"]["id"]


async def test_url_of_the_sandbox(app):
    """A URL that the sandbox gave leads back to it, although no table names it."""
    listed = await app.executor.call("pr_comment_list", PLACE)
    url = listed.structured["comments"][0]["url"]
    forge, ref = await app.forges.pull_request(url)
    assert isinstance(forge, Sandbox)
    assert str(ref) == "smith/anvil#2"


async def test_two_forges_are_apart(tmp_path):
    (tmp_path / "stithy.toml").write_text('[forges.a]\nkind = "sandbox"\n[forges.b]\nkind = "sandbox"\n')
    forges = App(load_config({}, tmp_path), environ={}, directory=tmp_path).forges
    assert forges.forge("a").world is not forges.forge("b").world
