"""Forges that write names in their own way: what callers name, and what the settings allow."""

import pytest
from forge_names import AzureNames, GerritNames, GitLabNames
from lake import REPOSITORY, LakePullRequests

from stithy_core.app.plugin_faults import find_faults
from stithy_core.errors import InvalidArguments, NotFound, Refused
from stithy_core.forges import ConfiguredForge, Forges
from stithy_core.plugins import resolve
from stithy_core.spi import Contribution, Forge, ForgeConfig, ForgeKind, ForgeNames, Version
from stithy_core.spi.faults import PluginFault
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

URL = "https://git.example"


class FewChanges(LakePullRequests):
    """Changes up to number 7, all of `group/team/repo`."""

    async def get(self, pr):
        if pr.number > 7:
            raise NotFound(f"{pr} was not found")
        return await super().get(pr)


class Lake(Forge):
    capabilities = (FewChanges,)

    async def identify(self):
        return Version("lake", "1")


class RaisingNames(ForgeNames):
    def parse_name(self, path):
        raise KeyError("owner")


class WrongNames(ForgeNames):
    def parse_path(self, path):
        return "/".join(path)


@pytest.fixture
def make(tmp_path):
    """Return a function that creates the forges of a server: each alias with its names, and patterns for all."""

    def forges(*repositories, hosts=(), **names):
        kinds = {
            alias: ForgeKind(name=alias, title=alias, forge=Lake, hosts=hosts, names=names[alias]) for alias in names
        }
        configured = [
            ConfiguredForge(
                config=ForgeConfig(alias=alias, kind=alias, url=f"{URL}/{alias}", names=kind.names),
                repositories=repositories,
            )
            for alias, kind in kinds.items()
        ]
        return Forges(
            () if hosts else configured,
            kinds,
            resolve=resolve,
            connect=lambda *_: None,
            directory=tmp_path,
            origins={name: Contribution(f"stithy-{name}", "1.0", name) for name in kinds},
        )

    return forges


async def read_error(awaited, kind):
    with pytest.raises(kind) as caught:
        await awaited
    return caught.value


async def test_pull_request_has_the_mark_of_its_forge(make):
    forge, pr = await make(work=GitLabNames()).pull_request(f"{URL}/work/group/team/repo/-/merge_requests/7/diffs")
    assert str(pr) == "group/team/repo!7"
    assert forge.names.create_pull_request_ref(pr.repository, 7).short == "!7"


async def test_well_known_host_has_the_names_of_its_kind(make):
    _, pr = await make(pond=GitLabNames(), hosts=("pond.example",)).pull_request(
        "https://pond.example/a/b/c/-/merge_requests/7"
    )
    assert str(pr) == "a/b/c!7"


@pytest.mark.parametrize(
    "text", ["group/team/repo", "GROUP/Team/repo", f"{URL}/work/Group/team/repo/-/tree/main", "group/a/b/c/d"]
)
async def test_allow_list_admits_deep_names(make, text):
    _, repository = await make("group/*", work=GitLabNames()).repository(text)
    assert str(repository).lower().startswith("group/")


@pytest.mark.parametrize(
    "text",
    [
        "other/team/repo",
        "other/group/repo",
        f"{URL}/work/other/repo/-/tree/main/group/x",
        f"{URL}/work/other/repo?path=group/x",
        "git@git.example:other/repo.git",
    ],
)
async def test_allow_list_refuses_other_groups(make, text):
    error = await read_error(make("group/*", work=GitLabNames()).repository(text), Refused)
    assert "is not among the repositories that work may touch here" in error.message


@pytest.mark.parametrize(
    "text",
    [
        "group/../other/repo",
        "group%2F..%2Fother/repo",
        f"{URL}/work/group/%2E%2E/other/repo",
        f"{URL}/work/group%2F..%2Fother/repo",
        f"{URL}/work/group/..%5Cother",
        "group//repo",
        "group/repo\u200b",
        "group /repo",
    ],
)
async def test_other_spellings_of_a_name_are_refused(make, text):
    await read_error(make("group/*", work=GitLabNames()).repository(text), InvalidArguments)


