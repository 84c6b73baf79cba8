"""What people said on real servers: threads, reviews, events, and what only looks like a comment."""

import attrs
import pytest
from lab import READER
from lossy import lossy
from worlds import open_forge, pull_request_of, repository_of

from stithy_core.spi import Conflict, IssueRef, Locked, NotFound, Unknown

pytestmark = pytest.mark.anyio

WORLD = "talk"
GREET = "".join(f"print({line})\n" for line in range(6))
LINES = "".join(f"line {line}\n" for line in range(1, 11))
SUDO = f"?sudo={READER}"


def make(lab):
    """Make pull requests 1, 3 and 4, and issue 2."""
    lab.commit("main", "Begin", ("create", "hello.txt", LINES))
    changed = ("update", "hello.txt", LINES.replace("line 5", "line five"))
    lab.commit("main", "Greet", ("create", "greet.py", GREET), changed, new="greet")
    lab.pull("Greet", "greet", "main")
    issue = lab.post("issues", {"title": "It does not greet", "body": "Say hello."})["number"]
    lab.setup("PATCH", f"/repos/{lab.repository}/pulls/1", {"body": "See #2."})
    review(lab, 1, ("greet.py", 3), ("greet.py", 1), ("hello.txt", -5), ("hello.txt", 5))
    lab.commit("greet", "Go on", ("create", "more.txt", "more\n"))
    lab.until_pushed(1)
    review(lab, 1, ("greet.py", 5), ("hello.txt", 5))
    judge(lab)
    happen(lab, issue)
    lab.commit("main", "Mine", ("create", "mine.py", GREET), new="mine")
    lab.pull("Mine", "mine", "main")
    review(lab, 3, ("mine.py", 2))
    review(lab, 3, ("mine.py", 4), event="PENDING")
    fork(lab)


def review(lab, number, *places, event="COMMENT", body="Look."):
    """Review with comments at places; a line of the old file is negative."""
    comments = [
        {"path": path, "body": f"at {line}", "new_position": max(line, 0), "old_position": max(-line, 0)}
        for path, line in places
    ]
    lab.post(f"pulls/{number}/reviews", {"event": event, "body": body, "comments": comments})


def judge(lab):
    """Let another user request changes, dismiss that, let them approve, and request their review again."""
    asked = lab.post(f"pulls/1/reviews{SUDO}", {"event": "REQUEST_CHANGES", "body": "No."})
    lab.post(f"pulls/1/reviews/{asked['id']}/dismissals", {"message": "Why not?"})
    lab.post(f"pulls/1/reviews{SUDO}", {"event": "APPROVED", "body": "Well."})
    lab.setup("PUT", f"/repos/{lab.repository}/collaborators/{READER}", {"permission": "read"})
    lab.post("pulls/1/requested_reviewers", {"reviewers": [READER]})


def happen(lab, number):
    """Let all sorts of things happen to an issue."""
    label = lab.post("labels", {"name": "bug", "color": "#ee0701"})["id"]
    lab.post(f"issues/{number}/labels", {"labels": [label]})
    lab.setup("DELETE", f"/repos/{lab.repository}/issues/{number}/labels/{label}")
    lab.post(f"issues/{number}/labels", {"labels": [label]})
    milestone = lab.post("milestones", {"title": "Soon"})["id"]
    for change in (
        {"milestone": milestone},
        {"assignees": [lab.owner]},
        {"assignees": []},
        {"title": "It does not greet at all"},
        {"state": "closed"},
        {"state": "open"},
    ):
        lab.setup("PATCH", f"/repos/{lab.repository}/issues/{number}", change)
    lab.post(f"issues/{number}/comments", {"body": "Still so."})


def fork(lab):
    """Let another user open a pull request from a fork, lock it, and delete the fork."""
    lab.post(f"forks{SUDO}", {})
    owner, lab.owner = lab.owner, READER
    lab.setup("POST", f"/repos/{lab.repository}/contents/of-fork.txt{SUDO}", OF_FORK)
    lab.owner = owner
    head = {"title": "From afar", "head": f"{READER}:afar", "base": "main"}
    lab.post(f"pulls{SUDO}", head)
    review(lab, 4, ("of-fork.txt", 1))
    lab.lock(4)
    lab.setup("DELETE", f"/repos/{READER}/{lab.name}")


OF_FORK = {"content": "b2YgYSBmb3JrCg==", "message": "Fork", "branch": "main", "new_branch": "afar"}


