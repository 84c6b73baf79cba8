"""Threads that are read again are as in a first reading, and cost what has changed."""

import json
from datetime import timedelta
from random import Random

import pytest
from attrs import evolve, frozen
from github_double.answering import Double
from github_double.asked import GRAPHQL
from github_double.graph.query import Query
from github_double.server import running
from github_double.world import World

from stithy_core.spi import PullRequestRef, Reaction, RepositoryRef
from stithy_github.threads_cache import CachedConversation, CachedThread, ThreadCache, get_thread_cache

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

PR = PullRequestRef(RepositoryRef("smith", "hello"), 1)
HOUR = timedelta(hours=1)


@pytest.fixture
def world():
    """A repository with a pull request, number 1, and three threads, which nobody touched for an hour."""
    made = World()
    repository = made.add_repository("hello")
    made.push(repository, "greet", "Add hello.py", {"hello.py": "print()\n" * 20})
    pull = made.add_pull(repository, "Greet", "greet")
    for line in (1, 5, 9):
        made.add_reply(made.add_thread(pull, "hello.py", line, f"Line {line}?", made.stranger), "Yes.")
    made.now += HOUR
    return made


@pytest.fixture
def pull(world):
    return world.repository("smith/hello").issues[1]


@frozen
class Stage:
    """What is served: `enter` gives the forge, `threads` what it is asked for whole, and `asked` its questions."""

    double: Double
    enter: object

    @property
    def questions(self):
        return [json.loads(one.body) for one in self.double.asked if one.path == GRAPHQL]

    @property
    def asked(self):
        return [one["query"].split("(")[0].split()[1] for one in self.questions]

    @property
    def wanted(self):
        return [name for one in self.questions for name in one["variables"].get("threads", ())]

    async def afresh(self):
        """Read the threads as if for the first time."""
        async with self.enter() as forge:
            return await forge.threads.list(PR)


@pytest.fixture
def stage(world, github):
    with running(world) as double:
        yield Stage(double, lambda: github(double.url, token=world.token))


def same(found, other):
    return (list(found), found.total, found.cut) == (list(other), other.total, other.cut)


async def test_what_has_not_changed_is_not_read_again(stage):
    async with stage.enter() as forge:
        first = await forge.threads.list(PR)
        assert same(await forge.threads.list(PR), first)
    assert stage.asked == ["Threads", "ThreadsAgain"]


async def test_only_the_threads_that_changed_are_read_whole(world, pull, stage):
    async with stage.enter() as forge:
        await forge.threads.list(PR)
        edited, answered = pull.threads[0].comments[1], pull.threads[2]
        edited.body, edited.updated_at = "No.", world.stamp()[1]
        world.add_reply(answered, "And?")
        new = world.add_thread(pull, "hello.py", 12, "New.")
        found = await forge.threads.list(PR)
    assert same(found, await stage.afresh())
    assert stage.wanted == [f"PRRT_kwDO{one.id:010x}" for one in (pull.threads[0], answered, new)]


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
    world.stranger.login = f"stranger-{random.randint(1, 5)}"


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
    "answer": lambda random, world, pull: world.add_reply(random.choice(pull.threads), "More.", world.stranger),
    "open": lambda random, world, pull: world.add_thread(pull, "hello.py", random.randint(1, 20), "New."),
    "resolve": lambda random, world, pull: setattr(random.choice(pull.threads), "resolved_by", world.user),
    "unresolve": lambda random, _, pull: setattr(random.choice(pull.threads), "resolved_by", None),
    "outdate": lambda random, _, pull: vars_of(random.choice(pull.threads), outdated=True, line=None),
    "move": lambda random, _, pull: vars_of(random.choice(pull.threads), line=random.randint(1, 20)),
    "fold": lambda random, _, pull: setattr(random.choice(pull.threads).comments[-1], "minimized", "outdated"),
    "react": lambda random, _, pull: (
        random.choice(pull.threads).comments[0].reactions.update(rocket=random.randint(0, 3))
    ),
    "rename the repository": lambda _, world, pull: world.rename(pull.repository, f"{pull.repository.name}-"),
    "wait": lambda _, world, __: setattr(world, "now", world.now + HOUR),
}


def vars_of(thing, **values):
    for name, value in values.items():
        setattr(thing, name, value)


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_between_two_readings_the_second_is_as_a_first_one(world, pull, stage, seed):
    random = Random(seed)
    async with stage.enter() as forge:
        for _ in range(8):
            await forge.threads.list(PR)
            for name in random.choices([*CHANGES], k=random.randint(1, 4)):
                if pull.threads:
                    CHANGES[name](random, world, pull)
            assert same(await forge.threads.list(PR), await stage.afresh())


