"""Replies and resolution on GitHub: its double answers, or what it answered once.

Where a test need not know whether a reply repeats another, it says `allow_duplicate`: the question whether it does is
about the last day, which no recording has in it.
"""

import json

import pytest
from github_double.answering import Double
from github_double.requests import GRAPHQL
from github_double.world import World

pytestmark = pytest.mark.anyio

REPLY, RESOLVE, UNRESOLVE = "reply_to_review_comment", "resolve_review_thread", "unresolve_review_thread"
PROGRAM = "".join(f"print({number})\n" for number in range(1, 61))


@pytest.fixture
def world():
    """A repository with a pull request, number 1, that adds a file; a thread on it; and another one, number 2."""
    made = World()
    repository = made.add_repository("hello")
    made.push(repository, "greet", "Add hello.py", {"hello.py": PROGRAM})
    made.add_thread(made.add_pull(repository, "Greet", "greet"), "hello.py", 2, "Why print?")
    made.push(repository, "later", "Add later.py", {"later.py": "later\n"})
    made.add_pull(repository, "Later", "later")
    return made


def pull_in(world, number=1):
    return world.repository("smith/hello").issues[number]


def thread_in(world):
    return pull_in(world).threads[0]


def place(world, **arguments):
    """Return arguments that name the thread of the pull request."""
    usual = {"owner": "smith", "repo": "hello", "pull_number": 1, "comment_id": thread_in(world).comments[0].id}
    return usual | arguments


def answer(world, **arguments):
    return place(world, **{"body": "Because.", "allow_duplicate": True} | arguments)


def bodies(served):
    """Read the thread behind the double; None where a recording answers."""
    return [comment.body for comment in thread_in(served.world).comments] if served.double else None


async def test_a_reply_is_a_native_one(world, on_github):
    """REPLY-2, REPLY-3: numeric id, URL, and nothing else, for there is nothing to say about the way."""
    async with on_github(world) as (call, served):
        result = (await call(REPLY, answer(world))).structured_content
    assert bodies(served) in (None, ["Why print?", "Because."])
    assert set(result) == {"id", "url"}
    assert result["url"].endswith(f"/smith/hello/pull/1#discussion_r{result['id']}")


async def test_an_answer_to_a_reply_goes_to_the_root_of_its_thread(world, on_github):
    """GitHub takes replies to the first comment alone (docs/forge-behaviour/github.md#comments-and-threads)."""
    reply = world.add_reply(thread_in(world), "Indeed, why?", world.other_user)
    async with on_github(world) as (call, served):
        result = await call(REPLY, answer(world, comment_id=reply.id))
    assert not result.is_error
    assert bodies(served) in (None, ["Why print?", "Indeed, why?", "Because."])


@pytest.mark.parametrize("state", ["draft", "closed", "merged", "resolved"])
async def test_a_reply_is_taken_in_any_state(world, on_github, state):
    """REPLY-12."""
    pull = pull_in(world)
    if state == "draft":
        pull.draft = True
    elif state == "resolved":
        thread_in(world).resolved_by = world.other_user
    else:
        (world.close if state == "closed" else world.merge)(pull)
    async with on_github(world) as (call, served):
        assert not (await call(REPLY, answer(world))).is_error
    assert bodies(served) in (None, ["Why print?", "Because."])


async def error_of(on_github, world, arguments, *, tool=REPLY, token=None):
    """Call, and give the error; nothing may have been posted."""
    async with on_github(world, token=token) as (call, served):
        result = await call(tool, arguments)
    assert result.is_error
    assert "Because." not in (bodies(served) or [])
    return result.structured_content


async def test_a_deleted_comment_is_not_found(world, on_github):
    """REPLY-4; GitHub's own message is kept."""
    error = await error_of(on_github, world, answer(world, comment_id=4_999_999_999))
    assert error["error"].startswith(
        "Failed to reply to review comment: review comment or thread 4999999999 was not found on smith/hello#1: "
    )
    assert (error["details"]["status"], error["details"]["message"]) == (404, "Not Found")


async def test_a_general_comment_is_told_by_its_type(world, on_github):
    """REPLY-17."""
    comment = world.add_comment(pull_in(world), "Please look.")
    error = await error_of(on_github, world, answer(world, comment_id=comment.id))
    assert f"{comment.id} is a general comment of smith/hello#1" in error["error"]
    assert "pr_comment_create" in error["suggestion"]


async def test_a_review_is_told_by_its_type(world, on_github):
    review = world.add_review(pull_in(world), body="Some remarks.")
    error = await error_of(on_github, world, answer(world, comment_id=review.id))
    assert f"{review.id} is a review of smith/hello#1, not a review comment" in error["error"]


