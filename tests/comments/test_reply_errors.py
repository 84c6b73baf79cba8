"""What reply_to_review_comment answers when it cannot post (REPLY-4 to REPLY-7): the status, why, and what to do."""

import pytest
from lab import Lab

from stithy_core.spi import User

pytestmark = pytest.mark.anyio

REPLY, PREFIX = "reply_to_review_comment", "Failed to reply to review comment: "
OPEN = 14
READ = "pull_request_read returns with method get_review_comments"


async def read_error(here, **arguments):
    """Call the tool, check that nothing was posted, and return the error."""
    before = list(await here.forge.threads.list(here.pr))
    result = await here.call(REPLY, **{"comment_id": 5, "body": "never"} | arguments)
    assert result.is_error
    assert result.content[0].text.startswith(result.structured_content["error"])
    assert list(await here.forge.threads.list(here.pr)) == before
    return result.structured_content


async def test_an_id_that_is_not_there_is_said_and_how_to_get_one_that_is(smithy):
    """REPLY-4, REPLY-15."""
    async with smithy() as here:
        error = await read_error(here, comment_id=9_007_199_254_740_991)
    assert error["details"]["status"] == 404
    assert error["category"] == "api"
    said = "review comment or thread 9007199254740991 was not found on smith/anvil#2: smith/anvil#2 has no thread"
    assert error["error"].startswith(PREFIX + said)
    assert READ in error["suggestion"]


async def test_a_deleted_comment_is_not_found(smithy):
    """Edge case "Deleted Comments"."""
    async with smithy() as here:
        thread = await here.thread(OPEN)
        del here.world.pull(here.pr).threads[thread.id]
        error = await read_error(here, comment_id=int(thread.comments[0].id))
    assert error["details"]["status"] == 404
    assert "the comment may have been deleted" in error["suggestion"]


async def test_a_general_comment_is_told_from_a_review_comment(smithy):
    """REPLY-17: the error names the type, and the tool that answers such a comment."""
    async with smithy() as here:
        comment = (await here.forge.comments.list(here.pr))[0]
        error = await read_error(here, comment_id=int(comment.id))
    assert error["error"] == f"{PREFIX}{comment.id} is a general comment of smith/anvil#2, not a review comment"
    assert error["suggestion"].startswith("Answer it with pr_comment_create. ")
    assert READ in error["suggestion"]
    assert error["details"]["status"] == 404


async def test_the_id_of_a_review_is_told_from_a_review_comment(smithy):
    async with smithy() as here:
        review = (await here.forge.reviews.list(here.pr))[0]
        error = await read_error(here, comment_id=int(review.id))
    assert f"{review.id} is a review of smith/anvil#2, not a review comment" in error["error"]


async def test_a_comment_of_another_pull_request_gets_no_reply(smithy):
    async with smithy() as here:
        thread = await here.thread(OPEN)
        other = here.world.add_pull_request(here.pr.repository, "Another", branch="another")
        error = await read_error(here, comment_id=int(thread.comments[0].id), pull_number=other.number)
    assert f"was not found on {other}" in error["error"]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({"pull_number": 1}, "smith/anvil#1 is an issue, not a pull request"),
        ({"pull_number": 99}, "smith/anvil has no pull request 99"),
        ({"repo": "hammer"}, "has no repository smith/hammer"),
    ],
)
async def test_a_missing_place_is_told_from_a_missing_comment(smithy, place, said):
    async with smithy() as here:
        error = await read_error(here, **place)
    assert error["error"].endswith(said)
    assert error["details"]["status"] == 404


async def test_an_archived_repository_is_forbidden(smithy):
    """REPLY-6: 403, and it says that it is archived."""
    async with smithy() as here:
        here.world.repository(here.pr.repository).archived = True
        error = await read_error(here, comment_id=int((await here.thread(OPEN)).comments[0].id))
    assert error["error"] == f"{PREFIX}smith/anvil is archived and takes no writes"
    assert error["details"]["status"] == 403


async def test_a_locked_conversation_is_forbidden_to_who_may_not_write(smithy):
    """REPLY-5."""
    async with smithy() as here:
        here.world.lock(here.pr)
        here.world.repository(here.pr.repository).writable = False
        error = await read_error(here, comment_id=int((await here.thread(OPEN)).comments[0].id))
    assert error["error"] == f"{PREFIX}the conversation of smith/anvil#2 is locked"
    assert error["details"]["status"] == 403


async def test_a_renamed_repository_gets_nothing_until_it_is_called_by_its_name(smithy):
    async with smithy() as here:
        block = here.world.add_repository("smith/block", formerly=("smith/stone",))
        pr = here.world.add_pull_request(block, "Harden it")
        root = int(here.world.add_thread(pr, "block.py", 1, "Why?").comments[0].id)
        error = await read_error(here, repo="stone", pull_number=pr.number, comment_id=root)
    assert error["error"].endswith("smith/stone was renamed to smith/block; nothing was written")


