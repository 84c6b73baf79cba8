"""Review threads: read from GraphQL, else from REST without what only GraphQL has; replies and resolution."""

import pytest
from github_double.world import World

from stithy_core.spi import (
    Conflict,
    Forbidden,
    NotFound,
    PullRequestRef,
    RepositoryRef,
    Unauthorized,
    Unknown,
    UserKind,
)

pytestmark = pytest.mark.anyio

PR = PullRequestRef(RepositoryRef("smith", "hello"), 1)
PROGRAM = "".join(f"print({number})\n" for number in range(1, 13))


@pytest.fixture
def world():
    """A repository with a pull request, number 1, that adds a file."""
    made = World()
    repository = made.add_repository("hello")
    made.push(repository, "greet", "Add hello.py", {"hello.py": PROGRAM, "a.py": "a\n"})
    made.add_pull(repository, "Greet", "greet")
    return made


def pull_in(world):
    return world.repository("smith/hello").issues[1]


async def test_threads_come_by_path_line_and_time(world, in_world):
    for path, line, body in (("hello.py", 9, "c"), ("hello.py", 2, "a"), ("hello.py", 2, "b"), ("hello.py", None, "0")):
        world.add_thread(pull_in(world), path, line, body)
    world.add_thread(pull_in(world), "a.py", 1, "first")
    async with in_world(world) as forge:
        threads = await forge.threads.list(PR)
    assert [thread.comments[0].body for thread in threads] == ["first", "0", "a", "b", "c"]
    assert (threads.total, threads.cut) == (5, "")


async def test_pages_of_threads_and_of_their_comments_are_read_to_the_end(world, in_world):
    for number in range(101):
        thread = world.add_thread(pull_in(world), "hello.py", 1, f"thread {number}")
    for number in range(249):
        world.add_reply(thread, f"reply {number}")
    async with in_world(world) as forge:
        threads = await forge.threads.list(PR)
    assert (len(threads), threads.total) == (101, 101)
    long = next(found for found in threads if found.comments[0].body == "thread 100")
    assert [comment.body for comment in long.comments[1:]] == [f"reply {number}" for number in range(249)]
    assert long.cut == ""


async def test_an_outdated_thread_has_its_original_line(world, in_world):
    world.add_thread(pull_in(world), "hello.py", 7, "Old.", outdated=True, start_line=5, side="LEFT")
    async with in_world(world) as forge:
        (thread,) = await forge.threads.list(PR)
    assert (thread.outdated, thread.line, thread.start_line, thread.side) == (True, 7, 5, "LEFT")


async def test_a_thread_on_the_whole_file_has_no_line(world, in_world):
    world.add_thread(pull_in(world), "hello.py", None, "All of it.")
    async with in_world(world) as forge:
        (thread,) = await forge.threads.list(PR)
    assert (thread.outdated, thread.line) == (False, None)


async def test_a_resolved_thread_has_the_user_who_resolved_it(world, in_world):
    world.add_thread(pull_in(world), "hello.py", 1, "Done?", resolved_by=world.other_user)
    async with in_world(world) as forge:
        (thread,) = await forge.threads.list(PR)
    assert (thread.resolved, thread.resolved_by.login) == (True, "stranger")


async def test_authors_are_the_same_in_graphql_and_rest(world, in_world):
    bot = world.add_user("dependabot", "Bot")
    for author in (bot, None, world.other_user):
        world.add_thread(pull_in(world), "hello.py", 1, "Hm.", author)
    async with in_world(world) as forge:
        threads = await forge.threads.list(PR)
        reviews = await forge.reviews.list(PR)
    authors = [thread.comments[0].author for thread in threads]
    assert [author.login for author in authors] == ["dependabot[bot]", "ghost", "stranger"]
    assert [author.kind for author in authors] == [UserKind.BOT, UserKind.GHOST, UserKind.PERSON]
    assert [review.author for review in reviews] == authors


async def test_a_comment_of_a_pending_review_is_pending(world, in_world):
    begun = world.add_review(pull_in(world), "PENDING")
    world.add_thread(pull_in(world), "hello.py", 1, "Not yet.", review=begun)
    async with in_world(world) as forge:
        (thread,) = await forge.threads.list(PR)
        (review,) = await forge.reviews.list(PR)
    assert (thread.comments[0].pending, thread.comments[0].review) == (True, review.id)
    assert (review.state, review.submitted_at) == ("pending", None)


