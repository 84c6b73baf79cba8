"""Issues, which GitHub lists together with pull requests, and their timelines."""

import pytest
from github_double.world import World

from stithy_core.spi import InvalidArguments, IssueRef, NotFound, RepositoryRef

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef("smith", "hello")
SSO = {"X-GitHub-SSO": "partial-results; organizations=21955855,20582480"}


@pytest.fixture
def world():
    """An empty repository."""
    made = World()
    made.add_repository("hello")
    return made


def hello_in(world):
    return world.repository("smith/hello")


def add_pulls(world, number):
    for count in range(number):
        world.push(hello_in(world), f"b{count}", f"Add {count}", {f"{count}.txt": "x\n"})
        world.add_pull(hello_in(world), f"Pull {count}", f"b{count}")


async def test_issues_are_found_among_pull_requests(world, in_world):
    for title in ("one", "two", "three"):
        world.add_issue(hello_in(world), title)
    add_pulls(world, 101)
    async with in_world(world) as forge:
        found = await forge.issues.list(REPOSITORY, most=2)
        whole = await forge.issues.list(REPOSITORY, most=3)
    assert ([issue.title for issue in found], found.cut) == (["three", "two"], "only the first 2 were read")
    assert ([issue.title for issue in whole], whole.cut) == (["three", "two", "one"], "")


async def test_the_search_for_issues_ends(hub, github):
    """A repository may have very many pull requests and no issue."""
    page = [{"number": number, "pull_request": {}} for number in range(100)]
    path = "/repos/smith/hello/issues"

    def answer(query):
        number = int(query.get("page", 1))
        return 200, {"Link": f'<{hub.url}/api/v3{path}?page={number + 1}>; rel="next"'}, page

    hub.answers[f"GET {path}"] = answer
    async with github(hub.url) as forge:
        found = await forge.issues.list(REPOSITORY)
    assert (list(found), found.cut) == ([], "only the newest 5,000 issues and pull requests were searched")
    assert len(hub.asked) == 50


async def test_a_transferred_issue_has_its_current_reference(hub, github):
    row = {
        "number": 9,
        "repository_url": f"{hub.url}/api/v3/repos/other/place",
        "title": "It moved",
        "state": "open",
        "created_at": "2026-01-05T09:00:00Z",
        "updated_at": "2026-01-05T09:00:00Z",
        "html_url": "https://github.example/other/place/issues/9",
    }
    location = f"{hub.url}/api/v3/repositories/8/issues/9"
    hub.answers["GET /repos/smith/hello/issues/1"] = (301, {"Location": location}, {"message": "Moved Permanently"})
    hub.answers["GET /repositories/8/issues/9"] = row
    async with github(hub.url) as forge:
        issue = await forge.issues.get(IssueRef(REPOSITORY, 1))
    assert str(issue.ref) == "other/place#9"


async def test_a_label_may_be_its_name_alone(hub, github):
    times = dict.fromkeys(("created_at", "updated_at"), "2026-01-05T09:00:00Z")
    row = {"number": 1, "title": "It", "state": "open", "html_url": "", "labels": ["bug", {"name": None}]} | times
    hub.answers["GET /repos/smith/hello/issues/1"] = row
    async with github(hub.url) as forge:
        assert [label.name for label in (await forge.issues.get(IssueRef(REPOSITORY, 1))).labels] == ["bug", ""]


@pytest.mark.parametrize("what", ["issues are disabled for this repo", "This issue was deleted"])
async def test_a_deleted_or_disabled_issue_has_githubs_reason(hub, github, what):
    hub.answers["GET /repos/smith/hello/issues/1"] = (410, {}, {"message": what})
    hub.answers["GET /repos/smith/hello/issues"] = (410, {}, {"message": what})
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match=what) as caught:
            await forge.issues.get(IssueRef(REPOSITORY, 1))
        assert caught.value.__cause__ is not caught.value
        with pytest.raises(NotFound, match=what):
            await forge.issues.list(REPOSITORY)


async def test_a_private_repository_looks_missing(world, in_world):
    world.add_repository("secret", private=True)
    async with in_world(world, token=world.other_token) as forge:
        with pytest.raises(NotFound, match="no repository smith/secret, or the token may not see it"):
            await forge.issues.get(IssueRef(RepositoryRef("smith", "secret"), 1))


@pytest.mark.parametrize("name", ["..", ".", ""])
async def test_an_invalid_repository_name_is_not_sent(hub, github, name):
    async with github(hub.url) as forge:
        with pytest.raises(InvalidArguments, match="invalid repository name"):
            await forge.issues.get(IssueRef(RepositoryRef("..", name), 1))
    assert hub.asked == []


async def test_a_list_with_gaps_names_the_reason(hub, github):
    hub.answers["GET /repos/smith/hello/issues/1/comments"] = (200, SSO, [])
    async with github(hub.url) as forge:
        found = await forge.comments.list(IssueRef(REPOSITORY, 1))
    assert "single sign-on" in found.cut
