"""pr_comment_edit and issue_comment_edit: what they change, and what they never touch."""

import pytest
from github_double.scene import conformance
from worlds import open_forge, pull_request_of

pytestmark = pytest.mark.anyio

ISSUE = {"pull_request_number": None, "issue_number": 2}


def text(result):
    return result.content[0].text


def id_of(result):
    return result.structured_content["comment"]["id"]


async def test_a_comment_on_a_pull_request_is_edited(lab):
    made = await lab.call("pr_comment_create", comment="Strike.")
    result = await lab.call("pr_comment_edit", comment_id=id_of(made), new_content="Strike twice.")
    comment = result.structured_content["comment"]
    assert comment["body"] == "Strike twice."
    assert {name: comment[name] for name in ("id", "user", "created_at")} == {
        name: made.structured_content["comment"][name] for name in ("id", "user", "created_at")
    }
    assert text(result) == (
        f"Pull request comment edited successfully. ID: {comment['id']}, Updated: {comment['updated_at']}\n"
        "Comment body: Strike twice."
    )
    assert lab.bodies() in (None, ["Strike twice."])


async def test_a_comment_on_an_issue_is_edited(lab):
    made = await lab.call("issue_comment_create", **ISSUE, comment="It bends.")
    result = await lab.call("issue_comment_edit", **ISSUE, comment_id=id_of(made), new_content="It breaks.")
    comment = result.structured_content["comment"]
    assert text(result) == (
        f"Issue comment edited successfully. ID: {comment['id']}, Updated: {comment['updated_at']}\n"
        "Comment body: It breaks."
    )
    read = await lab.call("issue_comment_list", **ISSUE)
    assert [row["body"] for row in read.structured_content["comments"]] == ["It breaks."]


async def test_to_edit_twice_to_the_same_text_does_no_harm(lab):
    made = await lab.call("pr_comment_create", comment="Strike.")
    again = [await lab.call("pr_comment_edit", comment_id=id_of(made), new_content="Strike.") for _ in range(2)]
    assert [result.structured_content["comment"]["body"] for result in again] == ["Strike.", "Strike."]
    assert lab.bodies() in (None, ["Strike."])


async def read_edit_error(lab, tool, comment_id, **arguments):
    """Call an edit that must be refused, and return its error."""
    result = await lab.call(tool, comment_id=comment_id, new_content="never", **arguments)
    assert result.is_error
    assert "never" not in (lab.bodies() or [])
    assert result.structured_content["error"].endswith("; nothing was changed")
    return result.structured_content["error"].removesuffix("; nothing was changed")


async def test_a_comment_of_another_number_is_not_edited(lab):
    made = await lab.call("issue_comment_create", **ISSUE, comment="It bends.")
    error = await read_edit_error(lab, "pr_comment_edit", id_of(made))
    assert error == (
        f"Failed to edit pull request comment: {lab.repository}#1 has no comment {id_of(made)}:"
        f" it belongs to {lab.repository}#2"
    )
    read = await lab.call("issue_comment_list", **ISSUE)
    assert [row["body"] for row in read.structured_content["comments"]] == ["It bends."]


async def test_an_id_that_is_not_there_changes_nothing(lab):
    error = await read_edit_error(lab, "pr_comment_edit", 999_999_999)
    assert error.endswith(f"{lab.repository}#1 has no comment 999999999: the repository has none of that id")


async def test_the_id_of_an_event_is_none_of_a_comment(lab):
    """A real server answers such an edit with success, and changes nothing."""
    lab.setup("PATCH", f"/repos/{lab.repository}/issues/1", {"title": "Greet all"})
    async with open_forge(lab) as forge:
        (event,) = [one for one in await forge.issues.timeline(pull_request_of(lab)) if one.kind == "renamed"]
    error = await read_edit_error(lab, "pr_comment_edit", int(event.id))
    assert error.endswith(f"has no comment {event.id}: it is an event (change_title)")


async def test_the_id_of_a_comment_in_the_diff_is_none_of_the_conversation(lab):
    inline = {"path": "hello.py", "body": "Why print?", "new_position": 1}
    lab.setup("POST", f"/repos/{lab.repository}/pulls/1/reviews", {"event": "COMMENT", "comments": [inline]})
    async with open_forge(lab) as forge:
        (thread,) = await forge.threads.list(pull_request_of(lab))
    root = thread.comments[0].id
    error = await read_edit_error(lab, "pr_comment_edit", int(root))
    assert error.endswith(f"has no comment {root}: it stands in the diff, in thread {thread.id}")


async def test_a_dry_run_of_an_edit_checks_the_id_and_changes_nothing(lab):
    made = await lab.call("pr_comment_create", comment="Strike.")
    result = await lab.call("pr_comment_edit", comment_id=id_of(made), new_content="Hold.", dry_run=True)
    (request,) = result.structured_content["requests"]
    assert (request["method"], request["body"]) == ("PATCH", '{"body": "Hold."}')
    assert lab.bodies() in (None, ["Strike."])


# --- GitHub


@pytest.fixture
def scene():
    """The world of the conformance kit: #1 is an issue, #2 a pull request."""
    return conformance()


PULL = {"repository": "smith/conformance", "pull_request_number": 2}


async def test_github_edits_a_comment(on_github, scene):
    (comment,) = scene.pull.comments
    async with on_github(scene.world) as (call, _):
        result = await call("pr_comment_edit", PULL | {"comment_id": comment.id, "new_content": "Look again."})
        read = await call("pr_comment_list", PULL)
    assert text(result).startswith(f"Pull request comment edited successfully. ID: {comment.id}, Updated: ")
    assert [row["body"] for row in read.structured_content["comments"]] == ["Look again."]


@pytest.mark.parametrize("kind", ["issue", "inline", "review", "thread"])
async def test_github_refuses_the_ids_of_other_things(on_github, scene, kind):
    ids = {
        "issue": scene.issue.comments[0].id,
        "inline": scene.pull.threads[0].comments[0].id,
        "review": scene.pull.reviews[0].id,
        "thread": scene.pull.threads[0].id,
    }
    async with on_github(scene.world) as (call, _):
        result = await call("pr_comment_edit", PULL | {"comment_id": ids[kind], "new_content": "never"})
        whole = await call("issue_comment_list", {"repository": "smith/conformance", "issue_number": 1})
    wrong = f"Failed to edit pull request comment: the conversation of smith/conformance#2 has no comment {ids[kind]}"
    assert result.structured_content["error"] == wrong
    assert "it has the ids" in result.structured_content["suggestion"]
    assert [row["body"] for row in whole.structured_content["comments"]] == ["first", "second", "third"]
