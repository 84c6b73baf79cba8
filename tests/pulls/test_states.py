"""What the forge says of a merge is told apart from conflicts."""

import pytest
from attrs import evolve

from stithy_core.spi import ForgeConfig, PullRequestRef, RepositoryRef, Unknown
from stithy_pulls.conflicts.mergeable_state import get_mergeable_state
from stithy_sandbox import URL
from stithy_sandbox.sandbox_forge import Sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture
async def pull():
    forge = Sandbox(ForgeConfig(alias="play", kind="sandbox", url=URL), None)
    return await forge.pull_requests.get(PullRequestRef(RepositoryRef("smith", "anvil"), 2))


@pytest.mark.parametrize(
    ("mergeable", "word", "state"),
    [
        (True, "clean", "clean"),
        (True, "blocked", "clean"),  # a rule is unmet, and nothing conflicts
        (True, "behind", "clean"),
        (True, "unstable", "unstable"),
        (False, "dirty", "dirty"),
    ],
)
async def test_a_state_is_about_conflicts_alone(pull, mergeable, word, state):
    assert get_mergeable_state(evolve(pull, mergeable=mergeable, forge_state=word), "main") == state


async def test_unknown_is_neither_clean_nor_dirty(pull):
    found = get_mergeable_state(evolve(pull, mergeable=Unknown("still computing"), forge_state="unknown"), "main")
    assert (found.reason, found.shown) == ("still computing", "unknown")
