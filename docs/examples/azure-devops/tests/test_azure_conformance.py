"""Azure DevOps in the conformance suite, on the double."""

import pytest
from azure_devops_double import NAME, OTHER, PROJECT, TOKEN

from stithy_core.spi import RepositoryRef, Verdict
from stithy_testing import make_app, open_forge
from stithy_testing.conformance import ForgeConformance, Stage

REPO = RepositoryRef(PROJECT, NAME)


def prepare(org):
    """Prepare the data of the suite, and return the id of its build."""
    del org.state["pulls"][5]  # the suite counts them
    org.add_thread(1, "Please look.")
    for path, line, *texts in (("/hello.py", 2, "Why print?"), ("/hello.txt", 5, "Spell it out.", "Done.")):
        ends = {end: {"line": line, "offset": 1} for end in ("rightFileStart", "rightFileEnd")}
        org.add_thread(1, *texts, status="active", threadContext={"filePath": path, **ends})
    for text in ("first", "second", "third"):
        org.add_thread(4, text)
    org.add_policy("Minimum number of reviewers", minimumApproverCount=1)
    head = org.state["pulls"][1]["lastMergeSourceCommit"]["commitId"]
    for name, state, word in (("build", "succeeded", "approved"), ("test", "failed", "rejected")):
        org.add_status(head, name, state, "2 failed" if name == "test" else "")
        org.evaluate(1, org.add_policy("Status", statusName=name), word)
    org.add_status(head, "lint", "pending")
    return str(org.add_build(1, "CI", {"unit": ("failed", "1 failed\n")}))


class TestAzureDevOps(ForgeConformance):
    @pytest.fixture
    async def stage(self, org, settings, tmp_path):
        run = prepare(org)
        settings += "[serve.http]\nforge_tokens = true\n"
        async with open_forge(make_app(tmp_path, settings, environ={"PAT": TOKEN}), "work") as forge:
            yield Stage(
                forge=forge,
                author="normal@fabrikam.example",
                repository=REPO,
                issue=None,
                closed=None,
                conversation=forge.names.create_pull_request_ref(REPO, 4),
                grouped_reviews=False,
                run=run,
                checks={"build": Verdict.PASSED, "lint": Verdict.PENDING, "test": Verdict.FAILED},
                token=TOKEN,
                other_token=OTHER,
                other_author="kim@fabrikam.example",
            )


@pytest.mark.anyio
@pytest.mark.parametrize(("head", "numbers"), [("forked", []), (f"{PROJECT}:forked", [5]), ("clash", [4])])
async def test_a_branch_of_a_fork_in_the_project_is_not_one_of_the_repository(settings, tmp_path, head, numbers):
    async with open_forge(make_app(tmp_path, settings, environ={"PAT": TOKEN}), "work") as forge:
        found = await forge.pull_requests.list(REPO, head=head)
    assert [pull.ref.number for pull in found] == numbers
