"""Rereading threads gives the same result as reading them first, and costs only what has changed."""

import json
from datetime import timedelta
from random import Random

import pytest
from attrs import evolve, frozen
from github_double.answering import Double
from github_double.graph.query import Query
from github_double.requests import GRAPHQL
from github_double.server import running
from github_double.world import World

from stithy_core.spi import PullRequestRef, Reaction, RepositoryRef
from stithy_github.threads_cache import CachedThread, CachedThreads, ThreadCache, get_thread_cache

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

PR = PullRequestRef(RepositoryRef("smith", "hello"), 1)
HOUR = timedelta(hours=1)


@pytest.fixture
def world():
    """A repository with a pull request, number 1, and three threads that did not change for an hour."""
    made = World()
    repository = made.add_repository("hello")
    made.push(repository, "greet", "Add hello.py", {"hello.py": "print()\n" * 20})
    pull = made.add_pull(repository, "Greet", "greet")
    for line in (1, 5, 9):
        made.add_reply(made.add_thread(pull, "hello.py", line, f"Line {line}?", made.other_user), "Yes.")
    made.now += HOUR
    return made


@pytest.fixture
def pull(world):
    return world.repository("smith/hello").issues[1]


@frozen
class Stage:
    """A served world; `enter` returns the forge."""

    double: Double
    enter: object

    @property
    def requests(self):
        """The bodies of GraphQL requests."""
        return [json.loads(one.body) for one in self.double.asked if one.path == GRAPHQL]

    @property
    def operations(self):
        """The names of the GraphQL operations."""
        return [one["query"].split("(")[0].split()[1] for one in self.requests]

    @property
    def reread(self):
        """The ids of the threads that were read again whole."""
        return [name for one in self.requests for name in one["variables"].get("threads", ())]

    async def read_without_cache(self):
        """Return the threads as a new forge reads them."""
        async with self.enter() as forge:
            return await forge.threads.list(PR)


@pytest.fixture
def stage(world, github):
    with running(world) as double:
        yield Stage(double, lambda: github(double.url, token=world.token))


def is_same(found, other):
    return (list(found), found.total, found.cut) == (list(other), other.total, other.cut)


async def test_unchanged_threads_are_not_read_again(stage):
    async with stage.enter() as forge:
        first = await forge.threads.list(PR)
        assert is_same(await forge.threads.list(PR), first)
    assert stage.operations == ["Threads", "ThreadsAgain"]


async def test_only_changed_threads_are_read_whole(world, pull, stage):
    async with stage.enter() as forge:
        await forge.threads.list(PR)
        edited, answered = pull.threads[0].comments[1], pull.threads[2]
        edited.body, edited.updated_at = "No.", world.stamp()[1]
        world.add_reply(answered, "And?")
        new = world.add_thread(pull, "hello.py", 12, "New.")
        found = await forge.threads.list(PR)
    assert is_same(found, await stage.read_without_cache())
    assert stage.reread == [f"PRRT_kwDO{one.id:010x}" for one in (pull.threads[0], answered, new)]


def _edit(random, world, pull):
    comment = random.choice(random.choice(pull.threads).comments)
    comment.body = f"Edited {random.random()}"
    comment.updated_at = random.choice([world.now, world.stamp()[1]])  # also within the second of the change before


def _delete(random, world, pull):
    thread = random.choice(pull.threads)
    thread.comments.remove(random.choice(thread.comments))
    pull.threads[:] = [one for one in pull.threads if one.comments]


def _begin(random, world, pull):
    world.add_thread(pull, "hello.py", random.randint(1, 20), "Begun.", review=world.add_review(pull, "PENDING"))


def _submit(random, world, pull):
    for review in pull.reviews:
        review.state = "COMMENTED" if review.state == "PENDING" else review.state


def _rename(random, world, pull):
    world.other_user.login = f"stranger-{random.randint(1, 5)}"


CHANGES = {
    "edit": _edit,
    "delete": _delete,
    "begin": _begin,
    "submit": _submit,
    "rename an account": _rename,
    "delete an account": lambda random, _, pull: setattr(random.choice(pull.threads).comments[-1], "user", None),
    "promote": lambda random, world, pull: pull.repository.permissions.update(
        stranger=random.choice(["write", "read"])
    ),
    "answer": lambda random, world, pull: world.add_reply(random.choice(pull.threads), "More.", world.other_user),
    "open": lambda random, world, pull: world.add_thread(pull, "hello.py", random.randint(1, 20), "New."),
    "resolve": lambda random, world, pull: setattr(random.choice(pull.threads), "resolved_by", world.user),
    "unresolve": lambda random, _, pull: setattr(random.choice(pull.threads), "resolved_by", None),
    "outdate": lambda random, _, pull: set_attributes(random.choice(pull.threads), outdated=True, line=None),
    "move": lambda random, _, pull: set_attributes(random.choice(pull.threads), line=random.randint(1, 20)),
    "fold": lambda random, _, pull: setattr(random.choice(pull.threads).comments[-1], "minimized", "outdated"),
    "react": lambda random, _, pull: (
        random.choice(pull.threads).comments[0].reactions.update(rocket=random.randint(0, 3))
    ),
    "rename the repository": lambda _, world, pull: world.rename(pull.repository, f"{pull.repository.name}-"),
    "wait": lambda _, world, __: setattr(world, "now", world.now + HOUR),
}


