"""Replies and resolution on Gitea (REPLY-2), on recordings of real servers and on live ones; and on a Forgejo's."""

import base64

import pytest
from lossy import lossy
from worlds import open_forge, pull_request_of

from stithy_core.spi import Threads

pytestmark = pytest.mark.anyio

REPLY, RESOLVE, UNRESOLVE = "reply_to_review_comment", "resolve_review_thread", "unresolve_review_thread"
PROGRAM = "".join(f"print({line})\n" for line in range(6))
BODIES = ["# Heißes Eisen 🔨\r\n- `code`\r\n", "@stithy-admin \u202eltr", "Promise<string>", "é" * 6_000]


@pytest.fixture
def reviewed(lab):
    """A lab whose pull request, number 1, has two threads, and another one, number 3, that has one."""
    lab.setup("POST", f"/repos/{lab.repository}/contents/more.py", more_on("greet"))
    review(lab, 1, ("more.py", 2), ("more.py", 5))
    lab.setup("POST", f"/repos/{lab.repository}/contents/other.py", more_on("main", new_branch="other"))
    lab.setup("POST", f"/repos/{lab.repository}/pulls", {"title": "Other", "head": "other", "base": "main"})
    review(lab, 3, ("other.py", 1))
    return lab


def more_on(branch, **fields):
    return {"content": base64.b64encode(PROGRAM.encode()).decode(), "message": "More", "branch": branch} | fields


def review(lab, number, *places):
    """Review with a comment at each place."""
    rows = [{"path": path, "body": f"at {line}", "new_position": line} for path, line in places]
    sent = {"event": "COMMENT", "body": "Some remarks.", "comments": rows}
    lab.setup("POST", f"/repos/{lab.repository}/pulls/{number}/reviews", sent)


async def threads_of(lab, number=1):
    """Read the threads as a plugin does."""
    async with open_forge(lab) as forge:
        return list(await forge.threads.list(pull_request_of(lab, number)))


async def bodies(lab):
    return [[comment.body for comment in thread.comments] for thread in await threads_of(lab)]


def place(lab, **arguments):
    """Name the pull request as these tools do; the lab adds what others take."""
    usual = {"repository": None, "pull_request_number": None, "owner": lab.owner, "repo": lab.name, "pull_number": 1}
    return usual | arguments


async def root_of(lab, number=1):
    return int((await threads_of(lab, number))[0].comments[0].id)


async def test_a_reply_is_in_its_thread_and_says_its_way(reviewed):
    """REPLY-2, REPLY-3: natively where the server can, else as its result says."""
    root = await root_of(reviewed)
    result = await reviewed.call(REPLY, **place(reviewed, comment_id=root, body="Because."))
    assert await bodies(reviewed) == [["at 2", "Because."], ["at 5"]]
    answer = result.structured_content
    native = "way" not in answer
    assert set(answer) == {"id", "url"} | (set() if native else {"way"})
    assert answer["url"].endswith(f"/pulls/1/files#issuecomment-{answer['id']}") or "#" in answer["url"]
    assert native or answer["way"] in result.content[0].text


async def test_a_reply_to_a_reply_is_in_the_same_thread(reviewed):
    root = await root_of(reviewed)
    async with reviewed.connect_agent() as call:
        first = await call(REPLY, **place(reviewed, comment_id=root, body="Because."))
        await call(REPLY, **place(reviewed, comment_id=first.structured_content["id"], body="Once more."))
    assert await bodies(reviewed) == [["at 2", "Because.", "Once more."], ["at 5"]]


async def test_a_reply_that_repeats_one_is_not_posted(reviewed):
    """The first is given, until `allow_duplicate` says otherwise."""
    root = await root_of(reviewed)
    async with reviewed.connect_agent() as call:
        rows = [
            (await call(REPLY, **place(reviewed, comment_id=root, body="Because.", allow_duplicate=again)))
            for again in (False, False, True)
        ]
    first, second, third = [row.structured_content for row in rows]
    assert second.pop("note").endswith("Pass allow_duplicate=true to post it again.")
    assert second == {"id": first["id"], "url": first["url"], "repeated": True}
    assert third["id"] != first["id"]
    assert await bodies(reviewed) == [["at 2", "Because.", "Because."], ["at 5"]]


