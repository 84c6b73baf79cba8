"""What a forge says that it can do, and several callers at once."""

from stithy_core.spi import (
    Comments,
    Operation,
    PullRequests,
    StithyError,
    Threads,
    Unsupported,
    declared_support,
    map_concurrently,
    operations,
)
from stithy_testing.conformance.comments import said
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import call, needs, refused

READERS = 10


class Capabilities:
    """`Forge.supports`, and `declared`."""

    async def test_support_is_as_declared(self, stage: Stage) -> None:
        """What is declared as there always is there, and what is declared as there never is not."""
        for operation in operations():
            word, support = declared_support(type(stage.forge), operation), await stage.forge.supports(operation)
            assert word in ("always", "never", "probed") or word.startswith("since ")
            assert bool(support) is (word == "always") or word not in ("always", "never")
            assert support or support.reason

    async def test_support_is_as_it_turns_out(self, stage: Stage) -> None:
        """An operation that is said to be there is not refused as unsupported, and any other one is."""
        for operation in operations():
            if await stage.forge.supports(operation):
                await _allowed(stage, operation)
            else:
                await refused(stage, operation)

    async def test_version_is_known(self, stage: Stage) -> None:
        """The server says what it is, and the forge says it again."""
        version = await stage.forge.version()
        assert version.flavour
        assert version.text
        assert await stage.forge.version() is version


class Together:
    """Several callers of one forge object."""

    @needs(PullRequests.get, Threads.list)
    async def test_many_readers(self, stage: Stage) -> None:
        """Many callers at once are told the same."""
        pulls = await map_concurrently(
            range(READERS), lambda _: stage.forge.pull_requests.get(stage.pr), at_once=READERS
        )
        threads = await map_concurrently(range(READERS), lambda _: stage.forge.threads.list(stage.pr), at_once=READERS)
        assert all(pull == pulls[0] for pull in pulls)
        assert all(list(found) == list(threads[0]) for found in threads)

    @needs(Comments.create, Comments.list)
    async def test_many_writers(self, stage: Stage) -> None:
        """Texts that are written at once all arrive, each once, and each caller is told of its own."""
        texts = [f"voice {number}" for number in range(READERS)]
        made = await map_concurrently(
            texts, lambda text: stage.forge.comments.create(stage.merged, text), at_once=READERS
        )
        assert [comment.body for comment in made] == texts
        assert sorted(await said(stage, stage.merged)) == texts


async def _allowed(stage: Stage, operation: Operation) -> None:
    try:
        await call(stage, operation)
    except Unsupported as error:
        raise AssertionError(f"{operation.__qualname__} is there, and yet: {error.message}") from error
    except StithyError:
        pass  # the arguments name nothing that is there
