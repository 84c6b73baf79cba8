"""Who a token speaks for, on real servers."""

import pytest
from lab import READER
from worlds import open_forge, repository_of

from stithy_core.spi import Forbidden, Unknown, UserKind

pytestmark = pytest.mark.anyio

WORLD = "rules-token"


def make(lab):
    """Make nothing: the tokens are what is read."""


async def test_a_token_speaks_for_its_user(world):
    async with open_forge(world) as forge:
        me = await forge.identity.me()
    assert (me.login, me.kind) == (world.owner, UserKind.PERSON)


async def test_a_token_without_the_scope_is_told_which(world):
    async with open_forge(world, token=world.reader_token) as forge:
        with pytest.raises(Forbidden, match="read:user") as caught:
            await forge.identity.me()
        assert (await forge.changes.repository(repository_of(world))).writable is False
    assert caught.value.suggestion == "Give the token the scope read:user."


async def test_scopes_are_not_made_up(world):
    async with open_forge(world) as forge:
        access = await forge.identity.access()
    assert isinstance(access.scopes, Unknown)
    assert (access.expires_at, access.quotas) == (None, ())


async def test_a_reader_may_not_push(world):
    async with open_forge(world) as forge:
        assert await forge.identity.may_push(repository_of(world), READER) is False


async def test_who_may_push_is_told_to_administrators_alone(world):
    async with open_forge(world, token=world.reader_token) as forge:
        with pytest.raises(Forbidden):
            await forge.identity.may_push(repository_of(world), world.owner)
