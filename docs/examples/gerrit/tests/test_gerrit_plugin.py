"""The plugin itself: what it declares, its names, and its lists in pages."""

import pytest

from stithy_core.spi import RepositoryRef
from stithy_testing import check_installed, connect, open_forge

pytestmark = pytest.mark.anyio

HOME = RepositoryRef("smith/team", "anvil")


def test_everything_that_the_plugin_declares_is_there(install_example):
    install_example("gerrit")
    check_installed("stithy-gerrit")


NAMES = [
    "smith/team/anvil#2",
    "work:smith/team/anvil#2",
    "smith/team/anvil/+/2",
    "{url}/c/smith/team/anvil/+/2",
    "{url}/c/smith/team/anvil/+/2/1/hello.txt",
    "{url}/c/smith/team/anvil/+/2/comment/00000001_00000002/",
    "{url}/2",
    "{url}/2/1",
    "2",
]


@pytest.mark.parametrize("name", NAMES)
async def test_a_change_is_found_by_all_its_names(call, served_world, name):
    found = await call("detect_merge_conflicts", pr=name.format(url=served_world[1]))
    assert found["pr"] == "smith/team/anvil#2"


REPOSITORIES = [
    "smith/team/anvil",
    "{url}/smith/team/anvil",
    "{url}/a/smith/team/anvil",
    "{url}/admin/repos/smith%2Fteam%2Fanvil,branches",
    "ssh://smith@127.0.0.1:29418/smith/team/anvil",
]


@pytest.mark.parametrize("name", REPOSITORIES)
async def test_a_project_is_found_by_all_its_names(call, served_world, name):
    found = await call("pr_list", repository=name.format(url=served_world[1]))
    assert [row["number"] for row in found["pull_requests"]] == [3, 2, 1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("smith/team/anvil#99", "smith/team/anvil has no change 99"),
        ("smith/team/nothing#1", "repository smith/team/nothing was not found"),
        ("{url}/99", "work has no change 99"),
        ("smith/team/anvil!2", "write 'smith/team/anvil#2' for change 2"),
    ],
)
async def test_an_error_says_what_does_not_exist(call, served_world, name, text):
    found = await call("check_merge_readiness", pr=name.format(url=served_world[1]))
    assert found["error"]
    assert text in found["text"]


async def test_an_allow_list_holds_for_a_change_that_is_named_by_its_number(make_gerrit, served_world, world):
    """Only the server knows the project of `/1`."""
    app = make_gerrit(settings='repositories = ["smith/other"]\n')
    async with connect(app) as client:
        result = await client.call_tool("check_merge_readiness", {"pr": f"{served_world[1]}/1"})
    assert result.is_error
    assert "change 1 is not among the repositories that work may touch" in result.content[0].text


async def test_all_pages_of_a_list_are_read(make_gerrit, world, monkeypatch):
    monkeypatch.setattr("gerrit_double.MOST", 1)
    async with open_forge(make_gerrit(), "work") as forge:
        found = await forge.pull_requests.list(HOME)
    assert ([pull.ref.number for pull in found], found.cut) == ([3, 2, 1], "")
    assert world.asked.count("GET /changes/") == 3


async def test_a_list_of_a_branch_has_the_changes_into_it(make_gerrit, world):
    async with open_forge(make_gerrit(), "work") as forge:
        assert len(await forge.pull_requests.list(HOME, base="main")) == 3
        assert len(await forge.pull_requests.list(HOME, base="release")) == 0


async def test_a_timeline_has_the_patch_sets(make_gerrit, world):
    first = world.changes[1].patch_sets[0]
    second = world.shop.git("rev-parse", "next")
    world.push(1, second)
    world.end(world.changes[1], "ABANDONED")
    async with open_forge(make_gerrit(), "work") as forge:
        pull = await forge.pull_requests.get(forge.names.create_pull_request_ref(HOME, 1))
        events = await forge.issues.timeline(pull.ref)
    assert [(event.kind, event.subject, event.previous) for event in events[:2]] == [
        ("pushed", first, ""),
        ("force_pushed", second, first),
    ]
    assert (events[2].kind, pull.state, pull.head.branch) == ("closed", "closed", "refs/changes/01/1/2")