async def test_threads_stand_by_path_line_and_time(world):
    async with open_forge(world) as forge:
        threads = await forge.threads.list(pull_request_of(world))
    places = [(thread.path, thread.line, thread.side, len(thread.comments)) for thread in threads]
    assert places == [
        ("greet.py", 1, "RIGHT", 1),
        ("greet.py", 3, "RIGHT", 1),
        ("greet.py", 5, "RIGHT", 1),
        ("hello.txt", 5, "LEFT", 1),
        ("hello.txt", 5, "RIGHT", 2),
    ]
    assert "+line five" in threads[-1].hunk


async def test_whether_a_thread_is_outdated_is_said_only_where_nothing_was_pushed_since(world):
    async with open_forge(world) as forge:
        before, _, after, *_ = await forge.threads.list(pull_request_of(world))
    assert after.outdated is False
    assert isinstance(before.outdated, Unknown)
    assert "when the head moved from" in before.outdated.reason


async def test_a_request_for_a_review_is_no_review(world):
    async with open_forge(world) as forge:
        reviews = await forge.reviews.list(pull_request_of(world))
        pull = await forge.pull_requests.get(pull_request_of(world))
    assert [review.state for review in reviews] == ["commented", "commented", "dismissed", "approved"]
    assert [user.login for user in pull.requested_reviewers] == [READER]
    assert [review.official for review in reviews[2:]] == [False, False]


async def test_a_timeline_is_in_words_of_the_model(world):
    async with open_forge(world) as forge:
        events = await forge.issues.timeline(IssueRef(repository_of(world), 2))
    told = {(event.kind, event.text) for event in events}
    assert told >= {("labeled", "bug"), ("unlabeled", "bug"), ("milestoned", "Soon"), ("commented", "Still so.")}
    assert told >= {("assigned", world.owner), ("unassigned", world.owner), ("renamed", "It does not greet at all")}
    assert {"closed", "reopened"} <= {kind for kind, _ in told}
    (reference,) = [event for event in events if event.kind == "referenced"]
    assert (reference.text, reference.subject) == ("Greet", f"{world.repository}#1")


async def test_the_timeline_of_a_pull_request_has_its_pushes_and_reviews(world):
    async with open_forge(world) as forge:
        events = await forge.issues.timeline(pull_request_of(world))
        commits = [commit.sha for commit in await forge.changes.commits(pull_request_of(world))]
        reviews = [review.id for review in await forge.reviews.list(pull_request_of(world))]
    pushed = [event.subject for event in events if event.kind == "pushed"]
    assert pushed == commits[: len(pushed) or 1]  # Gitea 1.25 tells only of the push that it was opened with
    assert {event.subject for event in events if event.kind == "reviewed"} == set(reviews)
    assert {"review_requested", "review_dismissed"} <= {event.kind for event in events}


async def test_an_event_is_no_comment(world):
    """The server answers 204, to reading and to editing."""
    issue = IssueRef(repository_of(world), 2)
    async with open_forge(world) as forge:
        event = next(event for event in await forge.issues.timeline(issue) if event.kind == "labeled")
        for attempt in (forge.comments.get(issue, event.id), forge.comments.edit(issue, event.id, "x")):
            with pytest.raises(NotFound, match=rf"no comment {event.id}: it is an event \(label\)"):
                await attempt


async def test_an_inline_comment_is_none_of_the_conversation(world):
    """The server answers 204 to reading it, and would edit it."""
    pr = pull_request_of(world)
    async with open_forge(world) as forge:
        thread = (await forge.threads.list(pr))[-1]
        name = thread.comments[-1].id
        with pytest.raises(NotFound, match=f"no comment {name}: it stands in the diff, in thread {thread.id};"):
            await forge.comments.edit(pr, name, "x")


async def test_a_comment_of_another_number_is_said_to_be_of_that(world):
    """The server would edit it all the same."""
    async with open_forge(world) as forge:
        (comment,) = await forge.comments.list(IssueRef(repository_of(world), 2))
        with pytest.raises(NotFound, match=f"it belongs to {world.repository}#2; nothing was changed"):
            await forge.comments.edit(pull_request_of(world), comment.id, "x")


