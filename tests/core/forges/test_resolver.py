"""From what a caller wrote to the forge and the repository that is meant."""

import subprocess

import pytest

from stithy_core.errors import ConfigError, InvalidArguments, Refused
from stithy_core.forges import ConfiguredForge, Forges
from stithy_core.plugins import resolve
from stithy_core.spi import Forge, ForgeConfig, ForgeKind, PullRequestRef, RepositoryRef, Version

pytestmark = pytest.mark.anyio

WORK = ConfiguredForge(config=ForgeConfig(alias="work", kind="pond", url="https://git.example"))
SUB = ConfiguredForge(config=ForgeConfig(alias="sub", kind="pond", url="https://git.example/forge"))
HOME = ConfiguredForge(config=ForgeConfig(alias="home", kind="pond", url="https://home.example:3000"))


class Pond(Forge):
    """A forge that is never asked for anything."""

    writes_by_http = True

    async def identify(self):
        return Version("pond", "1")


@pytest.fixture
def make(tmp_path):
    """Make the forges of a server; `connected` lists the links that a client was made for."""

    def forges(*configured, kinds=("pond",), public=(), directory=tmp_path):
        known = {
            name: ForgeKind(
                name=name,
                title=name,
                forge=Pond,
                hosts=(f"{name}.example", f"*.{name}.example"),
                url=f"https://{name}.example" if name in public else "",
            )
            for name in kinds
        }
        connected = []

        def connect(config, dialect, credentials):
            connected.append(config)

        made = Forges(configured, known, resolve=resolve, connect=connect, directory=directory)
        made.connected = connected
        return made

    return forges


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Make a git repository with the remotes given."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def run(**remotes):
        place = tmp_path / "clone"
        subprocess.run(["git", "init", "--quiet", place], check=True)
        for name, url in remotes.items():
            subprocess.run(["git", "-C", place, "remote", "add", name, url], check=True)
        return place

    return run


async def place(forges, text):
    forge, repository = await forges.repository(text)
    return forge.config.alias, str(repository)


async def refusal(awaited, kind=InvalidArguments):
    with pytest.raises(kind) as caught:
        await awaited
    return caught.value


@pytest.mark.parametrize("alias", ["work", "home"])
async def test_an_alias_names_the_forge(make, alias):
    assert await place(make(WORK, HOME), f"{alias}:o/r") == (alias, "o/r")


async def test_a_pull_request_is_found_with_its_number(make):
    forge, ref = await make(WORK, HOME).pull_request("home:o/r#7")
    assert forge.config.alias == "home"
    assert ref == PullRequestRef(RepositoryRef("o", "r"), 7)


@pytest.mark.parametrize(
    ("url", "alias"),
    [
        ("https://git.example/o/r", "work"),
        ("https://home.example:3000/o/r", "home"),
        ("ssh://git@home.example:2222/o/r.git", "home"),
        ("git@git.example:o/r.git", "work"),
    ],
)
async def test_the_host_of_a_url_names_the_forge(make, url, alias):
    assert await place(make(WORK, HOME), url) == (alias, "o/r")


async def test_the_url_of_a_pull_request_names_both(make):
    forge, ref = await make(WORK, HOME).pull_request("https://git.example/o/r/pulls/7/files#diff")
    assert (forge.config.alias, str(ref)) == ("work", "o/r#7")


@pytest.mark.parametrize("order", [(WORK, SUB), (SUB, WORK)])
async def test_the_subpath_selects_one_of_two_forges_on_a_host(make, order):
    assert await place(make(*order), "https://git.example/forge/o/r") == ("sub", "o/r")
    assert await place(make(*order), "https://git.example/o/r") == ("work", "o/r")


async def test_a_url_beside_the_subpath_is_on_no_forge(make):
    error = await refusal(make(SUB, HOME).repository("https://git.example/o/r"))
    assert (
        "no forge is configured for this path of git.example; there are: sub (https://git.example/forge)"
        in error.message
    )


async def test_a_well_known_host_needs_no_settings(make):
    forge, repository = await make().repository("https://pond.example/o/r")
    assert forge.config == ForgeConfig(alias="pond.example", kind="pond", url="https://pond.example")
    assert str(repository) == "o/r"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://team.pond.example/o/r/pull/1", "team.pond.example"),
        ("git@ssh.team.pond.example:o/r.git", "team.pond.example"),
    ],
)
async def test_a_pattern_of_well_known_hosts_gives_each_a_forge_of_its_own(make, url, host):
    forge, _ = await make(WORK).repository(url)
    assert (forge.config.alias, forge.config.url) == (host, f"https://{host}")


@pytest.mark.parametrize("host", ["pond.example.evil", "xpond.example", "team.pond.example:8443", "pond.example."])
async def test_a_host_that_only_looks_well_known_is_refused(make, host):
    assert "no forge is configured for" in (await refusal(make(WORK).repository(f"https://{host}/o/r"))).message