async def test_a_comment_of_another_pull_request_gets_no_reply(world, on_github):
    error = await error_of(on_github, world, answer(world, pull_number=2))
    assert "was not found on smith/hello#2" in error["error"]
    assert error["details"]["status"] == 404


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"pull_number": 99}, "smith/hello has no pull request 99"),
        ({"repo": "nothing"}, "hub has no repository smith/nothing, or the token may not see it"),
    ],
)
async def test_a_missing_place_is_named(world, on_github, where, said):
    error = await error_of(on_github, world, answer(world, **where))
    assert error["error"].endswith(said)
    assert error["details"]["status"] == 404


async def test_an_issue_is_no_pull_request(world, on_github):
    issue = world.add_issue(world.repository("smith/hello"), "It does not greet")
    error = await error_of(on_github, world, answer(world, pull_number=issue.number))
    assert error["error"].endswith(f"smith/hello#{issue.number} is an issue, not a pull request")


async def test_an_archived_repository_is_forbidden_in_githubs_words(world, on_github):
    """REPLY-6."""
    world.repository("smith/hello").archived = True
    error = await error_of(on_github, world, answer(world))
    assert error["details"]["status"] == 403
    assert error["error"].endswith("smith/hello is archived and takes no writes")
    assert "archived" in error["details"]["message"]


async def test_a_locked_conversation_is_forbidden(world, on_github):
    """REPLY-5."""
    pull_in(world).locked = True
    error = await error_of(on_github, world, answer(world), token=world.other_token)
    assert (error["details"]["status"], error["category"]) == (403, "api")
    assert "is locked" in error["error"]


async def test_a_review_that_was_begun_stands_in_the_way_and_is_named(world, on_github):
    """GitHub takes no reply then; what it says is kept, and what to do is said."""
    world.add_review(pull_in(world), "PENDING")
    error = await error_of(on_github, world, answer(world))
    assert "one pending review" in error["error"]
    assert error["suggestion"].startswith("Submit or")
    assert error["details"]["status"] == 422


@pytest.fixture
def refusing(monkeypatch):
    """Let the double take no writes, with a status and a message."""

    def refuse(status, message):
        answer, said = Double.answer, json.dumps({"message": message}).encode()

        def refuse_writes(self, asked):
            writes = asked.method == "POST" and asked.path != GRAPHQL
            return (status, {"Content-Type": "application/json"}, said) if writes else answer(self, asked)

        monkeypatch.setattr(Double, "answer", refuse_writes)

    return refuse


@pytest.mark.contract
async def test_a_token_that_may_not_write_is_forbidden(world, on_github, refusing):
    """REPLY-5; GitHub's own message is kept."""
    refusing(403, "Resource not accessible by personal access token")
    error = await error_of(on_github, world, answer(world))
    assert error["details"]["status"] == 403
    assert error["details"]["message"] == "Resource not accessible by personal access token"


@pytest.mark.contract
async def test_a_comment_that_is_there_is_never_said_to_be_missing(world, on_github, refusing):
    """GitHub answers 404 to a write that it hides from a token, too."""
    refusing(404, "Not Found")
    error = await error_of(on_github, world, answer(world))
    assert "is in a thread of smith/hello#1, but the forge refused the write" in error["error"]
    assert "may write to pull requests" in error["suggestion"]
    assert error["details"]["status"] == 404


@pytest.mark.contract
@pytest.mark.parametrize(("status", "given"), [(400, 422), (422, 422), (410, 404)])
async def test_another_number_of_githubs_is_kept_beside_the_specified_one(world, on_github, refusing, status, given):
    """REPLY-4, REPLY-7."""
    refusing(status, "Problems")
    details = (await error_of(on_github, world, answer(world)))["details"]
    assert (details["status"], details.get("forge_status", status)) == (given, status)
    assert details["message"] == "Problems"


@pytest.mark.contract
async def test_a_reply_that_came_to_stand_elsewhere_is_no_success(world, on_github, monkeypatch):
    """Prevents: success was said of a comment that then was nowhere to be seen."""
    answer_well = Double.answer

    def astray(self, asked):
        status, headers, body = answer_well(self, asked)
        wrong = body.replace(b'"in_reply_to_id": ', b'"in_reply_to_id": 9') if asked.method == "POST" else body
        return status, headers, wrong

    monkeypatch.setattr(Double, "answer", astray)
    async with on_github(world) as (call, _):
        result = await call(REPLY, answer(world))
    assert "did not put it in the thread" in result.structured_content["error"]
    assert result.structured_content["suggestion"].startswith("Do not send it again: ")