async def test_without_a_token_it_is_unknown_whether_a_thread_is_resolved(world, in_world):
    thread = world.add_thread(pull_in(world), "hello.py", 2, "Why?", resolved_by=world.user)
    world.add_reply(thread, "Because.", world.other_user)
    world.add_thread(pull_in(world), "hello.py", 1, "First.")
    async with in_world(world, token="") as forge:
        first, second = await forge.threads.list(PR)
    assert [comment.body for comment in second.comments] == ["Why?", "Because."]
    assert (first.line, second.line, second.id) == (1, 2, second.comments[0].id)
    for unknown in (second.resolved, second.outdated):
        assert isinstance(unknown, Unknown)
        assert unknown.remedy == "Set a token for this forge."


async def test_without_a_token_a_thread_is_not_resolved(world, in_world):
    thread = world.add_thread(pull_in(world), "hello.py", 2, "Why?")
    async with in_world(world, token="") as forge:
        with pytest.raises(Unauthorized):
            await forge.threads.resolve(PR, str(thread.comments[0].id))


async def test_a_reply_to_a_reply_goes_to_the_thread(world, in_world):
    thread = world.add_thread(pull_in(world), "hello.py", 2, "Why?")
    second = world.add_reply(thread, "Because.", world.other_user)
    async with in_world(world) as forge:
        reply = await forge.threads.reply(PR, str(second.id), "I see.")
        (found,) = await forge.threads.list(PR)
    assert [comment.body for comment in found.comments] == ["Why?", "Because.", "I see."]
    assert (reply.thread, reply.comment.id, reply.way) == (found.comments[0].id, found.comments[-1].id, "")


async def test_a_pending_review_prevents_a_reply(world, in_world):
    thread = world.add_thread(pull_in(world), "hello.py", 2, "Why?")
    world.add_review(pull_in(world), "PENDING")
    async with in_world(world) as forge:
        with pytest.raises(Conflict) as caught:
            await forge.threads.reply(PR, str(thread.comments[0].id), "I see.")
    assert "Submit or discard the pending review" in caught.value.suggestion


async def test_a_thread_is_resolved_by_the_id_of_any_comment(world, in_world):
    world.add_thread(pull_in(world), "hello.py", 1, "Other.")
    thread = world.add_thread(pull_in(world), "hello.py", 2, "Why?")
    second = world.add_reply(thread, "Because.")
    async with in_world(world) as forge:
        resolved = await forge.threads.resolve(PR, str(second.id))
        assert [found.resolved for found in await forge.threads.list(PR)] == [False, True]
        opened = await forge.threads.unresolve(PR, resolved.id)
    assert (resolved.resolved, resolved.resolved_by.login, opened.resolved) == (True, "smith", False)


async def test_a_thread_of_another_pull_request_is_not_found(world, in_world):
    thread = world.add_thread(pull_in(world), "hello.py", 2, "Why?")
    world.push(world.repository("smith/hello"), "other", "Add b.py", {"b.py": "b\n"})
    world.add_pull(world.repository("smith/hello"), "Other", "other")
    other = PullRequestRef(PR.repository, 2)
    async with in_world(world) as forge:
        (found,) = await forge.threads.list(PR)
        for name in (found.id, found.comments[0].id):
            with pytest.raises(NotFound, match=f"#2 has no thread {name}"):
                await forge.threads.resolve(other, name)
            with pytest.raises(NotFound, match=f"#2 has no thread {name}"):
                await forge.threads.reply(other, name, "Here?")
        assert list(await forge.threads.list(PR)) == [found]
    assert thread.resolved_by is None


@pytest.mark.parametrize("name", ["PRRT_kwDO0000000001", "PRRT_nonsense", "1"])
async def test_a_missing_thread_is_named(world, in_world, name):
    async with in_world(world) as forge:
        for attempt in (forge.threads.resolve(PR, name), forge.threads.reply(PR, name, "Here?")):
            with pytest.raises(NotFound, match=f"#1 has no thread {name}"):
                await attempt


async def test_a_reader_may_not_resolve_a_thread(world, in_world):
    world.add_thread(pull_in(world), "hello.py", 2, "Why?")
    async with in_world(world, token=world.other_token) as forge:
        (found,) = await forge.threads.list(PR)
        with pytest.raises(Forbidden, match="correct permissions"):
            await forge.threads.resolve(PR, found.id)
        assert [thread.resolved for thread in await forge.threads.list(PR)] == [False]
