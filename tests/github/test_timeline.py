"""Timelines: each kind of event has its own fields, and missing ones are derived."""

from datetime import UTC, datetime

import pytest
from github_double.world import World

from stithy_core.spi import IssueRef, RepositoryRef
from stithy_github.timeline_mapping import to_events

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef("smith", "hello")
PR, ISSUE = IssueRef(REPOSITORY, 1), IssueRef(REPOSITORY, 2)
AT = "2026-01-05T09:00:00Z"
SMITH = {"login": "smith", "id": 7, "type": "User"}


@pytest.fixture
def world():
    """A repository with a pull request, number 1, and an issue, number 2."""
    made = World()
    repository = made.add_repository("hello")
    made.push(repository, "greet", "Add hello.py", {"hello.py": "print()\n"})
    made.add_pull(repository, "Greet", "greet")
    made.add_issue(repository, "It does not greet")
    return made


def subject_in(world, number):
    return world.repository("smith/hello").issues[number]


async def read_events(world, in_world, subject=PR):
    """Return the events of a timeline by kind."""
    async with in_world(world) as forge:
        return {event.kind: event for event in await forge.issues.timeline(subject)}


async def test_a_commit_event_has_its_sha_and_time_and_no_actor(world, in_world):
    head = world.commits[subject_in(world, 1).head_sha]
    event = (await read_events(world, in_world))["committed"]
    assert (event.subject, event.text, event.actor) == (head.sha, "Add hello.py", None)
    assert event.at == head.at


async def test_a_review_event_has_its_user_and_time(world, in_world):
    review = world.add_review(subject_in(world, 1), "APPROVED", "Fine.", world.other_user)
    event = (await read_events(world, in_world))["reviewed"]
    assert (event.subject, event.text, event.actor.login) == (str(review.id), "Fine.", "stranger")
    assert event.at == review.submitted_at


async def test_a_review_event_without_a_text_has_the_state(world, in_world):
    world.add_review(subject_in(world, 1), "APPROVED")
    assert (await read_events(world, in_world))["reviewed"].text == "approved"


async def test_review_comments_are_separate_events(world, in_world):
    thread = world.add_thread(subject_in(world, 1), "hello.py", 1, "Why?")
    world.add_reply(thread, "Because.", world.other_user)
    async with in_world(world) as forge:
        found = [one for one in await forge.issues.timeline(PR) if one.kind == "review_commented"]
    assert [(one.subject, one.text, one.actor.login) for one in found] == [
        (str(comment.id), comment.body, comment.user.login) for comment in thread.comments
    ]


async def test_a_cross_reference_names_its_source(world, in_world):
    world.add_event(subject_in(world, 2), "cross-referenced", source=subject_in(world, 1))
    event = (await read_events(world, in_world, ISSUE))["referenced"]
    assert (event.subject, event.text, event.raw) == ("smith/hello#1", "Greet", "cross-referenced")
    assert event.url.endswith("/pull/1")


@pytest.mark.parametrize(
    ("event", "more", "kind", "text"),
    [
        ("labeled", {"label": {"name": "bug", "color": "ee0701"}}, "labeled", "bug"),
        ("renamed", {"rename": {"from": "Old", "to": "New"}}, "renamed", "New"),
        ("milestoned", {"milestone": {"title": "1.0"}}, "milestoned", "1.0"),
        ("assigned", {"assignee": SMITH}, "assigned", "smith"),
        ("review_requested", {"requested_reviewer": SMITH, "review_requester": SMITH}, "review_requested", "smith"),
        ("review_requested", {"requested_team": {"name": "Tools"}}, "review_requested", "Tools"),
        ("head_ref_force_pushed", {}, "force_pushed", ""),
        ("head_ref_deleted", {}, "head_deleted", ""),
        ("head_ref_restored", {}, "head_restored", ""),
        ("base_ref_changed", {}, "base_changed", ""),
        ("convert_to_draft", {}, "converted_to_draft", ""),
        ("ready_for_review", {}, "ready_for_review", ""),
        ("locked", {"lock_reason": "spam"}, "locked", "spam"),
        ("something_new", {}, "something_new", ""),
    ],
)
def test_an_event_has_its_kind_and_text(event, more, kind, text):
    (found,) = to_events([{"id": 1, "event": event, "actor": SMITH, "created_at": AT} | more])
    assert (found.kind, found.text, found.raw, found.actor.login) == (kind, text, event, "smith")
    assert found.at == datetime(2026, 1, 5, 9, tzinfo=UTC)


def test_a_dismissal_names_its_review():
    review = {"review_id": 5, "dismissal_message": "Out of date.", "state": "approved"}
    (found,) = to_events([{"id": 1, "event": "review_dismissed", "created_at": AT, "dismissed_review": review}])
    assert (found.subject, found.text) == ("5", "Out of date.")


@pytest.mark.parametrize(
    ("named", "identity"),
    [({"node_id": "PVT_1"}, "event-PVT_1"), ({}, f"event-added_to_project_v2-smith-{AT}")],
    ids=["by its node", "by all it says"],
)
def test_an_event_without_a_number_has_a_stable_id(named, identity):
    row = {"event": "added_to_project_v2", "actor": SMITH, "created_at": AT} | named
    (found,) = to_events([row, row])
    assert (found.id, found.kind) == (identity, "added_to_project_v2")


@pytest.mark.parametrize("actor", [None, {"login": "ghost", "id": 10_137, "type": "User"}])
def test_a_deleted_account_is_no_actor(actor):
    (found,) = to_events([{"id": 1, "event": "closed", "actor": actor, "created_at": AT, "commit_id": None}])
    assert (found.actor, found.subject) == (None, "")


def test_a_comment_on_a_commit_keeps_githubs_kind():
    comment = {"id": 3, "body": "Hm.", "user": SMITH, "created_at": AT, "html_url": "https://github.example/c"}
    (found,) = to_events([{"event": "commit-commented", "commit_id": "c" * 40, "comments": [comment]}])
    assert (found.kind, found.subject, found.text) == ("commit-commented", "3", "Hm.")


def test_only_repeated_rows_are_duplicates():
    rows = [
        {"id": 1, "event": "commented", "user": SMITH, "created_at": AT, "body": "Hm."},
        {"id": 1, "event": "reviewed", "user": SMITH, "submitted_at": AT, "state": "commented"},
        {"id": 1, "event": "closed", "actor": SMITH, "created_at": AT},
        {"event": "line-commented", "comments": [{"id": 1, "user": SMITH, "created_at": AT}]},
        {"event": "cross-referenced", "actor": SMITH, "created_at": AT, "source": {"issue": {"id": 1, "number": 2}}},
        {"event": "committed", "sha": "c" * 40, "author": {"date": AT}},
    ]
    assert len(to_events(rows)) == len({event.id for event in to_events([*rows, *rows])}) == 6


def test_events_within_a_second_are_sorted_by_kind_and_number():
    given = (("labeled", 8), ("labeled", 11), ("closed", 10), ("closed", 9))
    found = to_events({"id": number, "event": event, "created_at": AT} for event, number in given)
    assert [event.id for event in found] == ["event-9", "event-10", "event-8", "event-11"]
