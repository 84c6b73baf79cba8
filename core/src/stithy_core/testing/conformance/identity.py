"""Who the token speaks for."""

from contextlib import suppress

import pytest

from stithy_core.spi import Changes, Comments, Forbidden, Identity, NotFound, PullRequests, UserKind
from stithy_core.testing.conformance.facts import agrees, sound
from stithy_core.testing.conformance.stage import Stage
from stithy_core.testing.conformance.support import NOBODY, needs


class IdentityFacts:
    """`Identity.me` and `access`."""

    @needs(Identity.me)
    async def test_me_is_the_author(self, stage: Stage) -> None:
        """The token's user is told by login and id."""
        me = sound(await stage.forge.identity.me())
        assert me.login == stage.author
        assert me.id
        assert agrees(me.kind, UserKind.PERSON)

    @needs(Identity.me, Comments.create)
    async def test_me_writes(self, stage: Stage) -> None:
        """What is written is by the token's user, the same record everywhere."""
        made = await stage.forge.comments.create(stage.issue, "Me.")
        assert made.author == await stage.forge.identity.me()

    @needs(Identity.access)
    async def test_access_has_sane_budgets(self, stage: Stage) -> None:
        """What is left of a budget is part of it."""
        access = sound(await stage.forge.identity.access())
        assert all(0 <= quota.left <= quota.limit for quota in access.quotas)
        assert all(quota.name for quota in access.quotas)

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
        told = [forge, forge.link, forge.http, await forge.identity.access(), await forge.identity.me()]
        told += [await forge.pull_requests.get(stage.pr), await forge.changes.repository(stage.repository)]
        assert not [one for one in map(repr, told) if stage.token in one]
