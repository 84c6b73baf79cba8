"""Pull requests: values that lists leave out or that GitHub still computes, and renamed repositories."""

import pytest
from github_double.world import World

from stithy_core.spi import NotFound, PullRequestRef, RepositoryRef, StackPlace, Unknown

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef("smith", "hello")
PR = PullRequestRef(REPOSITORY, 1)


@pytest.fixture
def world():
    """A repository with a pull request, number 1."""
    made = World()
    repository = made.add_repository("hello")
    made.push(repository, "greet", "Add hello.py", {"hello.py": "print()\n"})
    made.add_pull(repository, "Greet", "greet")
    return made


def pull_in(world):
    return world.repository("smith/hello").issues[1]


async def test_mergeable_is_unknown_while_github_computes_it(world, in_world):
    pull_in(world).computing = 1
    async with in_world(world) as forge:
        first, second = [await forge.pull_requests.get(PR) for _ in range(2)]
    assert isinstance(first.mergeable, Unknown)
    assert first.mergeable.remedy == "Try again in a few seconds."
    assert first.forge_state == "unknown"
    assert second.mergeable is True


async def test_a_conflict_is_reported(world, in_world):
    pull_in(world).mergeable = False
    async with in_world(world) as forge:
        pull = await forge.pull_requests.get(PR)
    assert (pull.mergeable, pull.forge_state) == (False, "dirty")


async def test_what_a_list_leaves_out_is_unknown(world, in_world):
    async with in_world(world) as forge:
        (pull,) = await forge.pull_requests.list(REPOSITORY)
    left_out = (pull.mergeable, pull.comment_count, pull.additions, pull.deletions, pull.changed_files)
    assert all(isinstance(value, Unknown) for value in left_out)
    assert {value.remedy for value in left_out} == {"Read the pull request by its number."}


async def test_a_merged_pull_request_is_merged_in_lists_too(world, in_world):
    world.merge(pull_in(world))
    async with in_world(world) as forge:
        (listed,) = await forge.pull_requests.list(REPOSITORY, state="closed")
        alone = await forge.pull_requests.get(PR)
    assert (listed.merged, listed.merge_commit) == (True, pull_in(world).merge_commit)
    assert (alone.merged_by.login, alone.merged_at) == ("smith", listed.merged_at)


async def test_the_head_of_a_deleted_fork_has_no_repository(world, in_world):
    pull_in(world).head_repository = pull_in(world).body = None
    async with in_world(world) as forge:
        pull = await forge.pull_requests.get(PR)
    assert (pull.head.repository, pull.from_fork, pull.body) == (None, True, "")


async def test_a_pull_request_names_its_place_in_a_stack(world, in_world):
    """In a list, too, so no further request is needed."""
    pull_in(world).stack = (50, 1)
    repository = world.repository("smith/hello")
    world.push(repository, "shout", "Shout", {"hello.py": "print('!')\n"}, begin="greet")
    world.add_pull(repository, "Shout", "shout", base="greet", stack=(50, 2))
    world.push(repository, "apart", "Apart", {"apart.py": ""})
    world.add_pull(repository, "Apart", "apart")
    async with in_world(world) as forge:
        listed = await forge.pull_requests.list(REPOSITORY)
        alone = await forge.pull_requests.get(PR)
    assert [pull.stack for pull in listed] == [None, StackPlace(number=50, position=2, size=2), alone.stack]
    assert alone.stack == StackPlace(number=50, position=1, size=2)


async def test_null_and_missing_fields_do_not_hide_a_pull_request(hub, github):
    """GitHub's description has no null account, but answers had one; draft, locked and labels came later."""
    end = {"ref": "main", "sha": "a" * 40, "repo": None, "user": None}
    row = {
        "number": 1,
        "title": "Greet",
        "state": "open",
        "user": None,
        "body": None,
        "head": end,
        "base": end,
        "created_at": "2012-01-05T09:00:00Z",
        "updated_at": "2012-01-05T09:00:00Z",
        "html_url": "https://github.example/smith/hello/pull/1",
    }
    hub.answers["GET /repos/smith/hello/pulls"] = [row]
    async with github(hub.url) as forge:
        (pull,) = await forge.pull_requests.list(REPOSITORY)
    assert (str(pull.ref), pull.author.login, pull.author.id, pull.labels) == ("smith/hello#1", "ghost", "", ())
    assert all(isinstance(value, Unknown) for value in (pull.draft, pull.locked, pull.archived))


async def test_requested_reviewers_and_teams_are_listed(world, in_world):
    pull_in(world).reviewers, pull_in(world).teams = [world.other_user], ["tools"]
    async with in_world(world) as forge:
        pull = await forge.pull_requests.get(PR)
    assert ([user.login for user in pull.requested_reviewers], pull.requested_teams) == (["stranger"], ("Tools",))


async def test_a_head_is_searched_under_the_repositorys_new_owner(hub, github):
    """GitHub finds no head by the former owner's name, and does not report that."""
    asked = []

    def answer(query):
        asked.append(query["head"])
        return []

    hub.answers["GET /repos/former/hello"] = {"full_name": "present/hello"}
    hub.answers["GET /repos/former/hello/pulls"] = hub.answers["GET /repos/present/hello/pulls"] = answer
    async with github(hub.url) as forge:
        await forge.pull_requests.list(RepositoryRef("former", "hello"), head="greet")
    assert asked == ["former:greet", "present:greet"]


async def test_a_new_pull_request_is_distinguished_from_a_missing_one(hub, github):
    hub.answers["GET /repos/smith/hello/issues/1"] = {"number": 1, "pull_request": {}}
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match="is not ready yet") as caught:
            await forge.pull_requests.get(PR)
    assert caught.value.retry_after == 2