@pytest.mark.parametrize("name", CHANGES)
async def test_each_change_is_seen(world, pull, stage, name):
    async with stage.enter() as forge:
        first = await forge.threads.list(PR)
        CHANGES[name](Random(0), world, pull)
        found = await forge.threads.list(PR)
    assert same(found, await stage.afresh())
    assert same(found, first) is (name in ("submit", "unresolve", "wait"))


async def test_a_second_edit_within_a_second_is_seen(world, pull, stage):
    comment, at = pull.threads[0].comments[0], world.stamp()[1]
    async with stage.enter() as forge:
        for text in ("Once.", "Twice."):
            comment.body, comment.updated_at = text, at
            assert (await forge.threads.list(PR))[0].comments[0].body == text


async def test_a_review_that_is_sent_is_no_longer_pending(world, pull, stage):
    review = world.add_review(pull, "PENDING")
    world.add_thread(pull, "hello.py", 12, "Begun.", review=review)
    world.now += HOUR
    async with stage.enter() as forge:
        assert (await forge.threads.list(PR))[-1].comments[0].pending is True
        review.state = "COMMENTED"
        assert (await forge.threads.list(PR))[-1].comments[0].pending is False


async def test_a_change_beyond_the_hundredth_comment_is_seen(world, pull, stage):
    for number in range(230):
        world.add_reply(pull.threads[1], f"reply {number}")
    world.now += HOUR
    async with stage.enter() as forge:
        first = await forge.threads.list(PR)
        pull.threads[1].comments[210].minimized = "spam"
        found = await forge.threads.list(PR)
    again = ["ThreadsAgain", "MoreMarks", "MoreMarks", "SomeThreads", "MoreRemarks", "MoreRemarks"]
    assert stage.asked == ["Threads", "MoreRemarks", "MoreRemarks", *again]
    assert same(found, await stage.afresh())
    assert not same(found, first)


async def test_a_thread_that_goes_while_it_is_asked_for_leads_to_a_whole_reading(world, pull, stage, monkeypatch):
    nodes = Query.nodes

    def meanwhile(self, ids):
        del pull.threads[0]
        return nodes(self, ids)

    async with stage.enter() as forge:
        await forge.threads.list(PR)
        world.add_reply(pull.threads[0], "New.")
        monkeypatch.setattr(Query, "nodes", meanwhile)
        found = await forge.threads.list(PR)
    assert stage.asked == ["Threads", "ThreadsAgain", "SomeThreads", "Threads"]
    assert same(found, await stage.afresh())


async def test_emoji_of_the_first_comment_are_told_in_rests_words(pull, stage):
    pull.threads[0].comments[0].reactions = {"+1": 2, "-1": 1, "hooray": 3}
    async with stage.enter() as forge:
        for _ in range(2):
            first, second = (await forge.threads.list(PR))[0].comments
            assert first.reactions == (Reaction("+1", 2), Reaction("-1", 1), Reaction("hooray", 3))
            assert "without reactions" in second.reactions.reason


def kept(*sizes):
    threads = {f"PRRT_{number}": CachedThread(b"", (), "x" * size) for number, size in enumerate(sizes)}
    return CachedConversation("smith/hello", threads)


def test_what_was_asked_for_last_is_kept():
    memory = ThreadCache(most=100)
    first, second, third = (evolve(PR, number=number) for number in (1, 2, 3))
    for pr in (first, second, first, third):
        memory.keep("", pr, kept(40))
    assert (memory.recall("", second), memory.recall("", third)) == (None, kept(40))
    assert memory.recall("", first) == kept(40)


def test_what_is_larger_than_all_that_may_be_kept_is_kept_in_part():
    memory = ThreadCache(most=100)
    memory.keep("", PR, kept(60, 40, 1))
    assert memory.recall("", PR) == kept(60, 40)
    memory.keep("", PR, kept(101))
    assert memory.recall("", PR) is None


async def test_what_could_not_be_kept_is_read_whole(pull, stage):
    async with stage.enter() as forge:
        (await get_thread_cache(forge)).most = 2_500
        first = await forge.threads.list(PR)
        assert same(await forge.threads.list(PR), first)
    assert stage.wanted == [f"PRRT_kwDO{one.id:010x}" for one in pull.threads[1:]]