async def test_a_configured_forge_comes_before_a_well_known_one(make):
    own = ConfiguredForge(config=ForgeConfig(alias="own", kind="pond", url="https://pond.example"))
    assert await place(make(own), "https://pond.example/o/r") == ("own", "o/r")


async def test_a_bare_name_is_on_the_only_forge(make):
    assert await place(make(WORK), "o/r") == ("work", "o/r")


async def test_a_bare_name_without_a_forge_says_how_to_configure_one(make):
    error = await refusal(make().repository("o/r"))
    assert error.message == "no forge is configured"
    assert "stithy.toml" in error.suggestion


async def test_a_bare_name_with_several_forges_lists_them(make):
    error = await refusal(make(WORK, HOME).repository("o/r"))
    assert "work (https://git.example), home (https://home.example:3000)" in error.message
    assert "alias:owner/repo" in error.suggestion


async def test_with_several_forges_the_working_directorys_remote_decides(make, clone):
    directory = clone(origin="https://home.example:3000/other/thing.git")
    assert await place(make(WORK, HOME, directory=directory), "o/r") == ("home", "o/r")


async def test_two_remotes_on_one_forge_still_decide(make, clone):
    directory = clone(origin="https://git.example/me/r.git", upstream="git@git.example:team/r.git")
    assert await place(make(WORK, HOME, directory=directory), "o/r") == ("work", "o/r")


async def test_remotes_on_two_forges_decide_nothing(make, clone):
    directory = clone(origin="https://git.example/o/r.git", mirror="https://home.example:3000/o/r.git")
    error = await refusal(make(WORK, HOME, directory=directory).repository("o/r"))
    assert "the name fits each of them" in error.message


async def test_a_remote_on_a_host_nobody_configured_decides_nothing(make, clone):
    directory = clone(origin="https://elsewhere.example/o/r.git")
    await refusal(make(WORK, HOME, directory=directory).repository("o/r"))


@pytest.mark.parametrize("text", ["https://elsewhere.example/o/r", "other:o/r"])
async def test_an_unknown_forge_lists_the_configured_ones(make, text):
    error = await refusal(make(WORK, HOME).repository(text))
    assert "work (https://git.example), home (https://home.example:3000)" in error.message


async def test_a_host_in_an_error_is_fit_to_be_shown(make):
    error = await refusal(make(WORK).repository(f"https://{'a' * 1000}.example/o/r"))
    assert len(error.message) < 400


@pytest.mark.parametrize("text", ["team/r", "TEAM/R", "work:Team/r", "https://git.example/tEAM/r", "exact/one"])
async def test_an_allow_list_admits_whatever_the_case(make, text):
    forges = make(ConfiguredForge(config=WORK.config, repositories=("Team/*", "exact/ONE")))
    assert (await place(forges, text))[0] == "work"


@pytest.mark.parametrize("text", ["other/r", "work:teams/r", "https://git.example/exact/two", "git@git.example:o/r"])
async def test_an_allow_list_refuses_the_rest_and_says_what_it_has(make, text):
    forges = make(ConfiguredForge(config=WORK.config, repositories=("Team/*", "exact/ONE")))
    error = await refusal(forges.repository(text), Refused)
    assert "Team/*, exact/ONE" in error.suggestion


async def test_an_allow_list_holds_for_pull_requests(make):
    await refusal(make(ConfiguredForge(config=WORK.config, repositories=("team/*",))).pull_request("o/r#1"), Refused)


async def test_an_allow_list_holds_for_directories(make, clone):
    directory = clone(origin="https://git.example/o/r.git")
    await refusal(
        make(ConfiguredForge(config=WORK.config, repositories=("team/*",))).repository(str(directory)), Refused
    )


async def test_a_kind_that_no_plugin_brings_says_what_to_install(make):
    error = await refusal(make(WORK, kinds=()).repository("o/r"), ConfigError)
    assert "of the kind 'pond' (of work)" in error.message
    assert 'pip install "stithy-pond"' in error.suggestion


async def test_a_directory_names_the_repository_of_its_remote(make, clone):
    assert await place(make(WORK, HOME), str(clone(origin="git@git.example:o/r.git"))) == ("work", "o/r")


async def test_origin_is_the_first_of_a_directorys_remotes(make, clone):
    directory = clone(fork="https://git.example/me/r", origin="https://home.example:3000/team/r")
    assert await place(make(WORK, HOME), str(directory)) == ("home", "team/r")


async def test_a_directory_may_lie_on_a_well_known_host(make, clone):
    assert await place(make(WORK), str(clone(origin="https://pond.example/o/r"))) == ("pond.example", "o/r")


