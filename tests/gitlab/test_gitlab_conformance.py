"""GitLab in the conformance suite, on the double."""

import pytest
from gitlab_double.gitlab_server import GitLabServer
from gitlab_double.gitlab_world import BOB_TOKEN, SMITH_TOKEN, USERS

from stithy_core.spi import IssueRef, RepositoryRef
from stithy_testing import make_app, open_forge
from stithy_testing.conformance import ForgeConformance, Stage

ANVIL = RepositoryRef("smith/tools", "anvil")
OLD = RepositoryRef("smith", "hammer")


def prepare(server: GitLabServer) -> str:
    """Prepare the data of the suite, and return the id of its pipeline."""
    world = server.world
    world.enterprise = True
    home = world.add_project(str(ANVIL), only_allow_merge_if_pipeline_succeeds=True)
    world.former[str(OLD)] = home
    world.add_label(home, "bug", "ee0701")
    issue = world.add_issue(home, "It does not greet", "Say hello.", labels=["bug"])
    for body in ("first", "second", "third"):
        world.add_note(issue, body)
    issue["discussions"][0]["notes"][0]["emoji"].append("heart")
    world.close(world.add_issue(home, "Done"))
    greet = world.add_merge_request(home, "Greet", "greet", description="Closes #1.", approvals_required=1)
    world.add_note(greet, "Please look.")
    world.add_note(greet, "added 2 commits", system=True)
    world.add_note(greet, "Why print?", position=world.place(greet, "hello.py", 2))
    world.add_note(greet, "Spell it out.", position=world.place(greet, "hello.txt", 5))
    world.reply(greet, greet["discussions"][-1], "Done.", "smith")
    done = world.add_merge_request(home, "Done before", "before")
    world.close(done, "merged", merge_user=USERS["smith"], merge_commit_sha=home.find_commit("main"))
    world.add_merge_request(home, "Draft: Later", "later", "greet")
    archive = world.add_project("smith/archive", archived=True)
    world.add_issue(archive, "Old")
    sha = home.find_commit("greet")
    for name, status, text in (("build", "success", ""), ("test", "failed", "2 failed"), ("lint", "pending", "")):
        world.add_status(home, sha, name, status, text)
    level = {"access_level": 40, "access_level_description": "Maintainers"}
    home.protected.append({"id": 1, "name": "main", "merge_access_levels": [level], "push_access_levels": [level]})
    rule = {"name": "All Members", "approvals_required": 1, "applies_to_all_protected_branches": True}
    home.approval_rules.append({**rule, "rule_type": "any_approver"})
    run = world.add_pipeline(home, sha)
    world.add_job(home, run, "unit tests", trace=b"$ pytest\n1 failed\n", archive=b"PK\x05\x06" + bytes(18))
    case = {"status": "failed", "name": "test_login", "classname": "tests.test_auth", "execution_time": 0.1}
    case |= {"system_output": "assert 1 == 2", "stack_trace": None, "file": None}
    home.reports[run["id"]] = [{"name": "unit tests", "suite_error": None, "test_cases": [case]}]
    return str(run["id"])


class TestGitLab(ForgeConformance):
    @pytest.fixture
    async def stage(self, server, tmp_path):
        run = prepare(server)
        settings = (
            f'[forges.work]\nkind = "gitlab"\nurl = "{server.url}"\ntoken = {{ env = "TOKEN" }}\n'
            "[serve.http]\nforge_tokens = true\n"
        )
        async with open_forge(make_app(tmp_path, settings, environ={"TOKEN": SMITH_TOKEN}), "work") as forge:
            yield Stage(
                forge=forge,
                author="smith",
                repository=ANVIL,
                former=OLD,
                archived=IssueRef(RepositoryRef("smith", "archive"), 1),
                grouped_reviews=False,
                run=run,
                token=SMITH_TOKEN,
                other_token=BOB_TOKEN,
                other_author="bob",
            )
