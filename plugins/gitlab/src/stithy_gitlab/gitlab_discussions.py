"""Threads, which GitLab calls discussions (docs/forge-behaviour/gitlab.md#threads)."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import evolve

from stithy_core.spi import (
    NOT_REPORTED,
    CommentBlock,
    Conversation,
    Forbidden,
    Listing,
    Maybe,
    NotFound,
    PullRequestRef,
    Reply,
    ReviewComment,
    Thread,
    Threads,
    Unknown,
    User,
    find_thread,
    or_unknown,
)
from stithy_gitlab.gitlab_mapping import Json, read_comment_fields, to_comment, to_user
from stithy_gitlab.gitlab_notes import (
    find_notes_url,
    find_own_comment,
    find_page,
    is_conversation_note,
    is_same_text,
    is_thread_note,
)
from stithy_gitlab.gitlab_projects import (
    explain_refused_write,
    list_subject_rows,
    read_merge_request,
    read_together,
    refuse_blank,
    subject_path,
)
from stithy_gitlab.quick_actions import refuse_missing_note, refuse_quick_actions

if TYPE_CHECKING:
    from stithy_core.spi import Forge

SHAS = ("base_sha", "start_sha", "head_sha")
PREPARING = Unknown("GitLab still prepares the diff of the merge request", "Read it again in a few seconds.")
OF_COMMIT = Unknown("the thread is on a single commit, and GitLab does not report whether its code has changed since")


class GitLabThreads(Threads):
    """Discussions that have a place in the code or can be resolved."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Return all threads; the merge request tells which are outdated."""
        raw, rows = await read_together(
            lambda: read_merge_request(self.forge, pr), lambda: list_subject_rows(self.forge, pr, "discussions")
        )
        return map_threads(self.forge, pr, raw, rows)

    async def get(self, pr: PullRequestRef, thread: str) -> Thread:
        """Return a thread, by its id or that of any note in it."""
        found = find_thread(await self.list(pr), thread)
        if found is None:
            remedy = "Read its threads: they have their ids, and those of their comments."
            raise NotFound(f"{pr} has no thread {thread}; nothing was written", suggestion=remedy)
        return found

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Reply in a thread; quick actions need the caller's permission. A lost answer makes it read the thread back.

        Raises:
            CarriedOut: GitLab carried the text out, and stored no reply.
        """
        refuse_blank(body)
        refuse_quick_actions(body)
        found = await self.get(pr, thread)
        if unless_since and (given := await self._find_reply(found, body, unless_since)):
            return Reply(comment=given, thread=found.id, repeated=True)

        async def find(since: datetime) -> Reply | None:
            rest = (await self.get(pr, found.id)).comments[1:]
            comment = await find_own_comment(self.forge, rest, body, since)
            return None if comment is None else Reply(comment=comment, thread=found.id, repeated=True)

        return await self.forge.outbox.write(
            (str(pr).lower(), "thread", found.id, body),
            self.forge.http.now(),
            lambda: self._post(pr, found.id, body),
            find,
            read=lambda raw: Reply(
                comment=_to_review_comment(raw, find_page(self.forge, pr), find_notes_url(self.forge, pr)),
                thread=found.id,
            ),
        )

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Resolve a thread, with all its notes."""
        return await self._mark(pr, thread, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Reopen a resolved thread."""
        return await self._mark(pr, thread, resolved=False)

    async def _find_reply(self, thread: Thread, body: str, since: datetime) -> ReviewComment | None:
        """Return an own reply with this text since a time; that of another user must not suppress this one."""
        begin = since.replace(microsecond=0)
        same = [one for one in thread.comments[1:] if is_same_text(one.body, body) and one.created_at >= begin]
        me = await or_unknown(self.forge.identity.me()) if same else None
        return next((one for one in same if isinstance(me, User) and one.author.is_same_account(me)), None)

    async def _post(self, pr: PullRequestRef, thread: str, body: str) -> Any:
        path = f"{subject_path(pr)}/discussions/{thread}/notes"
        async with explain_refused_write(self.forge, pr):
            raw = await self.forge.http.send("POST", path, {"body": body}, shape=dict)
        refuse_missing_note(body, raw)
        return raw

    async def _mark(self, pr: PullRequestRef, thread: str, *, resolved: bool) -> Thread:
        found = await self.get(pr, thread)
        if found.resolved is resolved:
            return evolve(found, unchanged=True)
        if not isinstance(found.resolved, bool):
            text = f"thread {found.id} of {pr} cannot be resolved"
            raise Forbidden(text, suggestion="Only threads of the merge request itself can, not those of a commit.")

        async def send() -> None:
            async with explain_refused_write(self.forge, pr):
                path = f"{subject_path(pr)}/discussions/{found.id}"
                await self.forge.http.send("PUT", path, {"resolved": resolved}, idempotent=True, shape=dict)

        async def find() -> Thread | None:
            present = await self.get(pr, found.id)
            return present if present.resolved is resolved else None

        return await self.forge.outbox.confirm(send, find)


def map_threads(forge: "Forge", pr: PullRequestRef, raw: Json, rows: Listing[Json]) -> Listing[Thread]:
    """Return those discussions that are threads; `raw` is the merge request's JSON."""
    page, api = find_page(forge, pr), find_notes_url(forge, pr)
    found = [to_thread(row, page, api, raw.get("diff_refs")) for row in rows if is_thread(row)]
    return Listing(tuple(sorted(found, key=lambda thread: thread.sort_key)), cut=rows.cut)


async def read_conversation(forge: "Forge", pr: PullRequestRef) -> Conversation:
    """Read what people wrote; the list of discussions has all notes, those of the conversation too."""
    raw, rows, reviews, viewer = await read_together(
        lambda: read_merge_request(forge, pr),
        lambda: list_subject_rows(forge, pr, "discussions"),
        lambda: forge.reviews.list(pr),
        forge.identity.me,
    )
    page, api = find_page(forge, pr), find_notes_url(forge, pr)
    notes = [note for row in rows if not is_thread(row) for note in row["notes"] if is_conversation_note(note)]
    comments = sorted((to_comment(note, page, api) for note in notes), key=lambda one: (one.created_at, int(one.id)))
    return Conversation(
        viewer=viewer,
        threads=map_threads(forge, pr, raw, rows),
        reviews=reviews,
        newest=CommentBlock(comments=Listing(tuple(comments), total=len(comments), cut=rows.cut), before=""),
        minimized={},
    )


def is_thread(row: Json) -> bool:
    """Return whether a discussion is a thread; the others are plain comments and events."""
    notes = row["notes"]
    return bool(notes) and not notes[0].get("system") and is_thread_note(notes[0])


def to_thread(row: Json, page: str, api: str, diff_refs: Json | None) -> Thread:
    """Map a discussion.

    Args:
        row: Its JSON.
        page: The page of its merge request.
        api: The URL of the merge request's notes in the API.
        diff_refs: The commits of the merge request's present diff; None while it is prepared.
    """
    notes = [note for note in row["notes"] if not note.get("system")]
    position = notes[0].get("position") or {}
    side = "RIGHT" if position.get("new_line") or not position.get("old_line") else "LEFT"
    line = position.get("new_line" if side == "RIGHT" else "old_line")
    return Thread(
        id=str(row["id"]),
        path=position.get("new_path" if side == "RIGHT" else "old_path") or position.get("old_path"),
        line=line,
        side=side,
        start_line=_find_start(position, side, line),
        comments=tuple(_to_review_comment(note, page, api) for note in notes),
        outdated=_is_outdated(notes[0], position, diff_refs),
        **_read_resolution(notes),
    )


def _find_start(position: Json, side: str, line: int | None) -> int | None:
    start = ((position.get("line_range") or {}).get("start")) or {}
    first: int | None = start.get("new_line" if side == "RIGHT" else "old_line")
    return first if first != line else None


def _read_resolution(notes: list[Json]) -> dict[str, Any]:
    """Return whether all notes that can be resolved are, and who resolved the last one."""
    able = [note for note in notes if note.get("resolvable")]
    if not able:
        return {"resolved": NOT_REPORTED, "resolved_by": None}
    is_resolved = all(note.get("resolved") is True for note in able)
    last = able[-1].get("resolved_by") if is_resolved else None
    return {"resolved": is_resolved, "resolved_by": to_user(last) if last else None}


def _is_outdated(note: Json, position: Json, diff_refs: Json | None) -> Maybe[bool]:
    """Return whether the code has changed since.

    GitLab moves the position to the new commits when a push leaves the line as it is, and leaves it otherwise.
    """
    if not position:
        return False
    if note.get("commit_id"):
        return OF_COMMIT
    if not diff_refs:
        return PREPARING
    return any(position.get(sha) != diff_refs.get(sha) for sha in SHAS)


def _to_review_comment(note: Json, page: str, api: str) -> ReviewComment:
    commit = (note.get("position") or {}).get("head_sha") or note.get("commit_id") or ""
    return ReviewComment(commit=commit, **read_comment_fields(note, page, api))