async def test_what_is_no_review_comment_is_said_to_be_what_it_is(world):
    """The routes for threads say of all that is there that it is the wrong thing, or nothing at all."""
    pr, other = pull_request_of(world), pull_request_of(world, 3)
    async with open_forge(world) as forge:
        (comment,) = await forge.comments.list(IssueRef(repository_of(world), 2))
        event = next(event for event in await forge.issues.timeline(pr) if event.kind == "review_dismissed")
        for name, said in {
            comment.id: f"it is a comment in the conversation of {world.repository}#2, not in a diff",
            event.id: r"it is an event \(dismiss_review\)",
            (await forge.threads.list(other))[0].id: "it is an event, or belongs to another pull request",
            "98765432": "the repository has no comment of that id",
        }.items():
            with pytest.raises(NotFound, match=f"{pr} has no thread {name}: {said}; nothing was written") as caught:
                await forge.threads.reply(pr, name, "Why?")
            assert caught.value.details["status"] == 404
    assert caught.value.details["message"] in ("not found", "The target couldn't be found.")


async def test_what_has_an_address_in_the_api_is_there(world):
    pr = pull_request_of(world)
    async with open_forge(world) as forge:
        reviews, events = await forge.reviews.list(pr), await forge.issues.timeline(IssueRef(repository_of(world), 2))
        comments = await forge.comments.list(IssueRef(repository_of(world), 2))
        (event,) = [event for event in events if event.kind == "commented"]
        found = [str((await forge.http.get(one.api_url))["id"]) for one in (*reviews, *comments)]
        threads = await forge.threads.list(pr)
    assert found == [one.id for one in (*reviews, *comments)]
    assert event.api_url == comments[0].api_url
    assert {comment.api_url for thread in threads for comment in thread.comments} == {""}


async def test_a_draft_is_shown_to_its_author_as_pending(world):
    async with open_forge(world) as forge:
        public, mine = await forge.threads.list(pull_request_of(world, 3))
    assert (public.comments[0].pending, mine.comments[0].pending) == (False, True)


async def test_a_draft_is_not_shown_to_others(world):
    async with open_forge(world, token=world.reader_token) as forge:
        (public,) = await forge.threads.list(pull_request_of(world, 3))
    assert public.line == 2


async def test_a_draft_is_not_published_by_an_answer(world):
    """An older server publishes it with any review, so the answer is refused there."""
    pr = pull_request_of(world, 3)
    async with open_forge(world) as forge:
        thread, _ = await forge.threads.list(pr)
        try:
            await forge.threads.reply(pr, thread.id, "Why?")
        except Conflict as error:
            assert "you have a draft review" in error.message  # noqa: PT017 -- either way, the draft must stay one
        assert [review.state for review in await forge.reviews.list(pr)] == ["commented", "pending"]


async def test_a_lost_answer_in_a_thread_is_found_by_reading_back(world):
    pr = pull_request_of(world)
    with lossy(world.url) as (url, losses):
        async with open_forge(attrs.evolve(world, url=url)) as forge:
            thread = (await forge.threads.list(pr))[0]
            losses.answers = "POST"
            reply = await forge.threads.reply(pr, thread.id, "Only once.")
            after = (await forge.threads.list(pr))[0]
    assert (reply.comment.body, reply.thread) == ("Only once.", thread.id)
    assert [comment.body for comment in after.comments].count("Only once.") == 1


async def test_a_locked_conversation_takes_no_answer_of_a_reader(world):
    """The routes for threads do not look at the lock."""
    world.need_locks()
    pr = pull_request_of(world, 4)
    async with open_forge(world, token=world.reader_token) as forge:
        (thread,) = await forge.threads.list(pr)
        with pytest.raises(Locked, match="is locked"):
            await forge.threads.reply(pr, thread.id, "Why?")


async def test_a_pull_request_outlives_its_fork(world):
    async with open_forge(world) as forge:
        pull = await forge.pull_requests.get(pull_request_of(world, 4))
        (listed,) = await forge.pull_requests.list(repository_of(world), state="all", most=1)
    assert (pull.head.repository, pull.from_fork, pull.head.branch) == (None, True, "refs/pull/4/head")
    assert (listed.ref, listed.head) == (pull.ref, pull.head)


async def test_a_thread_that_was_deleted_is_known_no_more(world):
    pr = pull_request_of(world)
    async with open_forge(world) as forge:
        thread = (await forge.threads.list(pr))[1]
        place, review = f"/repos/{world.repository}", thread.comments[0].review
        world.setup("DELETE", f"{place}/issues/comments/{thread.id}")  # on Forgejo this deletes nothing
        world.setup("DELETE", f"{place}/pulls/1/reviews/{review}/comments/{thread.id}", allowed=(404, 405))
        with pytest.raises(NotFound, match=f"no thread {thread.id}: the repository has no comment of that id"):
            await forge.threads.reply(pr, thread.id, "Why?")
