"""Bitbucket Cloud in the conformance suite, on the double."""

import pytest
from bitbucket_double import API_TOKEN, SECRET, create_step

from stithy_core.spi import PullRequestRef, RepositoryRef, Verdict
from stithy_testing import make_app, open_forge
from stithy_testing.conformance import ForgeConformance, Stage

ANVIL = RepositoryRef("smith", "anvil")


def prepare(server):
    """Prepare the data of the suite, and return the id of its pipeline."""
    home = server.add_repository(str(ANVIL))
    home.restrict("require_approvals_to_merge", 1)
    home.restrict("require_passing_builds_to_merge", 1)
    greet = server.add_pull(home, "Greet", "greet", description="Closes #1.")
    server.add_comment(greet, "Please look.")
    server.add_comment(greet, "Why print?", inline={"path": "hello.py", "from": None, "to": 2})
    spell = server.add_comment(greet, "Spell it out.", inline={"path": "hello.txt", "from": None, "to": 5})
    server.add_comment(greet, "Done.", parent={"id": spell["id"]})
    ends = {"state": "MERGED", "closed_by": greet["author"], "merge_commit": home.find_commit("main")}
    server.add_pull(home, "Done before", "before", **ends)
    server.add_pull(home, "WIP: Later", "later", "greet", draft=True)
    talk = server.add_pull(home, "Talk", "before")
    for body in ("first", "second", "third"):
        server.add_comment(talk, body)
    sha = home.find_commit("greet")
    for name, state, summary in (
        ("build", "SUCCESSFUL", ""),
        ("test", "FAILED", "2 failed"),
        ("lint", "INPROGRESS", ""),
    ):
        server.add_status(home, sha, name, state, description=summary)
    cases = [{"name": "test_login", "class": "tests.test_auth", "status": "FAILED", "message": "no"}]
    return server.add_pipeline(home, sha, create_step("Unit tests", log="1 failed\n", cases=cases))["uuid"].strip("{}")


class TestBitbucket(ForgeConformance):
    @pytest.fixture
    async def stage(self, server, tmp_path):
        run = prepare(server)
        settings = f'[forges.work]\nkind = "bitbucket"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
        async with open_forge(make_app(tmp_path, settings, environ={"TOKEN": API_TOKEN}), "work") as forge:
            yield Stage(
                forge=forge,
                author="smith",
                repository=ANVIL,
                issue=None,
                closed=None,
                pr=PullRequestRef(ANVIL, 1),
                merged=PullRequestRef(ANVIL, 2),
                draft=PullRequestRef(ANVIL, 3),
                conversation=PullRequestRef(ANVIL, 4),
                absent=RepositoryRef("smith", "nothing"),
                grouped_reviews=False,
                run=run,
                checks={"build": Verdict.PASSED, "lint": Verdict.RUNNING, "test": Verdict.FAILED},
                token=SECRET,
            )
