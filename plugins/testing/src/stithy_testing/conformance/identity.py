"""Who the token speaks for."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from stithy_core.spi import Changes, Comments, Forbidden, Identity, NotFound, PullRequests, UserKind
from stithy_core.spi.call_state import use_delegated_tokens
from stithy_testing.conformance.facts import agrees, sound
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import NOBODY, needs


async def check_tokens_in_turn(stage: Stage, check: Callable[[str], Awaitable[None]]) -> None:
    """Run a check with the stage's token, with that of the other account, and with the first again.

    Args:
        stage: The stage; without a second token the check runs once.
        check: Gets the login of the account whose token is used.
    """
    await check(stage.author)
    if stage.other_token:
        with use_delegated_tokens({stage.forge.config.alias: stage.other_token}):
            await check(stage.other_author)
        await check(stage.author)


class IdentityFacts:
    """`Identity.me` and `access`, with two tokens in turn where the stage has two."""

    @needs(Identity.me)
    async def test_me_is_the_author(self, stage: Stage) -> None:
        """The user of the token that is used is told by login and id, whoever asked before."""

        async def check(login: str) -> None:
            me = sound(await stage.forge.identity.me())
            assert me.login == login
            assert me.id
            assert agrees(me.kind, UserKind.PERSON)

        await check_tokens_in_turn(stage, check)

    @needs(Identity.me, Comments.create)
    async def test_me_writes(self, stage: Stage) -> None:
        """What is written is by the token's user, the same record everywhere."""

        async def check(login: str) -> None:
            made = await stage.forge.comments.create(stage.issue, "Me.")
            assert made.author.login == login
            assert made.author == await stage.forge.identity.me()

        await check_tokens_in_turn(stage, check)

    @needs(Identity.access)
    async def test_access_has_sane_budgets(self, stage: Stage) -> None:
        """What is left of a budget is part of it."""

        async def check(_: str) -> None:
            access = sound(await stage.forge.identity.access())
            assert all(0 <= quota.left <= quota.limit for quota in access.quotas)
            assert all(quota.name for quota in access.quotas)

        await check_tokens_in_turn(stage, check)

    @needs(Identity.may_push)
    async def test_the_author_may_push(self, stage: Stage) -> None:
        """Whoever made the repository may push to it."""
        assert await stage.forge.identity.may_push(stage.repository, stage.author) is True

    @needs(Identity.may_push)
    async def test_nobody_may_not_push(self, stage: Stage) -> None:
        """Of an account that is not there nothing is said, or that it may not."""
        with suppress(NotFound, Forbidden):
            assert await stage.forge.identity.may_push(stage.repository, NOBODY) is False

    @needs(Identity.access, Identity.me, PullRequests.get, Changes.repository)
    async def test_token_is_never_shown(self, stage: Stage) -> None:
        """Neither the forge nor what it tells shows the token."""
        if not stage.token:
            pytest.skip("this forge is used without a token")
        forge = stage.forge
        told = [forge, forge.config, forge.http, await forge.identity.access(), await forge.identity.me()]
        told += [await forge.pull_requests.get(stage.pr), await forge.changes.repository(stage.repository)]
        assert not [one for one in map(repr, told) if stage.token in one]
