"""Issues, and the timelines of issues and merge requests."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from stithy_core.spi import Event, Issue, IssueRef, Issues, Listing, NotFound, RepositoryRef
from stithy_gitlab.gitlab_mapping import Json, is_merge_request, to_issue, to_time, to_user
from stithy_gitlab.gitlab_notes import find_page, is_conversation_note, read_notes
from stithy_gitlab.gitlab_projects import (
    PAGE,
    list_subject_rows,
    name_missing,
    page_query,
    project_path,
    read_subject,
    read_together,
)

STATES = {"open": "opened", "closed": "closed", "all": "all"}
CLOSED_WORDS = {"closed": "closed", "reopened": "reopened", "merged": "merged", "locked": "locked"}
SYSTEM_NOTES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(form))
    for kind, form in (
        ("pushed", r"added \d+ commits?"),
        ("review_requested", "requested review from "),
        ("review_request_removed", "removed review request for "),
        ("assigned", "assigned to "),
        ("unassigned", "unassigned "),
        ("renamed", r"changed title from "),
        ("base_changed", "changed target branch from "),
        ("converted_to_draft", "marked this merge request as .{0,5}draft"),
        ("ready_for_review", "marked this merge request as .{0,5}ready"),
        ("referenced", "mentioned in "),
        ("locked", "locked "),
        ("unlocked", "unlocked "),
    )
)
"""Kinds of events that GitLab has as texts only. A text in another language keeps GitLab's own kind."""
OWN_KIND = "system_note"


class GitLabIssues(Issues):
    """Issues, which are numbered apart from merge requests."""

    async def get(self, issue: IssueRef) -> Issue:
        """Return an issue; for a merge request, what it has of one."""
        if is_merge_request(issue):
            return to_issue(await read_subject(self.forge, issue), issue.repository)
        query: dict[str, Any] = {"iids[]": issue.number, "state": "all", "with_labels_details": "true"}
        async with name_missing(self.forge, issue.repository):  # only lists have the details of labels
            rows = await self.forge.http.get(f"{project_path(issue.repository)}/issues", shape=list, **query)
        if not rows:
            text = f"{issue.repository} has no issue {issue.number}, or the token may not see it"
            raise NotFound(text, suggestion="Check the number: issues and merge requests are numbered apart.")
        return to_issue(rows[0], issue.repository)

    async def list(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """List issues, the newest first."""
        query: dict[str, Any] = {"state": STATES[state], "order_by": "created_at", "sort": "desc"}
        async with name_missing(self.forge, repository):
            found = await self.forge.http.items(
                f"{project_path(repository)}/issues",
                size=PAGE,
                most=most,
                with_labels_details="true",
                **page_query(),
                **query,
            )
        return found.map(lambda raw: to_issue(raw, repository))

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Return the events of four lists: notes, and the changes of state, labels and milestone."""
        reads: tuple[Callable[[], Any], ...] = (
            lambda: read_notes(self.forge, issue),
            *(lambda name=name: list_subject_rows(self.forge, issue, f"resource_{name}_events") for name in RESOURCES),
        )
        page = find_page(self.forge, issue)
        notes, *others = await read_together(*reads)
        events = [_map_note(row, page) for row in notes]
        for (name, create), rows in zip(RESOURCES.items(), others, strict=True):
            events += [create(row, f"{name}-{row['id']}") for row in rows]
        events.sort(key=lambda event: (event.at, event.id))
        cut = next((rows.cut for rows in (notes, *others) if rows.cut), "")
        if len(events) > most:
            cut = f"only the first {most:,} of {len(events):,} events are listed"
        return Listing(tuple(events[:most]), cut=cut)


def _map_note(raw: Json, page: str) -> Event:
    text = raw["body"]
    if raw.get("system"):
        kind: str = next((word for word, form in SYSTEM_NOTES if form.match(text)), OWN_KIND)
    else:
        kind = "commented" if is_conversation_note(raw) else "review_commented"
    return Event(
        id=f"note-{raw['id']}",
        kind=kind,
        at=to_time(raw["created_at"]),
        actor=to_user(raw.get("author")),
        text=text,
        subject="" if raw.get("system") else str(raw["id"]),
        url=f"{page}#note_{raw['id']}",
        raw=OWN_KIND if raw.get("system") else raw.get("type") or "Note",
    )


def _map_state(raw: Json, key: str) -> Event:
    word = raw["state"]
    kind = CLOSED_WORDS[word] if word in CLOSED_WORDS else str(word)
    return Event(id=key, kind=kind, at=to_time(raw["created_at"]), actor=_find_actor(raw), raw=word)


def _map_label(raw: Json, key: str) -> Event:
    kind = "labeled" if raw["action"] == "add" else "unlabeled"
    label = (raw.get("label") or {}).get("name") or ""  # null after the label was deleted
    at = to_time(raw["created_at"])
    return Event(id=key, kind=kind, at=at, actor=_find_actor(raw), text=label, raw=f"label {raw['action']}")


def _map_milestone(raw: Json, key: str) -> Event:
    kind = "milestoned" if raw["action"] == "add" else "demilestoned"
    title = (raw.get("milestone") or {}).get("title") or ""
    at = to_time(raw["created_at"])
    return Event(id=key, kind=kind, at=at, actor=_find_actor(raw), text=title, raw=f"milestone {raw['action']}")


def _find_actor(raw: Json) -> Any:
    return to_user(raw["user"]) if raw.get("user") else None


RESOURCES: Mapping[str, Callable[[Json, str], Event]] = {
    "state": _map_state,
    "label": _map_label,
    "milestone": _map_milestone,
}
"""The lists of events, by the word in their path, with what creates an event of a row."""