@pytest.mark.parametrize("url", ["https://elsewhere.example/o/r", "/srv/git/r.git", "https://git.example/only"])
async def test_a_directory_without_a_fitting_remote_lists_the_forges(make, clone, url):
    directory = clone(origin=url)
    error = await refusal(make(WORK).repository(str(directory)))
    assert f"no remote of {directory} is on a forge that is configured" in error.message
    assert "work (https://git.example)" in error.message


async def test_a_directory_that_is_no_repository_is_refused(make, tmp_path):
    await refusal(make(WORK).repository(str(tmp_path)))


async def test_a_url_of_the_forge_itself_names_no_repository(make):
    await refusal(make(SUB).repository("https://git.example/forge/only"))


async def test_a_forge_is_made_once(make):
    forges = make(WORK)
    first, _ = await forges.repository("o/r")
    second, _ = await forges.pull_request("work:o/other#1")
    assert first is second is forges.forge("work")
    assert forges.connected == [WORK.config]


async def test_no_forge_is_connected_before_its_first_use(make):
    assert make(WORK, HOME).connected == []


async def test_a_forge_that_nobody_configured_is_refused_by_name(make):
    with pytest.raises(InvalidArguments, match="no forge is called 'other'"):
        make(WORK).forge("other")


async def test_without_settings_a_bare_name_is_on_the_public_forge(make):
    assert await place(make(kinds=("pond", "lake"), public=("lake",)), "o/r") == ("lake.example", "o/r")


async def test_without_settings_several_public_forges_are_listed(make):
    error = await refusal(make(kinds=("pond", "lake"), public=("pond", "lake")).repository("o/r"))
    assert "several public ones: https://pond.example, https://lake.example" in error.message


async def test_without_settings_the_working_directory_decides_before_the_public_forge(make, clone):
    forges = make(kinds=("pond", "lake"), public=("lake",), directory=clone(origin="https://pond.example/me/r"))
    assert await place(forges, "o/r") == ("pond.example", "o/r")


async def test_no_name_means_the_clone_in_the_working_directory(make, clone):
    forges = make(WORK, directory=clone(origin="git@git.example:team/r.git", backup="https://git.example/Team/R.git"))
    assert await place(forges, None) == ("work", "team/r")


@pytest.mark.parametrize("text", ["12", "#12"])
async def test_a_number_alone_is_of_the_clone_in_the_working_directory(make, clone, text):
    forge, ref = await make(WORK, directory=clone(origin="git@git.example:team/r.git")).pull_request(text)
    assert (forge.config.alias, str(ref)) == ("work", "team/r#12")


async def test_another_forges_mark_is_corrected(make, clone):
    forges = make(WORK, directory=clone(origin="git@git.example:team/r.git"))
    assert "write 'team/r#12'" in (await refusal(forges.pull_request("!12"))).message


@pytest.mark.parametrize("number", ["0", "#", "12a", "#1#2", "9" * 30])
async def test_what_is_no_number_is_refused_in_a_clone_too(make, clone, number):
    forges = make(WORK, directory=clone(origin="git@git.example:team/r.git"))
    assert "must be in format 'owner/repo#123'" in (await refusal(forges.pull_request(number))).message


async def test_a_clone_of_several_repositories_lists_them(make, clone):
    forges = make(WORK, directory=clone(origin="git@git.example:me/r.git", upstream="https://git.example/team/r"))
    error = await refusal(forges.pull_request("#12"))
    assert "(origin, upstream) are of several repositories" in error.message
    assert "https://git.example/me/r, https://git.example/team/r" in error.suggestion


async def test_the_forge_of_a_clone_on_an_unknown_host_is_proposed(make, clone):
    error = await refusal(make(WORK, directory=clone(origin="ssh://git@pond.acme.test:2222/o/r")).repository(None))
    assert "no remote of the working directory is on a forge that is configured" in error.message
    assert "For pond.acme.test:2222, run: stithy init --forge https://pond.acme.test; or add" in error.suggestion
    assert '[forges.acme] with kind = "pond", url = "https://pond.acme.test"' in error.suggestion


async def test_no_name_outside_of_a_clone_is_refused(make):
    error = await refusal(make(WORK).repository(None))
    assert "repository is required; " in error.message
    assert error.details["errors"][0]["path"] == "repository"


async def test_an_allow_list_holds_for_the_clone_in_the_working_directory(make, clone):
    fenced = ConfiguredForge(config=WORK.config, repositories=("team/*",))
    await refusal(make(fenced, directory=clone(origin="https://git.example/me/r")).repository(None), Refused)


async def test_callers_on_other_machines_name_the_repository(make, clone):
    forges = make(WORK, directory=clone(origin="https://git.example/me/r"))
    await refusal(forges.repository(None, local=False))
    await refusal(forges.pull_request("#12", local=False))
