"""What is unresolved on a pull request of Gitea, on recordings of real servers and on live ones; and on a Forgejo's."""

import base64

import pytest
from command_patterns import fill_call

pytestmark = pytest.mark.anyio

PROGRAM = "".join(f"print({line})\n" for line in range(6))
FIND = "find_unresolved_comments"


@pytest.fixture
def reviewed(lab):
    """A lab whose pull request has two threads and a general comment of another user."""
    change = {"content": base64.b64encode(PROGRAM.encode()).decode(), "message": "More", "branch": "greet"}
    lab.setup("POST", f"/repos/{lab.repository}/contents/more.py", change)
    rows = [{"path": "more.py", "body": f"at {line}", "new_position": line} for line in (2, 5)]
    sent = {"event": "COMMENT", "body": "Some remarks.", "comments": rows}
    lab.setup("POST", f"/repos/{lab.repository}/pulls/1/reviews", sent)
    return lab


async def find_unresolved(call, lab, **arguments):
    place = {"repository": None, "pull_request_number": None, "pr": f"{lab.repository}#1"}
    result = await call(FIND, **place | arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def test_open_threads_are_found_answered_and_settled_by_what_the_answer_says(reviewed):
    """Whoever opened the pull request asks nothing of themselves outside of the diff."""
    none = {"repository": None, "pull_request_number": None}
    async with reviewed.connect_agent() as call:
        first = await find_unresolved(call, reviewed, sort="by_file")
        assert [(row["line_number"], row["body"]) for row in first["comments"]] == [(2, "at 2"), (5, "at 5")]
        assert first["summary"]["left_out"] == {"own_comment": 1}
        commands, entry = first["action_commands"]["threads"], first["comments"][0]
        tool, arguments = fill_call(first, entry, "reply", "Done.")
        answered = await call(tool, **none | arguments)
        assert not answered.is_error, answered.content[0].text
        settles = "resolve_call" in commands
        if settles:
            settled = await call("resolve_review_thread", **none | fill_call(first, entry, "resolve")[1])
            assert settled.structured_content["resolved"] is True
        else:
            assert commands["resolve_condition"].startswith("Resolve ONLY on its page")
        left = await find_unresolved(call, reviewed, sort="by_file")
    assert [row["line_number"] for row in left["comments"]] == ([5] if settles else [2, 5])
    if not settles:
        first = left["comments"][0]
        assert (first["replies"], first["last_reply"]["author"]) == (1, reviewed.owner)


async def test_what_the_server_does_not_tell_is_unknown_once(reviewed):
    """Here that is nothing: reactions, and whether the code has changed, are not listed where they are unknown."""
    assert "unknown" not in await find_unresolved(reviewed.call, reviewed)


async def test_a_pull_request_without_words_has_nothing_unresolved(lab):
    answer = await find_unresolved(lab.call, lab)
    assert (answer["total_unresolved"], answer["comments"]) == (0, [])
    assert answer["read"] == {"threads": 0, "reviews": 0, "general_comments": 0}


async def test_an_issue_has_no_review(lab):
    result = await lab.call(FIND, repository=None, pull_request_number=None, pr=f"{lab.repository}#2")
    assert result.structured_content["error"].endswith("#2 is an issue, not a pull request")