async def test_replies_are_posted_exactly_as_given(reviewed):
    """REPLY-9."""
    root = await root_of(reviewed)
    async with reviewed.connect_agent() as call:
        rows = [await call(REPLY, **place(reviewed, comment_id=root, body=body)) for body in BODIES]
    assert [row.structured_content.get("changed_by_forge") for row in rows] == [None] * len(BODIES)
    assert (await bodies(reviewed))[0] == ["at 2", *BODIES]


async def test_replies_to_several_threads_stay_apart(reviewed):
    """REPLY-14: one call after the other."""
    roots = [int(thread.comments[0].id) for thread in await threads_of(reviewed)]
    async with reviewed.connect_agent() as call:
        for number, root in enumerate(roots):
            assert not (await call(REPLY, **place(reviewed, comment_id=root, body=f"answer {number}"))).is_error
    assert await bodies(reviewed) == [["at 2", "answer 0"], ["at 5", "answer 1"]]


@pytest.mark.parametrize("state", ["closed"])
async def test_a_reply_to_a_closed_pull_request(reviewed, state):
    """REPLY-12."""
    reviewed.setup("PATCH", f"/repos/{reviewed.repository}/pulls/1", {"state": state})
    await posts(reviewed)


async def test_a_reply_to_a_merged_pull_request(reviewed):
    """REPLY-12."""
    if reviewed.live:
        reviewed.until("pulls/1", lambda pull: pull["mergeable"])
    reviewed.setup("POST", f"/repos/{reviewed.repository}/pulls/1/merge", {"Do": "merge"})
    await posts(reviewed)


async def test_a_reply_to_a_draft(reviewed):
    """REPLY-12."""
    reviewed.setup("PATCH", f"/repos/{reviewed.repository}/pulls/1", {"title": "WIP: Greet"})
    await posts(reviewed)


async def posts(lab):
    root = await root_of(lab)
    assert not (await lab.call(REPLY, **place(lab, comment_id=root, body="Because."))).is_error
    assert (await bodies(lab))[0] == ["at 2", "Because."]


async def read_error(lab, tool=REPLY, *, token=None, **arguments):
    """Call the tool, check that nothing was posted, and return the error."""
    usual = {"comment_id": 999_999_999} | ({"body": "never"} if tool == REPLY else {})
    result = await lab.call(tool, token=token, **place(lab, **usual | arguments))
    assert result.is_error
    assert "never" not in str(await bodies(lab))
    return result.structured_content


async def test_a_reply_to_nothing_says_so(reviewed):
    """REPLY-4."""
    error = await read_error(reviewed)
    assert error["details"]["status"] == 404
    said = f"review comment or thread 999999999 was not found on {reviewed.repository}#1"
    assert error["error"].startswith(f"Failed to reply to review comment: {said}")
    assert "get_review_comments" in error["suggestion"]


async def test_a_reply_to_a_general_comment_says_what_it_is(reviewed):
    """REPLY-17."""
    reviewed.comment("Please look.")
    async with open_forge(reviewed) as forge:
        (comment,) = await forge.comments.list(pull_request_of(reviewed))
    error = await read_error(reviewed, comment_id=int(comment.id))
    assert f"{comment.id} is a general comment of {reviewed.repository}#1" in error["error"]
    assert error["details"]["status"] == 404


async def test_a_reply_to_a_comment_of_elsewhere(reviewed):
    """It is told that the pull request has none of that id, and nothing is posted there or here."""
    error = await read_error(reviewed, comment_id=await root_of(reviewed, 3))
    assert f"was not found on {reviewed.repository}#1" in error["error"]
    assert [len(thread.comments) for thread in await threads_of(reviewed, 3)] == [1]


