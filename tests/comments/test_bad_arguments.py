"""What pr_comment_create refuses before it asks any forge, in the words of specs/1; and forges that do not answer."""

import pytest
from lab import Lab

pytestmark = pytest.mark.anyio


@pytest.fixture
def nowhere(tmp_path):
    """A lab on a forge that is down: whatever is refused there was refused without asking it."""
    return Lab("http://127.0.0.1:9", "anvil", tmp_path, owner="smith")


async def error_of(lab, **arguments):
    result = await lab.call("pr_comment_create", **({"comment": "never"} | arguments))
    assert result.is_error
    assert result.content[0].text.startswith(result.structured_content["error"])
    return result.structured_content


@pytest.mark.parametrize("repository", ["../..", "anvil", "smith/", "a/..", "smith/anvil#1", "a b/c", "", "ünï/cöde"])
async def test_what_is_no_repository_is_refused(nowhere, repository):
    error = await error_of(nowhere, repository=repository)
    assert error["error"] == "Invalid request: repository must be in format 'owner/repo'"
    assert (error["code"], error["category"]) == (-32602, "user")


@pytest.mark.parametrize("number", [0, -1])
async def test_a_number_must_be_positive(nowhere, number):
    error = await error_of(nowhere, pull_request_number=number)
    assert error["error"] == "Invalid request: pull_request_number must be positive"
    given = error["details"]["errors"][0]
    assert (given["path"], given["given"]) == ("pull_request_number", str(number))


@pytest.mark.parametrize("comment", ["", " ", "\n\t "])
async def test_a_comment_must_not_be_blank(nowhere, comment):
    assert (await error_of(nowhere, comment=comment))["error"] == "Invalid request: comment must not be blank"


async def test_all_that_is_wrong_is_said_at_once(nowhere):
    error = await error_of(nowhere, comment="", pull_request_number="1", nmber=2)
    assert [row["path"] for row in error["details"]["errors"]] == ["nmber", "comment", "pull_request_number"]


async def test_repository_or_directory_is_required(nowhere):
    error = await error_of(nowhere, repository=None)
    assert error["error"] == "Invalid request: repository is required, or directory in its place"


async def test_an_unknown_host_lists_what_is_configured(nowhere):
    error = await error_of(nowhere, repository="https://elsewhere.example/smith/anvil")
    assert "no forge is configured for elsewhere.example; there are: lab (http://127.0.0.1:9)" in error["error"]


async def test_a_forge_that_is_down_is_named(nowhere):
    error = await error_of(nowhere)
    assert error["error"].startswith("Failed to create pull request comment: http://127.0.0.1:9 is not reachable")
    assert error["suggestion"].startswith("Nothing was changed")


@pytest.mark.parametrize("status", [200, 403, 502])
async def test_a_proxy_that_answers_html_is_told_from_the_api(tmp_path, html_proxy, status):
    with html_proxy(status) as url:
        error = await error_of(Lab(url, "anvil", tmp_path, owner="smith"))
    assert "web page instead of the API" in error["error"] or status == 502
    assert str(status) in error["error"]