@pytest.mark.contract
async def test_a_rate_limit_passes_with_the_time_to_wait(world, on_github):
    """REPLY-11: when to come again is said, and nothing was posted."""
    async with on_github(world) as (call, served):
        served.double.limits.spend_all(f"Bearer {world.token}")
        result = await call(REPLY, answer(world))
    assert result.is_error
    assert result.structured_content["retry_after"] > 0
    assert "5000 requests an hour" in result.structured_content["error"]
    assert bodies(served) == ["Why print?"]


@pytest.mark.contract
async def test_the_same_reply_again_gives_the_first(world, on_github):
    async with on_github(world) as (call, served):
        first, again = [(await call(REPLY, place(world, body="Because."))).structured_content for _ in range(2)]
    assert again.pop("note").endswith("Pass allow_duplicate=true to post it again.")
    assert again == first | {"repeated": True}
    assert bodies(served) == ["Why print?", "Because."]


@pytest.mark.contract
async def test_fifty_replies_take_few_requests_each_and_land_where_they_should(world, on_github):
    """REPLY-14: by comment id, the comment is read, the last day is looked through, and one reply is posted."""
    pull = pull_in(world)
    threads = [world.add_thread(pull, "hello.py", line, f"remark {line}") for line in range(3, 53)]
    spent = []
    async with on_github(world) as (call, served):
        for thread in threads:
            before = len(served.double.asked)
            arguments = {"comment_id": thread.comments[0].id, "body": f"answer {thread.line}"}
            assert not (await call(REPLY, place(world, **arguments))).is_error
            spent.append(len(served.double.asked) - before)
    assert [[comment.body for comment in thread.comments] for thread in threads] == [
        [f"remark {line}", f"answer {line}"] for line in range(3, 53)
    ]
    assert max(spent[1:]) <= 3
    assert spent[0] <= 4


async def test_a_dry_run_shows_the_request_to_the_root_of_the_thread(world, on_github):
    reply = world.add_reply(thread_in(world), "Indeed, why?", world.other_user)
    async with on_github(world) as (call, served):
        result = await call(REPLY, answer(world, comment_id=reply.id, dry_run=True))
    (request,) = result.structured_content["requests"]
    root = thread_in(world).comments[0].id
    assert (request["method"], request["body"]) == ("POST", '{"body": "Because."}')
    assert request["url"].endswith(f"/repos/smith/hello/pulls/1/comments/{root}/replies")
    assert "Because." not in (bodies(served) or [])


async def test_a_thread_is_resolved_by_a_comment_of_it_and_nothing_is_posted(world, on_github):
    """Prevents: "resolve" posted a reply; a comment's id went to a field that GitHub's schema does not have."""
    async with on_github(world) as (call, served):
        result = (await call(RESOLVE, place(world))).structured_content
    assert bodies(served) in (None, ["Why print?"])
    assert (result["resolved"], result["resolved_by"], result["path"], result["line"]) == (True, "smith", "hello.py", 2)
    assert result["thread_id"].startswith("PRRT_")
    assert "unchanged" not in result


async def test_a_thread_is_settled_by_its_id_and_settled_once(world, on_github):
    """The state is read back each time; the second call changes nothing and says so."""
    async with on_github(world) as (call, _):
        first = (await call(RESOLVE, place(world))).structured_content
        named = place(world, thread_id=first["thread_id"], comment_id=None)
        rest = [(await call(tool, named)).structured_content for tool in (RESOLVE, UNRESOLVE, UNRESOLVE)]
    states = [(result["resolved"], result.get("unchanged")) for result in (first, *rest)]
    assert states == [(True, None), (True, True), (False, None), (False, True)]


@pytest.mark.parametrize("elsewhere", [{"pull_number": 2}, {"repo": "other", "pull_number": 1}])
async def test_a_thread_of_elsewhere_stays_open(world, on_github, elsewhere):
    """Prevents: thread T with another repository's pull request resolved T."""
    other = world.add_repository("other")
    world.push(other, "o", "Add o.py", {"o.py": "o\n"})
    world.add_pull(other, "O", "o")
    async with on_github(world) as (call, served):
        name = (await call(UNRESOLVE, place(world))).structured_content["thread_id"]
        result = await call(RESOLVE, place(world, thread_id=name, comment_id=None, **elsewhere))
    assert result.structured_content["details"]["status"] == 404
    assert thread_in(world).resolved_by is None or served.double is None


async def test_who_may_not_resolve_is_told_so(world, on_github):
    error = await error_of(on_github, world, place(world), tool=RESOLVE, token=world.other_token)
    assert error["details"]["status"] == 403
    assert error["error"].startswith("Failed to resolve review thread: ")
