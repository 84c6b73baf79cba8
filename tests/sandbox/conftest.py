"""What the tests of the sandbox share: a forge, and the world in it."""

import pytest

from stithy_core.spi import ForgeConfig, PullRequestRef, RepositoryRef
from stithy_sandbox import URL
from stithy_sandbox.sandbox_forge import Sandbox
from stithy_sandbox.world import World

ANVIL = RepositoryRef("smith", "anvil")


@pytest.fixture
def forge():
    """A sandbox as it begins; without `http`, of which it needs nothing."""
    return Sandbox(ForgeConfig(alias="play", kind="sandbox", url=URL), None)


@pytest.fixture
def pr():
    """The sample's pull request."""
    return PullRequestRef(ANVIL, 2)


@pytest.fixture
def world(forge):
    """An empty world in the forge."""
    forge.world = World()
    return forge.world