async def test_a_reply_on_an_issue_or_nothing(reviewed):
    """A missing pull request and an issue are told apart, and from a missing repository."""
    said = [await read_error(reviewed, pull_number=number) for number in (2, 99)]
    said.append(await read_error(reviewed, repo="nothing"))
    assert said[0]["error"].endswith("#2 is an issue, not a pull request")
    assert said[1]["error"].endswith(f"{reviewed.repository} has no pull request 99")
    assert f"has no repository {reviewed.owner}/nothing" in said[2]["error"]
    assert [error["details"]["status"] for error in said] == [404, 404, 404]


async def test_a_reply_in_an_archived_repository(reviewed):
    """REPLY-6: 403 and the reason, though these servers have another number for it, or would even take it."""
    root = await root_of(reviewed)
    reviewed.archive()
    error = await read_error(reviewed, comment_id=root)
    assert error["details"]["status"] == 403
    assert "is archived" in error["error"]


async def test_a_reply_in_a_locked_conversation(reviewed):
    """REPLY-5."""
    root = await root_of(reviewed)
    reviewed.lock()
    reviewed.need_locks()
    reviewed.create_reader()
    error = await read_error(reviewed, comment_id=root, token=reviewed.reader_token)
    assert error["details"]["status"] == 403


async def test_a_reply_whose_answer_was_lost_is_found(reviewed):
    """Nothing is posted twice, whatever is lost on the way."""
    root = await root_of(reviewed)
    with lossy(reviewed.url) as (url, losses):
        async with reviewed.connect_agent(url=url) as call:
            losses.answers = "POST"
            result = await call(REPLY, **place(reviewed, comment_id=root, body="Once."))
    assert (await bodies(reviewed))[0] == ["at 2", "Once."]
    assert result.structured_content["id"]


async def resolves(lab):
    async with open_forge(lab) as forge:
        return bool(await forge.supports(Threads.resolve))


async def test_a_thread_is_resolved_where_the_server_can(reviewed):
    """The state is read back; elsewhere the error has the page where a person can do it."""
    thread = (await threads_of(reviewed))[0]
    result = await reviewed.call(RESOLVE, **place(reviewed, comment_id=int(thread.id)))
    there = (await threads_of(reviewed))[0]
    assert len(there.comments) == 1
    if await resolves(reviewed):
        assert (result.structured_content["resolved"], there.resolved) == (True, True)
        assert result.structured_content["resolved_by"] == reviewed.owner
    else:
        assert there.resolved is False
        assert result.structured_content["details"]["url"] == thread.comments[0].url
        assert result.structured_content["suggestion"].endswith(thread.comments[0].url)
        assert result.structured_content["category"] == "logical"


async def test_a_thread_that_is_so_already_is_left(reviewed):
    """Also where the server could not change it: what is open need not be opened."""
    thread = (await threads_of(reviewed))[0]
    result = await reviewed.call(UNRESOLVE, **place(reviewed, thread_id=thread.id))
    assert (result.structured_content["resolved"], result.structured_content["unchanged"]) == (False, True)


async def test_a_thread_is_resolved_replied_to_and_opened(reviewed):
    """Edge case "Resolved Comment Threads": a reply is taken, and the state stays; all of it in one session."""
    thread = (await threads_of(reviewed))[0]
    named = place(reviewed, comment_id=int(thread.id))
    able = await resolves(reviewed)
    async with reviewed.connect_agent() as call:
        tools = ((RESOLVE, {}), (REPLY, {"body": "Because."}), (RESOLVE, {}), (UNRESOLVE, {}))
        steps = [await call(tool, **named, **more) for tool, more in tools]
    assert [step.is_error for step in steps] == [not able, False, not able, False]
    assert (await threads_of(reviewed))[0].comments[-1].body == "Because."
    first, _, again, opened = [step.structured_content for step in steps]
    assert (first.get("resolved"), again.get("unchanged")) == ((True, True) if able else (None, None))
    assert (opened["resolved"], opened.get("unchanged")) == (False, None if able else True)


async def test_a_thread_of_elsewhere_is_not_resolved(reviewed):
    """Prevents: thread T with another pull request resolved T."""
    error = await read_error(reviewed, RESOLVE, comment_id=await root_of(reviewed, 3))
    assert error["details"]["status"] == 404
    assert (await threads_of(reviewed, 3))[0].resolved is False
