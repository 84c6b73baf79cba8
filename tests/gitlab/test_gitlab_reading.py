"""Reads and writes of the plugin against the double: names, notes, threads and merge requests."""

import pytest
from gitlab_double.gitlab_server import NAME, open_gitlab, serve_gitlab
from gitlab_double.gitlab_world import USERS, ApiError

from stithy_core.spi import Forbidden, IssueRef, NotFound, Rejected, RepositoryRef, Unknown

ANVIL = RepositoryRef("smith/tools", "anvil")
pytestmark = pytest.mark.anyio


def add_greet(server, **fields):
    """Add the project and a merge request, and return both."""
    home = server.world.projects.get(NAME) or server.world.add_project(NAME)
    return home, server.world.add_merge_request(home, "Greet", "greet", **fields)


@pytest.fixture
def pr(forge):
    return forge.names.create_pull_request_ref(ANVIL, 1)


async def test_a_text_with_a_quick_action_is_not_sent(server, forge, pr):
    add_greet(server)
    with pytest.raises(Rejected, match="/close"):
        await forge.comments.create(pr, "Fine.\n/close")
    assert not [one for one in server.requests if one.startswith("POST")]


async def test_a_quick_action_in_a_code_block_is_stored(server, forge, pr):
    add_greet(server)
    body = "```\n/close\n```"
    assert (await forge.comments.create(pr, f"Use\n{body}")).body == f"Use\n{body}"


async def test_an_internal_note_is_marked(server, forge, pr):
    _, merge = add_greet(server)
    server.world.add_note(merge, "Between us.", internal=True)
    (comment,) = await forge.comments.list(pr)
    assert comment.association == "internal"


async def test_system_notes_are_events_and_not_comments(server, forge, pr):
    _, merge = add_greet(server)
    server.world.add_note(merge, "approved this merge request", system=True)
    assert list(await forge.comments.list(pr)) == []
    (event,) = await forge.issues.timeline(pr)
    assert (event.kind, event.text) == ("system_note", "approved this merge request")


async def test_a_position_that_stayed_at_former_commits_is_outdated(server, forge, pr):
    _, merge = add_greet(server)
    server.world.add_note(merge, "Old.", position=server.world.place(merge, "hello.py", 2) | {"head_sha": "0" * 40})
    (thread,) = await forge.threads.list(pr)
    assert thread.outdated is True


async def test_outdated_is_unknown_while_the_diff_is_prepared(server, forge, pr):
    _, merge = add_greet(server)
    server.world.add_note(merge, "New.", position=server.world.place(merge, "hello.py", 2))
    merge["diff_refs"] = None
    (thread,) = await forge.threads.list(pr)
    assert isinstance(thread.outdated, Unknown)


async def test_a_thread_on_several_lines_has_its_first_line(server, forge, pr):
    _, merge = add_greet(server)
    ends = {
        "start": {"type": "new", "new_line": 2, "old_line": None},
        "end": {"type": "new", "new_line": 4, "old_line": None},
    }
    server.world.add_note(merge, "These.", position=server.world.place(merge, "hello.py", 4) | {"line_range": ends})
    (thread,) = await forge.threads.list(pr)
    assert (thread.start_line, thread.line, thread.side) == (2, 4, "RIGHT")


async def test_a_discussion_that_cannot_be_resolved_is_in_the_conversation(server, forge, pr):
    _, merge = add_greet(server)
    server.world.add_note(merge, "Hm.", type="DiscussionNote", resolvable=False)
    assert [one.body for one in await forge.comments.list(pr)] == ["Hm."]
    assert list(await forge.threads.list(pr)) == []


async def test_a_discussion_without_a_place_that_can_be_resolved_is_a_thread(server, forge, pr):
    _, merge = add_greet(server)
    server.world.add_note(merge, "Why?", type="DiscussionNote", resolvable=True, resolved=False)
    assert list(await forge.comments.list(pr)) == []
    (thread,) = await forge.threads.list(pr)
    assert (thread.path, thread.resolved) == (None, False)


async def test_reviews_are_approvals_and_the_answers_of_reviewers(server, forge, pr):
    _, merge = add_greet(server, approvals=[{"user": USERS["bob"]}], reviewers=[USERS["smith"], USERS["bob"]])
    merge["reviewer_states"] = [
        {"user": USERS["smith"], "state": "requested_changes", "created_at": "2026-01-05T10:00:00.000Z"},
        {"user": USERS["bob"], "state": "unreviewed", "created_at": "2026-01-05T10:00:00.000Z"},
    ]
    found = await forge.reviews.list(pr)
    assert {(one.author.login, one.state) for one in found} == {("bob", "approved"), ("smith", "changes_requested")}
    pull = await forge.pull_requests.get(pr)
    assert [user.login for user in pull.requested_reviewers] == ["bob"]


