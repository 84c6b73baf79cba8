"""Real exchanges with api.github.com, of 2012 to 2023: nothing raises, and each field of the model is the answer's."""

from datetime import datetime
from urllib.parse import urlsplit

import pytest

from stithy_core.spi import Forbidden, IssueRef, NotFound, PullRequestRef, Refusal, Rejected, RepositoryRef, Unknown
from stithy_github.mapping import to_label, to_repository_ref, to_user
from stithy_github.refusals import explain
from stithy_github.remarks import to_comment, to_review, to_review_comment
from stithy_github.subjects import to_issue, to_pull_request
from stithy_github.timeline import to_events

pytestmark = pytest.mark.anyio

ASKED = RepositoryRef("as", "asked")
PEOPLE = {"author.login": "user.login", "author.id": "user.id"}
REMARK = PEOPLE | {
    "id": "id",
    "body": "body",
    "url": "html_url",
    "association": "author_association",
}
TIMES = {"created_at": "created_at", "updated_at": "updated_at"}
SUBJECT = (
    PEOPLE
    | TIMES
    | {
        "ref.number": "number",
        "title": "title",
        "body": "body",
        "state": "state",
        "url": "html_url",
        "locked": "locked",
        "closed_at": "closed_at",
        "association": "author_association",
        "milestone": "milestone.title",
        "labels.name": "labels.name",
        "labels.colour": "labels.color",
        "assignees.login": "assignees.login",
        "comment_count": "comments",
    }
)
PULL = SUBJECT | {
    "draft": "draft",
    "head.branch": "head.ref",
    "head.commit": "head.sha",
    "base.branch": "base.ref",
    "base.commit": "base.sha",
    "mergeable": "mergeable",
    "forge_state": "mergeable_state",
    "merged_at": "merged_at",
    "merged_by.login": "merged_by.login",
    "archived": "base.repo.archived",
    "requested_reviewers.login": "requested_reviewers.login",
    "requested_teams": "requested_teams.name",
    "additions": "additions",
    "deletions": "deletions",
    "changed_files": "changed_files",
}


class Missing:
    """In the place of what an answer does not have."""


def told(record, path):
    """Walk to a value of the model, through what is several or nobody."""
    for name in path.split("."):
        if isinstance(record, tuple):
            record = tuple(getattr(one, name) for one in record)
        else:
            record = getattr(record, name, None)
    return record


def answered(row, path):
    """Walk to a value of the answer in the same way."""
    for name in path.split("."):
        if isinstance(row, list):
            row = tuple(one.get(name) for one in row)
        else:
            row = row.get(name, Missing) if isinstance(row, dict) else None
    return tuple(row) if isinstance(row, list) else row


def same(value, given):
    if given is Missing or given is None:
        return isinstance(value, Unknown) or value in (None, "", (), False)
    if isinstance(value, datetime):
        return value == datetime.fromisoformat(given)
    return value == given or value == str(given)


def differences(record, row, fields):
    """Say which fields of the model are not as in the answer."""
    pairs = {model: (told(record, model), answered(row, given)) for model, given in fields.items()}
    return {model: pair for model, pair in pairs.items() if not same(*pair)}


@pytest.mark.parametrize(
    ("pattern", "read", "fields"),
    [
        (r"R/issues(/\d+)?", lambda row: to_issue(row, IssueRef(ASKED, row["number"])), SUBJECT),
        (r"R/pulls(/\d+)?", lambda row: to_pull_request(row, PullRequestRef(ASKED, row["number"])), PULL),
        (r"R/issues/(\d+/comments|comments/\d+)", to_comment, REMARK | TIMES),
        (r"R/pulls/\d+/comments", to_review_comment, REMARK | TIMES | {"commit": "original_commit_id"}),
        (r"R/pulls/\d+/reviews(/\d+/events)?", to_review, REMARK | {"submitted_at": "submitted_at"}),
    ],
    ids=["issues", "pull requests", "comments", "review comments", "reviews"],
)
def test_each_field_is_the_answers(rows, pattern, read, fields):
    assert [found for row in rows(pattern) if (found := differences(read(row), row, fields))] == []


def test_reviews_have_the_words_of_the_model(rows):
    states = {to_review(row).state for row in rows(r"R/pulls/\d+/reviews(/\d+/events)?")}
    assert states <= {"approved", "changes_requested", "commented", "dismissed", "pending"}