@pytest.mark.parametrize(
    "text", ["secret/_git/repo", "_git/secret", f"{URL}/work/_git/Secret", f"{URL}/work/secret/_git/_git/repo"]
)
async def test_git_segment_does_not_hide_a_project(make, text):
    await read_error(make("_git/*", "public/*", work=AzureNames()).repository(text), (Refused, InvalidArguments))


async def test_project_without_a_namespace_is_matched_by_its_name(make):
    forges = make("gerrit", "tools/*", work=GerritNames())
    assert str((await forges.repository("gerrit"))[1]) == "gerrit"
    assert str((await forges.repository("tools/deep/er"))[1]) == "tools/deep/er"
    await read_error(forges.repository("secret"), Refused)
    await read_error(forges.repository("/gerrit"), InvalidArguments)


async def test_forge_finds_the_repository_of_a_change(make):
    _, pr = await make(work=GerritNames()).pull_request(f"{URL}/work/7")
    assert (pr.repository, str(pr)) == (REPOSITORY, "group/team/repo#7")


async def test_missing_change_is_not_found(make):
    await read_error(make(work=GerritNames()).pull_request(f"{URL}/work/404"), NotFound)


async def test_number_alone_is_no_repository(make):
    await read_error(make(work=GerritNames()).repository(f"{URL}/work/7"), InvalidArguments)


async def test_allow_list_reveals_nothing_of_a_change_elsewhere(make):
    """Neither its repository, nor whether it exists."""
    forges = make("tools/*", work=GerritNames())
    errors = [await read_error(forges.pull_request(f"work:{number}"), Refused) for number in ("7", "404")]
    assert [error.message.replace("404", "7") for error in errors] == [
        "change 7 is not among the repositories that work may touch here"
    ] * 2


class MovedNames(ForgeNames):
    def list_other_urls(self, url):
        return (url.replace("git.", "old-git."),)


async def test_forge_is_found_at_its_other_url(make):
    """Its own URL is used, and the allow-list applies."""
    forge, ref = await make("owner/*", github=MovedNames()).pull_request(
        "https://old-git.example/github/owner/repo/pull/7"
    )
    assert (forge.config.url, str(ref)) == (f"{URL}/github", "owner/repo#7")
    error = await read_error(
        make("owner/*", github=MovedNames()).repository("https://old-git.example/github/o/r"), Refused
    )
    assert "o/r is not among the repositories" in error.message


async def test_bare_name_that_no_forge_writes_so_is_refused_by_its_form(make):
    error = await read_error(make(a=GitLabNames(), b=AzureNames()).pull_request("group/repo#7"), InvalidArguments)
    assert "write 'group/repo!7' for merge request 7" in error.message


async def test_url_on_a_known_host_is_refused_by_the_forges_form(make):
    error = await read_error(make(work=GitLabNames()).pull_request(f"{URL}/work/group"), InvalidArguments)
    assert error.message == "merge request must be in format 'group/repo!123'"


@pytest.mark.parametrize("names", [RaisingNames(), WrongNames()])
async def test_fault_of_names_is_that_of_their_plugin(make, names):
    forges = make(good=GitLabNames(), bad=names)
    error = await read_error(forges.repository(f"{URL}/bad/group/repo"), PluginFault)
    assert "stithy-bad 1.0" in error.message
    assert str((await forges.repository(f"{URL}/good/group/repo"))[1]) == "group/repo"


def test_names_that_raise_are_found_without_a_call(plugin, tmp_path):
    kind = ForgeKind(name="bad", title="Bad", forge=Lake, names=RaisingNames())
    (failed,) = find_faults(make_app(tmp_path, entries=[plugin("stithy-bad", stithy_forges=[kind])]))
    assert (failed.subject, failed.cause) == ("stithy-bad 1.0: forge kind bad, names", "KeyError: 'owner'")
    assert failed.remedy == "correct the forge kind bad, names"


def test_names_are_an_instance():
    with pytest.raises(TypeError, match="'names' must be"):
        ForgeKind(name="lake", title="Lake", forge=Lake, names=GitLabNames)