async def test_read_only_settings_refuse_it(smithy):
    async with smithy("read_only = true\n") as here:
        error = await read_error(here, comment_id=int((await here.thread(OPEN)).comments[0].id))
    assert error["error"] == f"{PREFIX}play is read-only here"


async def test_a_text_over_the_forges_limit_is_refused_with_the_forges_reason(smithy):
    """REPLY-7: 422, also for what only the forge finds invalid."""
    async with smithy() as here:
        root = int((await here.thread(OPEN)).comments[0].id)
        error = await read_error(here, comment_id=root, body="x" * 65_537)
    assert error["details"]["status"] == 422
    assert error["error"] == f"{PREFIX}a comment has at most 65,536 characters, not 65,537"


@pytest.fixture
def nowhere(tmp_path):
    """A lab on a forge that is down: whatever is refused there was refused without asking it."""
    return Lab("http://127.0.0.1:9", "anvil", tmp_path, owner="smith")


GIVEN = {"owner": "smith", "repo": "anvil", "pull_number": 1, "comment_id": 5, "body": "never"}


async def error_of(lab, **arguments):
    """Call without what the lab adds for other tools."""
    unasked = {"repository": None, "pull_request_number": None}
    return (await lab.call(REPLY, **GIVEN | unasked | arguments)).structured_content


@pytest.mark.parametrize("body", ["", " ", "\n\t ", "\u2003"])
async def test_a_blank_body_is_unprocessable(nowhere, body):
    """REPLY-7: 422, and no forge is asked."""
    error = await error_of(nowhere, body=body)
    assert error["error"] == "Invalid request: body must not be blank; nothing was sent"
    assert error["details"]["status"] == 422
    assert error["details"]["errors"][0]["path"] == "body"


@pytest.mark.parametrize(("body", "what"), [("a\0b", "a NUL"), ("a\ud800b", "an unpaired surrogate")])
async def test_a_body_that_no_forge_stores_as_it_is_is_unprocessable(nowhere, body, what):
    """REPLY-7: invalid is more than blank."""
    error = await error_of(nowhere, body=body)
    assert what in error["error"]
    assert error["details"]["status"] == 422


async def test_each_missing_parameter_is_named(nowhere):
    """REPLY-10: all at once, and no forge is asked."""
    error = await error_of(nowhere, **dict.fromkeys(GIVEN))
    assert [row["path"] for row in error["details"]["errors"]] == list(GIVEN)
    for name in GIVEN:
        assert f"{name} is required" in error["error"]
    assert (error["code"], error["category"]) == (-32602, "user")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"comment_id": 0}, "comment_id must be a positive integer"),
        ({"comment_id": -5}, "comment_id must be a positive integer"),
        ({"comment_id": "5 or 6"}, "comment_id must be a positive integer, or text"),
        ({"comment_id": 5.5}, "comment_id fits none of its forms: integer or string"),
        ({"pull_number": 0}, "pull_number must be a positive integer"),
        ({"pull_number": True}, "pull_number must be an integer, not true"),
        ({"owner": ""}, "owner must be the name of a user or an organization"),
        ({"owner": "/etc"}, "owner must be the name of a user or an organization"),
        ({"owner": ".."}, "owner must be the name of a user or an organization"),
        ({"repo": "smith/anvil"}, "repo must be the name of a repository without its owner"),
        ({"repo": ""}, "repo must be the name of a repository without its owner"),
        ({"body": 5}, "body must be a string, not 5"),
        ({"number": 1}, "number is not an argument"),
    ],
)
async def test_invalid_arguments_are_refused_without_a_request(nowhere, arguments, said):
    """REPLY-10."""
    error = await error_of(nowhere, **arguments)
    assert error["error"].startswith(f"Invalid request: {said}")


async def test_all_that_does_not_fit_is_said_at_once(nowhere):
    error = await error_of(nowhere, owner="~", pull_number=-1, comment_id="../x", body=None)
    assert {row["path"] for row in error["details"]["errors"]} == {"owner", "pull_number", "comment_id", "body"}


async def test_an_owner_may_name_the_forge_too(smithy):
    async with smithy('[forges.other]\nkind = "sandbox"\n') as here:
        root = (await here.thread(OPEN)).comments[0].id
        unclear = await here.call(REPLY, comment_id=int(root), body="Hello.")
        result = await here.call(REPLY, owner="play:smith", comment_id=int(root), body="Hello.")
    assert unclear.is_error
    assert not result.is_error


async def test_a_forge_that_is_down_is_named_and_nothing_was_changed(nowhere):
    error = await error_of(nowhere)
    assert error["error"].startswith(f"{PREFIX}http://127.0.0.1:9 is not reachable")
    assert "status" not in error["details"]


async def test_a_ghost_opened_the_thread(smithy):
    """Prevents: one deleted account took the whole list with it."""
    async with smithy() as here:
        thread = here.world.add_thread(here.pr, "anvil/horn.py", 9, "Gone soon.", User(login="ghost"))
        result = await here.call(REPLY, comment_id=int(thread.comments[0].id), body="Farewell.")
        assert not result.is_error