def test_a_pull_request_has_its_bases_name_not_the_one_it_was_asked_by(rows):
    for row in rows(r"R/pulls(/\d+)?"):
        pull = to_pull_request(row, PullRequestRef(ASKED, row["number"]))
        assert str(pull.ref) == f"{row['base']['repo']['full_name']}#{row['number']}"


def test_a_head_whose_repository_was_deleted_is_from_a_fork(rows):
    pulls = [row for row in rows(r"R/pulls(/\d+)?") if row["head"]["repo"] is None]
    for row in pulls:
        pull = to_pull_request(row, PullRequestRef(ASKED, row["number"]))
        assert (pull.head.repository, pull.from_fork) == (None, True)
    assert pulls


def test_only_what_is_merged_has_a_merge_commit(rows):
    for row in rows(r"R/pulls(/\d+)?"):
        pull = to_pull_request(row, PullRequestRef(ASKED, row["number"]))
        assert pull.merged is bool(row["merged_at"])
        assert pull.merge_commit == (row["merge_commit_sha"] if row["merged_at"] else "")


def test_reactions_are_counted(rows):
    for row in rows(r"R/pulls/\d+/comments"):
        counted = {found.content: found.count for found in to_review_comment(row).reactions}
        assert counted.items() <= row["reactions"].items()
        assert sum(counted.values()) == row["reactions"]["total_count"]


def test_every_account_that_was_answered_can_be_read(recorded):
    accounts = [one for _, _, _, body in recorded for one in objects(body) if {"login", "id", "type"} <= one.keys()]
    for raw in accounts:
        user = to_user(raw)
        assert (user.login, user.id) == (raw["login"], str(raw["id"]))
        assert isinstance(user.kind, Unknown) is (raw["type"] not in ("User", "Bot"))
    assert len(accounts) > 100


def test_every_repository_and_label_that_was_answered_can_be_read(recorded):
    for _, _, _, body in recorded:
        for one in objects(body):
            if "full_name" in one:
                assert str(to_repository_ref(one)) == one["full_name"]
            if {"color", "default", "name"} <= one.keys():
                label = to_label(one)
                assert (label.name, label.colour, label.description or None) == (
                    one["name"],
                    one["color"],
                    one.get("description") or None,
                )


def test_events_are_read_once_each_by_time(rows):
    raw = rows(r"R/issues/\d+/events")
    events = to_events([*raw, *raw])
    assert len(events) == len(raw)
    assert [event.at for event in events] == sorted(event.at for event in events)
    for row in raw:
        (event,) = [found for found in events if found.id == f"event-{row['id']}"]
        assert (event.raw, event.actor.login, event.subject or None) == (
            row["event"],
            row["actor"]["login"],
            row["commit_id"],
        )


def test_every_refusal_keeps_the_words_of_the_answer(recorded):
    refusals = [(method, status, body) for method, _, status, body in recorded if status >= 400]
    for method, status, body in refusals:
        found = explain(Refusal(status=status, message=body["message"], headers={}, body=body, writing=method != "GET"))
        assert type(found) is {403: Forbidden, 422: Rejected}[status]
        assert body["message"] in found.message
        assert found.suggestion
    assert len(refusals) == 6


async def test_a_repository_with_another_name_now_is_not_taken_for_missing(recorded, hub, github):
    """The redirect and the repository it leads to are GitHub's own; both name GitHub's host, here the hub."""
    (leads,) = {body["url"] for _, path, status, body in recorded if status == 301 and path.endswith("/betamax")}
    (present, *_) = [body for _, path, status, body in recorded if status == 200 and path == urlsplit(leads).path]
    location = hub.url + "/api/v3" + urlsplit(leads).path
    hub.answers = {
        "GET /repos/sigmavirus24/betamax": (301, {"Location": location}, {"message": "Moved Permanently"}),
        f"GET {urlsplit(leads).path}": present,
    }
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match="has no pull request 7"):
            await forge.pull_requests.get(PullRequestRef(RepositoryRef("sigmavirus24", "betamax"), 7))


def objects(body):
    """Give every object in an answer, at any depth."""
    if isinstance(body, dict):
        yield body
        body = list(body.values())
    if isinstance(body, list):
        for inner in body:
            yield from objects(inner)
