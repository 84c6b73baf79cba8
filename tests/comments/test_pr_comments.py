"""pr_comment_create and pr_comment_list (COM-1, COM-9), on recordings of real servers and on live ones."""

import re
import subprocess

import pytest

pytestmark = pytest.mark.anyio

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


def text(result):
    return result.content[0].text


async def test_a_comment_is_created(lab, mode):
    """The text of COM-3 to the letter, and its data beside it."""
    result = await lab.call("pr_comment_create", comment="Strike while the iron is hot.", mode=mode)
    assert not result.is_error
    comment = result.structured_content["comment"]
    assert set(comment) == {"id", "body", "user", "created_at", "updated_at"}
    assert text(result) == (
        f"Pull request comment created successfully. ID: {comment['id']}, Created: {comment['created_at']}\n"
        "Comment body: Strike while the iron is hot."
    )
    assert re.fullmatch(TIME, comment["created_at"])
    assert comment["user"] == lab.owner
    assert result.structured_content["url"].endswith(f"/pulls/1#issuecomment-{comment['id']}")


BODIES = ["# Heißes Eisen 🔨\r\n- `code`\r\n", "@stithy-admin \u202eltr", "x\n" * 1_000, "é" * 6_000]


async def test_a_comment_is_posted_exactly_as_given(lab):
    created = [await lab.call("pr_comment_create", comment=body) for body in BODIES]
    assert [result.structured_content["comment"]["body"] for result in created] == BODIES
    assert lab.bodies() in (None, BODIES)


async def test_a_conversation_is_listed_oldest_first(lab):
    for body in ("one", "two", "three"):
        lab.comment(body)
    result = await lab.call("pr_comment_list")
    assert [row["body"] for row in result.structured_content["comments"]] == ["one", "two", "three"]
    assert result.structured_content["total"] == 3
    ids = [row["id"] for row in result.structured_content["comments"]]
    assert all(f"[{number}]" in text(result) for number in ids)


async def test_a_long_conversation_comes_in_pages(lab):
    for body in ("one", "two", "three"):
        lab.comment(body)
    first = (await lab.call("pr_comment_list", limit=2)).structured_content
    rest = (await lab.call("pr_comment_list", limit=2, cursor=first["nextCursor"])).structured_content
    assert [row["body"] for row in first["comments"] + rest["comments"]] == ["one", "two", "three"]
    assert "nextCursor" not in rest


async def test_an_empty_conversation_says_so(lab):
    result = await lab.call("pr_comment_list")
    assert result.structured_content["comments"] == []
    assert text(result) == f"No comments on {lab.repository}#1"


async def test_a_repository_may_be_named_by_its_url(lab):
    result = await lab.call("pr_comment_list", repository=f"{lab.url}/{lab.repository}/pulls")
    assert not result.is_error


async def test_a_local_clone_names_its_repository(lab, tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(["git", "init", "--quiet", clone], check=True)
    remote = f"{lab.url}/{lab.repository}.git"
    subprocess.run(["git", "-C", clone, "remote", "add", "origin", remote], check=True)
    result = await lab.call("pr_comment_create", repository=None, directory=str(clone), comment="From here.")
    assert result.structured_content["comment"]["body"] == "From here."


async def read_error(lab, **arguments):
    """Call the tool, check that nothing was posted, and return the error."""
    result = await lab.call("pr_comment_create", **({"comment": "never"} | arguments))
    assert result.is_error
    assert "never" not in (lab.bodies() or [])
    return result.structured_content


async def test_an_issue_is_no_pull_request(lab):
    error = await read_error(lab, pull_request_number=2)
    assert error["error"].startswith("Failed to create pull request comment: ")
    assert error["error"].endswith("#2 is an issue, not a pull request")


async def test_a_number_that_is_not_there_is_named(lab):
    error = await read_error(lab, pull_request_number=99)
    assert error["error"].endswith(f"{lab.repository} has no pull request 99")
    assert error["details"]["status"] == 404


async def test_a_repository_that_is_not_there_is_told_from_a_number(lab):
    error = await read_error(lab, repository=f"{lab.owner}/nothing")
    assert "has no repository" in error["error"]


async def test_an_archived_repository_takes_no_comment(lab):
    lab.archive()
    error = await read_error(lab)
    assert error["error"].endswith("is archived and takes no comments")
    assert error["details"]["status"] == 423


async def test_a_locked_conversation_is_named(lab):
    lab.lock()
    lab.need_locks()
    lab.create_reader()
    error = await read_error(lab, token=lab.reader_token)
    assert error["error"].endswith(f"the conversation of {lab.repository}#1 is locked")
    assert error["category"] == "api"


async def test_a_bad_token_is_told_from_a_missing_repository(lab):
    error = await read_error(lab, token="0123456789012345678901234567890123456789")
    assert "lab answered 401" in error["error"]
    assert "0123456789" not in str(error)


async def test_a_renamed_repository_gets_nothing_until_it_is_called_by_its_name(lab):
    lab.rename("lab-renamed")
    error = await read_error(lab)
    assert error["error"].endswith(f"{lab.repository} was renamed to {lab.owner}/lab-renamed; nothing was written")