def set_attributes(thing, **values):
    for name, value in values.items():
        setattr(thing, name, value)


@pytest.mark.parametrize("seed", range(6))
async def test_a_reread_equals_a_first_read_after_any_changes(world, pull, stage, seed):
    random = Random(seed)
    async with stage.enter() as forge:
        for _ in range(8):
            await forge.threads.list(PR)
            for name in random.choices([*CHANGES], k=random.randint(1, 4)):
                if pull.threads:
                    CHANGES[name](random, world, pull)
            assert is_same(await forge.threads.list(PR), await stage.read_without_cache())


@pytest.mark.parametrize("name", CHANGES)
async def test_each_kind_of_change_is_noticed(world, pull, stage, name):
    async with stage.enter() as forge:
        first = await forge.threads.list(PR)
        CHANGES[name](Random(0), world, pull)
        found = await forge.threads.list(PR)
    assert is_same(found, await stage.read_without_cache())
    assert is_same(found, first) is (name in ("submit", "unresolve", "wait"))


async def test_a_second_edit_within_a_second_is_noticed(world, pull, stage):
    comment, at = pull.threads[0].comments[0], world.stamp()[1]
    async with stage.enter() as forge:
        for text in ("Once.", "Twice."):
            comment.body, comment.updated_at = text, at
            assert (await forge.threads.list(PR))[0].comments[0].body == text


async def test_a_submitted_review_is_no_longer_pending(world, pull, stage):
    review = world.add_review(pull, "PENDING")
    world.add_thread(pull, "hello.py", 12, "Begun.", review=review)
    world.now += HOUR
    async with stage.enter() as forge:
        assert (await forge.threads.list(PR))[-1].comments[0].pending is True
        review.state = "COMMENTED"
        assert (await forge.threads.list(PR))[-1].comments[0].pending is False


async def test_a_change_beyond_the_hundredth_comment_is_noticed(world, pull, stage):
    for number in range(230):
        world.add_reply(pull.threads[1], f"reply {number}")
    world.now += HOUR
    async with stage.enter() as forge:
        first = await forge.threads.list(PR)
        pull.threads[1].comments[210].minimized = "spam"
        found = await forge.threads.list(PR)
    again = ["ThreadsAgain", "MoreMarks", "MoreMarks", "SomeThreads", "MoreRemarks", "MoreRemarks"]
    assert stage.operations == ["Threads", "MoreRemarks", "MoreRemarks", *again]
    assert is_same(found, await stage.read_without_cache())
    assert not is_same(found, first)


async def test_all_threads_are_read_whole_if_one_is_deleted_meanwhile(world, pull, stage, monkeypatch):
    nodes = Query.nodes

    def delete_thread(self, ids):
        del pull.threads[0]
        return nodes(self, ids)

    async with stage.enter() as forge:
        await forge.threads.list(PR)
        world.add_reply(pull.threads[0], "New.")
        monkeypatch.setattr(Query, "nodes", delete_thread)
        found = await forge.threads.list(PR)
    assert stage.operations == ["Threads", "ThreadsAgain", "SomeThreads", "Threads"]
    assert is_same(found, await stage.read_without_cache())


async def test_reactions_to_the_first_comment_have_rests_words(pull, stage):
    pull.threads[0].comments[0].reactions = {"+1": 2, "-1": 1, "hooray": 3}
    async with stage.enter() as forge:
        for _ in range(2):
            first, second = (await forge.threads.list(PR))[0].comments
            assert first.reactions == (
                Reaction(content="+1", count=2),
                Reaction(content="-1", count=1),
                Reaction(content="hooray", count=3),
            )
            assert "without reactions" in second.reactions.reason


def create_entry(*sizes):
    threads = {f"PRRT_{number}": CachedThread(b"", (), "x" * size) for number, size in enumerate(sizes)}
    return CachedThreads("smith/hello", threads)


def test_the_least_recently_stored_pull_request_is_evicted():
    cache = ThreadCache(max_bytes=100)
    first, second, third = (evolve(PR, number=number) for number in (1, 2, 3))
    for pr in (first, second, first, third):
        cache.store("", pr, create_entry(40))
    assert (cache.get_threads("", second), cache.get_threads("", third)) == (None, create_entry(40))
    assert cache.get_threads("", first) == create_entry(40)


def test_threads_that_exceed_the_cache_are_stored_in_part():
    cache = ThreadCache(max_bytes=100)
    cache.store("", PR, create_entry(60, 40, 1))
    assert cache.get_threads("", PR) == create_entry(60, 40)
    cache.store("", PR, create_entry(101))
    assert cache.get_threads("", PR) is None


async def test_threads_that_are_not_cached_are_read_whole(pull, stage):
    async with stage.enter() as forge:
        (await get_thread_cache(forge)).max_bytes = 2_500
        first = await forge.threads.list(PR)
        assert is_same(await forge.threads.list(PR), first)
    assert stage.reread == [f"PRRT_kwDO{one.id:010x}" for one in pull.threads[1:]]
