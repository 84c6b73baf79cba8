"""Map GitHub's timelines to events (docs/forge-behaviour/github.md#timeline).

Each kind of event has its own fields, and several kinds lack an id, a time or an actor.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from stithy_core.spi import Event, User, UserKind
from stithy_github.comments_mapping import review_api_url
from stithy_github.mapping import to_time_or_none, to_user

KINDS = {
    "line-commented": "review_commented",
    "cross-referenced": "referenced",
    "head_ref_force_pushed": "force_pushed",
    "base_ref_changed": "base_changed",
    "head_ref_deleted": "head_deleted",
    "head_ref_restored": "head_restored",
    "convert_to_draft": "converted_to_draft",
}
"""The kinds for which the model has another word than GitHub."""

WITH_COMMENTS = {"line-commented": "review_comment", "commit-commented": "commit_comment"}
"""Events that only list review comments, or comments on a commit."""

IDENTIFIED = {"commented": "issue_comment", "reviewed": "review"}
BEGINNING = datetime.min.replace(tzinfo=UTC)


def to_events(rows: Iterable[Mapping[str, Any]]) -> tuple[Event, ...]:
    """Map a timeline: oldest first, each event once; by kind and id within a second, since times have whole seconds."""
    events = {event.id: event for row in rows for event in _iterate_events(row)}
    return tuple(sorted(events.values(), key=_sort_key))


def _sort_key(event: Event) -> tuple[datetime, str, int, str]:
    return event.at or BEGINNING, event.kind, len(event.id), event.id


def _iterate_events(row: Mapping[str, Any]) -> Iterator[Event]:
    raw = row.get("event") or ""
    if raw in WITH_COMMENTS:
        for comment in row.get("comments") or ():
            yield _map_event(comment | {"event": raw}, f"{WITH_COMMENTS[raw]}-{comment['id']}", str(comment["id"]))
    elif raw == "committed":
        yield _map_commit(row)
    elif raw == "cross-referenced":
        yield _map_cross_reference(row)
    elif raw in IDENTIFIED:
        yield _map_event(row, f"{IDENTIFIED[raw]}-{row['id']}", str(row["id"]))
    else:
        yield _map_event(row, f"event-{_get_event_id(row)}", _get_subject(row))


def _map_event(row: Mapping[str, Any], identity: str, subject: str) -> Event:
    raw = row.get("event") or ""
    return Event(
        id=identity,
        kind=KINDS.get(raw, raw),
        at=to_time_or_none(row.get("created_at") or row.get("submitted_at")),
        actor=_map_actor(row),
        text=_get_text(row),
        subject=subject,
        url=row.get("html_url") or "",
        raw=raw,
        api_url=row.get("url") or review_api_url(row),
    )


def _map_commit(row: Mapping[str, Any]) -> Event:
    """Map a commit, which has git's names in place of an actor, and its SHA as id."""
    signature = row.get("committer") or row.get("author") or {}
    return Event(
        id=f"commit-{row['sha']}",
        kind="committed",
        at=to_time_or_none(signature.get("date")),
        text=row.get("message") or "",
        subject=row["sha"],
        url=row.get("html_url") or "",
        raw="committed",
        api_url=row.get("url") or "",
    )


def _map_cross_reference(row: Mapping[str, Any]) -> Event:
    """Map a mention elsewhere, which has no id: its source, actor and time make one."""
    source = (row.get("source") or {}).get("issue") or {}
    actor = _map_actor(row)
    login = actor.login if actor else ""
    return Event(
        id=f"cross-reference-{source.get('id', '')}-{login}-{row.get('created_at', '')}",
        kind=KINDS["cross-referenced"],
        at=to_time_or_none(row.get("created_at")),
        actor=actor,
        text=source.get("title") or "",
        subject=_format_issue(source),
        url=source.get("html_url") or "",
        raw="cross-referenced",
    )


def _format_issue(issue: Mapping[str, Any]) -> str:
    """Format an issue as owner/name#number."""
    repository = (issue.get("repository") or {}).get("full_name") or (issue.get("repository_url") or "").rpartition(
        "/repos/"
    )[2]
    return f"{repository}#{issue['number']}" if repository else str(issue.get("number", ""))


def _map_actor(row: Mapping[str, Any]) -> User | None:
    raw = row.get("actor") or row.get("user")
    user = to_user(raw) if raw else None
    return None if user is None or user.kind is UserKind.GHOST else user


def _get_event_id(row: Mapping[str, Any]) -> str:
    """Return an event's id, or one made of its kind, actor and time."""
    if row.get("id") is not None:
        return str(row["id"])
    login = (row.get("actor") or {}).get("login", "")
    return str(row.get("node_id") or f"{row.get('event')}-{login}-{row.get('created_at')}")


def _get_subject(row: Mapping[str, Any]) -> str:
    review = (row.get("dismissed_review") or {}).get("review_id")
    return str(review or row.get("commit_id") or "")


def _get_text(row: Mapping[str, Any]) -> str:
    """Return an event's text, label, title or name; the state of a review without a text."""
    subjects = {
        "label": "name",
        "rename": "to",
        "milestone": "title",
        "assignee": "login",
        "requested_reviewer": "login",
        "requested_team": "name",
        "dismissed_review": "dismissal_message",
    }
    for field, key in subjects.items():
        if row.get(field):
            return str(row[field].get(key) or "")
    return str(row.get("body") or row.get("lock_reason") or row.get("state") or "")
