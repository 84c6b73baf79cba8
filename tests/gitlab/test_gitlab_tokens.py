"""Kinds of tokens: what doctor says of each, and where the token of a CI job does not reach."""

import pytest
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_world import JOB_TOKEN, OAUTH_TOKEN, PROJECT_TOKEN, SMITH_TOKEN, ApiError

from stithy_core.app.doctor import examine_forge
from stithy_core.spi import Forbidden, RepositoryRef, Unauthorized
from stithy_testing import make_app, open_forge

pytestmark = pytest.mark.anyio
ANVIL = RepositoryRef("smith/tools", "anvil")


@pytest.fixture
def make(server, tmp_path):
    """Return a function that creates an app of the server, with a token from the settings or the environment."""
    server.world.add_merge_request(server.world.add_project(NAME), "Greet", "greet")

    def create(token="", **environ):
        settings = f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\n'
        settings += 'token = { env = "WORK_TOKEN" }\n' if token else ""
        return make_app(tmp_path, settings, environ={"WORK_TOKEN": token, "PATH": ""} | environ)

    return create


async def examine(app):
    found = [finding.text async for finding in examine_forge(app, "work")]
    await app.connections.aclose()
    return found


@pytest.mark.parametrize(
    ("token", "said"),
    [
        (SMITH_TOKEN, "the token's kind: personal access token; its scopes: api"),
        (PROJECT_TOKEN, "the token's kind: project access token; its scopes: api"),
        (OAUTH_TOKEN, "the token's kind: OAuth token; its scopes are not known"),
        (JOB_TOKEN, "the token's kind: CI job token; its scopes are not known: it reads merge requests, issues, notes"),
    ],
)
async def test_doctor_names_the_kind_of_a_token(make, token, said):
    found = await examine(make(token))
    assert any(text.startswith(said) for text in found), found


async def test_doctor_says_when_a_token_ends(make):
    assert "the token ends at 2027-01-31 00:00 UTC" in await examine(make(SMITH_TOKEN))


@pytest.mark.parametrize("source", ["settings", "environment"])
async def test_the_token_of_a_job_reads_a_merge_request_and_its_notes(make, server, source):
    job = {"CI_JOB_TOKEN": JOB_TOKEN, "CI_SERVER_URL": server.url}
    async with open_forge(make(JOB_TOKEN) if source == "settings" else make(**job), "work") as forge:
        pr = forge.names.create_pull_request_ref(ANVIL, 1)
        assert (await forge.pull_requests.get(pr)).title == "Greet"
        assert list(await forge.comments.list(pr)) == []
        assert (await forge.identity.me()).login == "smith"
    assert server.job_requests


async def test_where_the_token_of_a_job_does_not_reach_another_token_is_advised(make, server):
    async with open_forge(make(JOB_TOKEN), "work") as forge:
        pr = forge.names.create_pull_request_ref(ANVIL, 1)
        for refused in (forge.comments.create(pr, "Hello."), forge.threads.list(pr), forge.checks.jobs(ANVIL, "1")):
            with pytest.raises(Forbidden, match="token of a CI job may not") as caught:
                await refused
            assert "project access token with the scope api" in caught.value.suggestion
    assert not any(
        "Hello" in note["body"] for one in server.world.projects[NAME].merges[1]["discussions"] for note in one["notes"]
    )


async def test_a_refused_token_that_is_no_jobs_stays_a_refused_token(make, server):
    server.faults[f"POST /projects/{NAME}/merge_requests/1/notes"] = ApiError(401, {"message": "401 Unauthorized"})
    async with open_forge(make(SMITH_TOKEN), "work") as forge:
        with pytest.raises(Exception, match="401"):
            await forge.comments.create(forge.names.create_pull_request_ref(ANVIL, 1), "Hello.")


@pytest.mark.parametrize("status", [401, 403])
async def test_an_error_that_nothing_explains_further_is_not_its_own_cause(server, make, status):
    """Programs that follow the causes of an error would never end."""
    server.faults[f"POST /projects/{NAME}/merge_requests/1/notes"] = ApiError(status, {"message": f"{status} No"})
    async with open_forge(make(SMITH_TOKEN), "work") as forge:
        with pytest.raises((Forbidden, Unauthorized)) as caught:
            await forge.comments.create(forge.names.create_pull_request_ref(ANVIL, 1), "hello")
    assert caught.value.__cause__ is not caught.value
