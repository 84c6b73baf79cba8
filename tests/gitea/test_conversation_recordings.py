"""Every mapper of conversations on all that real servers ever answered (shared/recordings)."""

from datetime import UTC, datetime

import pytest
from gitea_answers import RECORDINGS, SERVERS, rows

from stithy_core.spi import PullRequestRef, RepositoryRef, Unknown
from stithy_gitea.inline import place_of, resolver_of, to_review_comment
from stithy_gitea.mapping import to_comment, to_issue, to_pull_request, to_subject
from stithy_gitea.reviews import STATES, to_review
from stithy_gitea.timeline import to_events

pytestmark = [
    pytest.mark.skipif(not RECORDINGS.is_dir(), reason="it needs ../shared/recordings beside the project"),
    pytest.mark.parametrize("server", SERVERS),
]

ASKED = RepositoryRef("asked", "for")


def moment(text):
    return datetime.fromisoformat(text).astimezone(UTC)


def test_issues(server):
    found = [(to_issue(row, ASKED), row) for row in rows(server, r"/issues(/\d+)?")]
    assert found
    for issue, row in found:
        assert (issue.ref.number, issue.title, issue.body) == (row["number"], row["title"], row["body"])
        assert (issue.state, issue.locked, issue.url) == (row["state"], row["is_locked"], row["html_url"])
        assert str(issue.ref.repository) == row["repository"]["full_name"]
        assert [label.name for label in issue.labels] == [label["name"] for label in row["labels"] or ()]
        assert issue.created_at == moment(row["created_at"])


def test_labels_of_an_organisation_stand_on_issues(server):
    named = {label.name for row in rows(server, "/issues") for label in to_issue(row, ASKED).labels}
    assert "org-wide" in named


def test_pull_requests(server):
    found = [(to_pull_request(row, ASKED), row) for row in rows(server, r"/pulls(/\d+)?")]
    assert found
    for pull, row in found:
        assert str(pull.ref) == f"{row['base']['repo']['full_name']}#{row['number']}"
        assert (pull.merged, pull.draft, pull.archived) == (row["merged"], row["draft"], False)
        assert (pull.head.branch, pull.head.commit) == (row["head"]["ref"], row["head"]["sha"])
        assert (pull.merge_commit, pull.merged_at is None) == (row["merge_commit_sha"] or "", not row["merged"])
        assert pull.mergeable is True if row["mergeable"] else isinstance(pull.mergeable, Unknown)


def test_comments(server):
    found = [(to_comment(row), row) for row in rows(server, r"/issues(/\d+)?/comments(/\d+)?")]
    assert found
    for comment, row in found:
        assert (comment.id, comment.body, comment.url) == (str(row["id"]), row["body"], row["html_url"])
        assert comment.author.login == row["user"]["login"]
        assert comment.updated_at == moment(row["updated_at"])


def test_comments_say_to_what_they_belong(server):
    for row in rows(server, r"/issues(/\d+)?/comments(/\d+)?"):
        place = to_subject(row)
        assert row["html_url"].startswith(row["pull_request_url"] or row["issue_url"])
        assert row["html_url"].split("#")[0].endswith(f"/{place.number}")
        assert isinstance(place, PullRequestRef) is bool(row["pull_request_url"])


def test_reviews(server):
    found = [(to_review(row), row) for row in rows(server, r"/pulls/\d+/reviews(/\d+|/\d+/dismissals)?")]
    assert found
    assert {row["state"] for _, row in found} <= STATES.keys()
    for review, row in found:
        assert review.state == ("dismissed" if row["dismissed"] else STATES[row["state"]])
        assert (review.commit, review.stale, review.official) == (row["commit_id"], row["stale"], row["official"])
        assert (review.submitted_at is None) is (row["state"] == "PENDING")


def test_inline_comments(server):
    read = list(rows(server, r"/pulls/\d+/reviews/\d+/comments|/pulls/\d+/comments/\d+/replies"))
    assert read
    for row in read:
        comment = to_review_comment(row, {"state": "COMMENT", "commit_id": "0" * 40})
        assert (comment.id, comment.review) == (str(row["id"]), str(row["pull_request_review_id"]))
        assert resolver_of(row)["resolved"] is (row["resolver"] is not None)
        side, line = ("LEFT", row["original_position"]) if row["original_position"] else ("RIGHT", row["position"])
        assert place_of(row) == (row["path"], side, line)


def test_timelines(server):
    read = list(rows(server, r"/issues/\d+/timeline"))
    assert read
    events = to_events(read)
    assert {event.raw for event in events} == {row["type"] for row in read}
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert len(events) == len({row["id"] for row in read})
