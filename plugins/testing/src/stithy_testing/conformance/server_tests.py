"""Tests of the forge as a whole: declared support, concurrent calls, and the token's user."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from stithy_core.spi import (
    Changes,
    Comments,
    Forbidden,
    Forge,
    ForgeError,
    Identity,
    NotFound,
    Operation,
    PullRequests,
    StithyError,
    Threads,
    Unsupported,
    UserKind,
    declared_support,
    map_concurrently,
    operations,
)
from stithy_core.spi.call_state import use_delegated_tokens
from stithy_testing.conformance.assertions import check_record, is_correct_or_unknown
from stithy_testing.conformance.comment_tests import read_bodies
from stithy_testing.conformance.operation_calls import NOBODY, call_operation, check_unsupported, needs
from stithy_testing.conformance.stage import Stage

READERS = 10


class SupportTests:
    """`Forge.supports` and `Forge.version`."""

    async def test_support_is_as_declared(self, stage: Stage) -> None:
        """An operation declared `always` is supported, one declared `never` is not, and there is at least one."""
        supported = []
        for operation in operations():
            word, support = declared_support(type(stage.forge), operation), await stage.forge.supports(operation)
            assert word in ("always", "never", "probed") or word.startswith("since ")
            assert bool(support) is (word == "always") or word not in ("always", "never")
            assert support or support.reason
            supported += [operation] if support else []
        if not supported:
            pytest.fail(_explain_empty_forge(stage.forge), pytrace=False)

    async def test_support_is_as_it_turns_out(self, stage: Stage) -> None:
        """A supported operation does not raise `Unsupported`; any other one does."""
        for operation in operations():
            if await stage.forge.supports(operation):
                await _check_supported(stage, operation)
            else:
                await check_unsupported(stage, operation)

    async def test_version_is_known(self, stage: Stage) -> None:
        """The server answers, its version has a flavour and a text, and is read once."""
        try:
            version = await stage.forge.version()
        except ForgeError as error:
            pytest.fail(_explain_silent_server(stage.forge, error), pytrace=False)
        assert version.flavour
        assert version.text
        assert await stage.forge.version() is version


def _explain_empty_forge(forge: Forge) -> str:
    cls = type(forge)
    if not cls.capabilities:
        return (
            f"{cls.__name__} has no capability, so the suite has nothing to check. Write a subclass of a capability,"
            f" such as stithy_core.spi.Comments, and list it in {cls.__name__}.capabilities:"
            " docs/plugins/operations.md, 'Capabilities'."
        )
    return (
        f"{forge.config.alias} ({forge.config.kind}) has none of the {len(operations())} operations, so the suite has"
        f" nothing to check. Implement a method of one of the capabilities of {cls.__name__}, or test a server whose"
        " version has one: docs/plugins/operations.md, 'Capabilities'."
    )


def _explain_silent_server(forge: Forge, error: ForgeError) -> str:
    return (
        f"the server of {forge.config.alias} at {forge.config.url} does not report its version: {error.message}."
        f" Start the server, correct the URL in the fixture 'stage', or correct {type(forge).__name__}.identify."
    )


class ConcurrencyTests:
    """Concurrent use of one forge object."""

    @needs(PullRequests.get, Threads.list)
    async def test_many_readers(self, stage: Stage) -> None:
        """Concurrent reads return equal results."""
        pulls = await map_concurrently(
            range(READERS), lambda _: stage.forge.pull_requests.get(stage.pr), at_once=READERS
        )
        threads = await map_concurrently(range(READERS), lambda _: stage.forge.threads.list(stage.pr), at_once=READERS)
        assert all(pull == pulls[0] for pull in pulls)
        assert all(list(found) == list(threads[0]) for found in threads)

    @needs(Comments.create, Comments.list)
    async def test_many_writers(self, stage: Stage) -> None:
        """Concurrent writes all succeed, each once, and each caller gets its own comment."""
        texts = [f"voice {number}" for number in range(READERS)]
        made = await map_concurrently(
            texts, lambda text: stage.forge.comments.create(stage.merged, text), at_once=READERS
        )
        assert [comment.body for comment in made] == texts
        assert sorted(await read_bodies(stage, stage.merged)) == texts


async def _check_supported(stage: Stage, operation: Operation) -> None:
    try:
        await call_operation(stage, operation)
    except Unsupported as error:
        raise AssertionError(
            f"{operation.__qualname__} is supported, but raised Unsupported: {error.message}"
        ) from error
    except StithyError:
        pass  # the arguments name objects that do not exist


async def check_tokens_in_turn(stage: Stage, check: Callable[[str], Awaitable[None]]) -> None:
    """Run a check with the stage's token, with that of the other account, and with the first again.

    Args:
        stage: The stage; without a second token the check runs once.
        check: Receives the login of the account whose token is used.
    """
    await check(stage.author)
    if stage.other_token:
        with use_delegated_tokens({stage.forge.config.alias: stage.other_token}):
            await check(stage.other_author)
        await check(stage.author)


class IdentityTests:
    """`Identity.me` and `access`, with two tokens in turn where the stage has two."""

    @needs(Identity.me)
    async def test_me_is_the_author(self, stage: Stage) -> None:
        """The user of the current token is returned by login and id, whatever token was used before."""

        async def check(login: str) -> None:
            me = check_record(await stage.forge.identity.me())
            assert me.login == login
            assert me.id
            assert is_correct_or_unknown(me.kind, UserKind.PERSON)

        await check_tokens_in_turn(stage, check)

    @needs(Identity.me, Comments.create)
    async def test_me_writes(self, stage: Stage) -> None:
        """A comment's author is the token's user, as the same record."""

        async def check(login: str) -> None:
            made = await stage.forge.comments.create(stage.conversation, "Me.")
            assert made.author.login == login
            assert made.author == await stage.forge.identity.me()

        await check_tokens_in_turn(stage, check)

    @needs(Identity.access)
    async def test_access_has_sane_budgets(self, stage: Stage) -> None:
        """No rate limit has more left than its limit, and each has a name."""

        async def check(_: str) -> None:
            access = check_record(await stage.forge.identity.access())
            assert all(0 <= quota.left <= quota.limit for quota in access.quotas)
            assert all(quota.name for quota in access.quotas)

        await check_tokens_in_turn(stage, check)

    @needs(Identity.may_push)
    async def test_the_author_may_push(self, stage: Stage) -> None:
        """The creator of the repository may push to it."""
        assert await stage.forge.identity.may_push(stage.repository, stage.author) is True

    @needs(Identity.may_push)
    async def test_nobody_may_not_push(self, stage: Stage) -> None:
        """A missing account may not push, or the forge raises an error."""
        with suppress(NotFound, Forbidden):
            assert await stage.forge.identity.may_push(stage.repository, NOBODY) is False

    @needs(Identity.access, Identity.me, PullRequests.get, Changes.repository)
    async def test_token_is_never_shown(self, stage: Stage) -> None:
        """The token appears neither in the forge's representation nor in those of its results."""
        if not stage.token:
            pytest.skip("the stage has no token")
        forge = stage.forge
        objects = [forge, forge.config, forge.http, await forge.identity.access(), await forge.identity.me()]
        objects += [await forge.pull_requests.get(stage.pr), await forge.changes.repository(stage.repository)]
        assert not [text for text in map(repr, objects) if stage.token in text]
