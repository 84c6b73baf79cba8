"""What the tools of COM-1 and COM-9 refuse before they ask a forge (COM-5, COM-6); forges that do not answer."""

import pytest
from lab import Lab

pytestmark = pytest.mark.anyio

CREATE = {"pull_request_number": 1, "comment": "never"}
EDIT = {"pull_request_number": 1, "comment_id": 1, "new_content": "never"}
ON_ISSUE = {"pull_request_number": None, "issue_number": 1}
WRITES = {
    "pr_comment_create": CREATE,
    "pr_comment_edit": EDIT,
    "issue_comment_create": CREATE | ON_ISSUE,
    "issue_comment_edit": EDIT | ON_ISSUE,
}
TEXTS = {name: list(arguments)[2 if "edit" in name else 1] for name, arguments in WRITES.items()}


@pytest.fixture
def nowhere(tmp_path):
    """A lab on a forge that is down: whatever is refused there was refused without asking it."""
    return Lab("http://127.0.0.1:9", "anvil", tmp_path, owner="smith")


async def error_of(lab, tool="pr_comment_create", **arguments):
    result = await lab.call(tool, **(WRITES.get(tool, {"pull_request_number": None}) | arguments))
    assert result.is_error
    assert result.content[0].text.startswith(result.structured_content["error"])
    return result.structured_content


@pytest.mark.parametrize("repository", ["../..", "anvil", "smith/", "a/..", "smith/anvil#1", "a b/c", "", "ünï/cöde"])
async def test_an_invalid_repository_is_refused(nowhere, repository):
    error = await error_of(nowhere, repository=repository)
    assert error["error"] == "Invalid request: repository must be in format 'owner/repo'"
    assert (error["code"], error["category"]) == (-32602, "user")


@pytest.mark.parametrize("number", [0, -1])
@pytest.mark.parametrize("tool", WRITES)
async def test_a_number_must_be_positive(nowhere, tool, number):
    name = "issue_number" if tool.startswith("issue") else "pull_request_number"
    error = await error_of(nowhere, tool, **{name: number})
    assert error["error"] == f"Invalid request: {name} must be positive"
    given = error["details"]["errors"][0]
    assert (given["path"], given["given"]) == (name, str(number))


@pytest.mark.parametrize("given", ["", " ", "\n\t ", "\u3000\u2003"])
@pytest.mark.parametrize("tool", WRITES)
async def test_a_text_must_not_be_blank(nowhere, tool, given):
    error = await error_of(nowhere, tool, **{TEXTS[tool]: given})
    assert error["error"] == f"Invalid request: {TEXTS[tool]} must not be blank"


@pytest.mark.parametrize(
    ("given", "what"), [("a\0b", "a NUL"), ("a\ud83d", "an unpaired surrogate"), ("a\udd28", "an unpaired")]
)
@pytest.mark.parametrize("tool", WRITES)
async def test_text_that_some_forges_cannot_store_is_refused(nowhere, tool, given, what):
    error = await error_of(nowhere, tool, **{TEXTS[tool]: given})
    assert error["error"].startswith(f"Invalid request: {TEXTS[tool]} has {what}")
    assert error["error"].endswith("nothing was sent")
    assert error["details"]["status"] == 422


@pytest.mark.parametrize("given", [0, -5])
@pytest.mark.parametrize("tool", ["pr_comment_edit", "issue_comment_edit"])
async def test_an_id_must_be_positive(nowhere, tool, given):
    error = await error_of(nowhere, tool, comment_id=given)
    assert error["error"].startswith("Invalid request: comment_id must be a positive number, or text")


@pytest.mark.parametrize("given", [5.5, True, [5], "", " ", "../5", "5/", "/5", "5/../6", "5?x", "x" * 201])
async def test_an_id_is_a_number_or_a_word(nowhere, given):
    error = await error_of(nowhere, "pr_comment_edit", comment_id=given)
    assert error["error"].startswith("Invalid request: comment_id ")


@pytest.mark.parametrize("tool", ["issue_list", "pr_list"])
async def test_a_list_knows_three_states(nowhere, tool):
    error = await error_of(nowhere, tool, state="merged")
    assert error["error"] == 'Invalid request: state must be one of open, closed, all, not "merged"'


@pytest.mark.parametrize("limit", [0, 101])
@pytest.mark.parametrize("tool", ["issue_list", "pr_list"])
async def test_a_list_has_1_to_100_at_once(nowhere, tool, limit):
    error = await error_of(nowhere, tool, limit=limit)
    assert error["error"].startswith("Invalid request: limit must be at ")


async def test_a_cursor_of_another_list_is_refused(nowhere):
    error = await error_of(nowhere, "issue_list", cursor="b3BlbiBzZXNhbWU")
    assert error["error"] == "Invalid request: cursor does not belong to this call"


async def test_all_errors_are_reported_at_once(nowhere):
    error = await error_of(nowhere, comment="", pull_request_number="1", nmber=2)
    assert [row["path"] for row in error["details"]["errors"]] == ["nmber", "comment", "pull_request_number"]


async def test_all_errors_of_an_edit_are_reported_at_once(nowhere):
    error = await error_of(nowhere, "issue_comment_edit", comment_id=-1, new_content=" ", issue_number=0)
    rows = [row["path"] for row in error["details"]["errors"]]
    assert rows == ["comment_id", "issue_number", "new_content"]


@pytest.mark.parametrize("tool", [*WRITES, "issue_list", "pr_list"])
async def test_repository_or_directory_is_required(nowhere, tool):
    error = await error_of(nowhere, tool, repository=None)
    assert error["error"].startswith("Invalid request: repository is required")


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