@pytest.mark.parametrize(
    ("fields", "mergeable", "blocked"),
    [
        ({}, True, False),
        ({"merge_status": "unchecked", "detailed_merge_status": "unchecked"}, Unknown, Unknown),
        (
            {"merge_status": "cannot_be_merged", "has_conflicts": True, "detailed_merge_status": "conflict"},
            False,
            Unknown,
        ),
        ({"detailed_merge_status": "not_approved"}, True, True),
        ({"detailed_merge_status": "draft_status"}, True, Unknown),
        ({"detailed_merge_status": "a_word_of_tomorrow"}, True, Unknown),
    ],
)
async def test_merge_status_word_by_word(server, forge, fields, mergeable, blocked):
    add_greet(server, **fields)
    pr = forge.names.create_pull_request_ref(ANVIL, 1)
    pull = await forge.pull_requests.get(pr)
    for value, expected in ((pull.mergeable, mergeable), (pull.blocked, blocked)):
        assert isinstance(value, Unknown) if expected is Unknown else value is expected


async def test_a_fork_is_named_and_a_deleted_one_is_none(server, forge, pr):
    home = server.world.add_project(NAME)
    fork = server.world.add_project("bob/anvil", home)
    fork.bare = home.bare
    add_greet(server, source=fork)
    assert (await forge.pull_requests.get(pr)).head.repository == RepositoryRef("bob", "anvil")
    home.merges[1]["source"] = None
    assert (await forge.pull_requests.get(pr)).head.repository is None


async def test_a_target_branch_is_changed(server, forge, pr):
    _, merge = add_greet(server)
    changed = await forge.pull_requests.retarget(pr, "later")
    assert (changed.base.branch, merge["target_branch"]) == ("later", "later")


@pytest.mark.parametrize(
    ("branch", "fields", "expected"),
    [
        ("nowhere", {}, (NotFound, "branch nowhere")),
        ("later", {"state": "closed"}, (Rejected, "not open")),
        ("before", {}, (Rejected, "!2")),
    ],
)
async def test_a_target_branch_that_cannot_be_is_not_written(server, forge, branch, fields, expected):
    home, merge = add_greet(server, **fields)
    server.world.add_merge_request(home, "Other", "greet", "before")
    with pytest.raises(expected[0], match=expected[1]):
        await forge.pull_requests.retarget(forge.names.create_pull_request_ref(ANVIL, 1), branch)
    assert merge["target_branch"] == "main"


async def test_a_private_project_is_not_found(server, forge):
    server.world.add_project("bob/secret", visibility="private").access = {"bob": 40}
    with pytest.raises(NotFound, match="no repository bob/secret"):
        await forge.issues.get(IssueRef(RepositoryRef("bob", "secret"), 1))


async def test_a_token_without_the_scope_reads_which_one_it_lacks(server, forge, pr):
    add_greet(server)
    body = {
        "error": "insufficient_scope",
        "error_description": "The request requires higher privileges",
        "scope": "api",
    }
    server.faults[f"POST /projects/{NAME}/merge_requests/1/notes"] = ApiError(403, body)
    with pytest.raises(Forbidden) as caught:
        await forge.comments.create(pr, "Hello.")
    assert "scope api" in caught.value.suggestion


async def test_pages_go_on_without_totals(server, forge, pr):
    _, merge = add_greet(server)
    for number in range(230):
        server.world.add_note(merge, f"note {number}")
    server.counts = False
    found = await forge.comments.list(pr)
    assert (len(found), found[-1].body, found.cut) == (230, "note 229", "")


async def test_a_server_below_a_subpath(history, tmp_path):
    with serve_gitlab(history, subpath="/git") as served:
        add_greet(served)
        async with open_gitlab(served, tmp_path) as forge:
            pull = await forge.pull_requests.get(forge.names.create_pull_request_ref(ANVIL, 1))
            assert pull.title == "Greet"


async def test_an_anonymous_reader_of_a_public_project(server, tmp_path):
    add_greet(server)
    async with open_gitlab(server, tmp_path, token="") as forge:
        pull = await forge.pull_requests.get(forge.names.create_pull_request_ref(ANVIL, 1))
        assert isinstance(pull.archived, Unknown)
