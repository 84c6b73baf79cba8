"""Providers: what is not overridden is empty, or not found."""

import pytest

from stithy_core.errors import NotFound
from stithy_core.spi import PromptProvider, ResourceProvider

pytestmark = pytest.mark.anyio


async def test_a_provider_of_resources_that_overrides_nothing_has_none():
    provider = ResourceProvider("scope")
    assert (await provider.list(), await provider.templates(), await provider.complete("t", "a", "v")) == ((), (), ())
    with pytest.raises(NotFound, match="no resource notes://a"):
        await provider.read("notes://a")


async def test_a_provider_of_prompts_that_overrides_nothing_has_none():
    provider = PromptProvider("scope")
    assert (await provider.list(), await provider.complete("p", "a", "v")) == ((), ())
    with pytest.raises(NotFound, match="no prompt 'review'"):
        await provider.get("review", {})


@pytest.mark.parametrize("kind", [ResourceProvider, PromptProvider])
async def test_a_provider_knows_its_scope(kind):
    assert kind("scope").scope == "scope"
