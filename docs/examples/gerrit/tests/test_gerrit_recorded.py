"""The same tools on the recorded answers of a real Gerrit 3.10.2, which the double follows."""

from pathlib import Path

import pytest

from stithy_testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

PR = "smith/anvil#1395"


@pytest.fixture
def replay(install_example, tmp_path):
    """Return a function that calls a tool on the recording, which must have all that it requests."""
    install_example("gerrit")

    async def call_tool(tool, **arguments):
        tape = Tape.read([Path(__file__).with_name("gerrit-3.10.2.yaml")])
        with playback(tape, hosts=("gerrit.example",)) as url:
            settings = f'[forges.work]\nkind = "gerrit"\nurl = "{url}"\ntoken = {{ env = "TOKEN" }}\n'
            async with connect(make_app(tmp_path, settings, environ={"TOKEN": "smith:recorded"})) as client:
                result = await client.call_tool(tool, arguments)
        assert (tape.missed, result.is_error) == ([], False)
        return result.structured_content

    return call_tool


async def test_the_conversation_is_read(replay):
    found = await replay("pr_comment_list", repository="smith/anvil", pull_request_number=1395)
    assert [(row["user"], row["body"]) for row in found["comments"]] == [("guest", "Please look.")]


async def test_unresolved_comments_are_found(replay):
    found = await replay("find_unresolved_comments", pr=PR)
    assert sorted((row["type"], row["body"]) for row in found["comments"]) == [
        ("issue_comment", "Please look."),
        ("review", "Some remarks."),
        ("review_comment", "Is it all?"),
        ("review_comment", "Why?"),
    ]


async def test_the_vote_of_ci_is_the_check_that_failed(replay):
    (failure,) = (await replay("get_failing_tests", pr=PR))["failures"]
    assert failure["check_name"] == "Verified"


async def test_the_change_is_not_ready(replay):
    found = await replay("check_merge_readiness", pr=PR)
    assert {row["category"] for row in found["blocking_issues"]} == {"approvals", "checks_failing"}
    assert found["branch_protection"]["required_checks"] == ["Verified"]
