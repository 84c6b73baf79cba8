"""Comments of issues and merge requests, which GitLab calls notes (docs/forge-behaviour/gitlab.md#notes)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from stithy_core.spi import Comment, Comments, IssueRef, Listing, NotFound, Reaction, User, or_unknown
from stithy_gitlab.gitlab_mapping import Json, is_merge_request, to_comment
from stithy_gitlab.gitlab_projects import (
    describe_subject,
    explain_refused_write,
    list_subject_rows,
    name_missing,
    read_subject,
    refuse_blank,
    subject_path,
)
from stithy_gitlab.quick_actions import (
    find_quick_actions,
    refuse_missing_note,
    refuse_quick_actions,
    remove_quick_actions,
)

if TYPE_CHECKING:
    from stithy_core.spi import Forge

C = TypeVar("C", bound=Comment)

MARGIN = timedelta(seconds=2)
"""The server's clock is known from a header that has whole seconds."""
MERGE, MERGE_SHA = "merge", "merge_request_diff_head_sha"
"""`/merge` needs the head that is to be merged beside it: https://docs.gitlab.com/api/notes/."""
DIFF_NOTE, DISCUSSION_NOTE = "DiffNote", "DiscussionNote"


def is_thread_note(raw: Json) -> bool:
    """Return whether a note of a merge request is in a thread: at a place in the code, or in one to be resolved."""
    return raw.get("type") == DIFF_NOTE or (raw.get("type") == DISCUSSION_NOTE and raw.get("resolvable") is True)


def is_conversation_note(raw: Json) -> bool:
    """Return whether a note is a general comment; on an issue every note of a person is."""
    is_threaded = raw.get("noteable_type") == "MergeRequest" and is_thread_note(raw)
    return not raw.get("system") and not is_threaded


async def read_notes(forge: "Forge", subject: IssueRef, **query: Any) -> Listing[Json]:
    """Read all notes, oldest first: by default GitLab lists the newest first."""
    return await list_subject_rows(forge, subject, "notes", sort="asc", order_by="created_at", **query)


class GitLabComments(Comments):
    """Conversations."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first, without events and threads."""
        rows = await read_notes(self.forge, subject, activity_filter="only_comments")
        mine = [row for row in rows if is_conversation_note(row)]
        page, api = find_page(self.forge, subject), find_notes_url(self.forge, subject)
        comments = [to_comment(row, page, api) for row in mine]
        found = tuple(one for one in comments if since is None or one.updated_at >= since)
        return Listing(found, cut=rows.cut)

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Read one comment."""
        return self._to_comment(subject, await self._require_note(subject, comment))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment; quick actions need the caller's permission. When the answer is lost, the conversation is read.

        Of a text of nothing but quick actions, nothing can be read back.

        Raises:
            CarriedOut: GitLab carried the text out, and stored no comment.
        """
        refuse_blank(body)
        refuse_quick_actions(body)
        return await self.forge.outbox.write(
            (str(subject).lower(), body),
            self.forge.http.now(),
            lambda: self._post(subject, body),
            lambda since: self._find(subject, body, since),
            read=lambda raw: self._to_comment(subject, raw),
        )

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Replace a comment's text. A text with quick actions is always refused: GitLab might delete the comment."""
        refuse_blank(body)
        refuse_quick_actions(body, edits=True)
        await self._require_note(subject, comment)

        async def send() -> Any:
            async with explain_refused_write(self.forge, subject):
                path = f"{subject_path(subject)}/notes/{comment}"
                return await self.forge.http.send("PUT", path, {"body": body}, idempotent=True, shape=dict)

        async def find() -> Comment | None:
            found = await self.get(subject, comment)
            return found if is_same_text(found.body, body) else None

        return await self.forge.outbox.confirm(send, find, read=lambda raw: self._to_comment(subject, raw))

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Return how often each emoji was used on a comment, by GitLab's name: `thumbsup`."""
        await self._require_note(subject, comment)
        rows = await list_subject_rows(self.forge, subject, f"notes/{comment}/award_emoji")
        return [Reaction(content=name, count=count) for name, count in Counter(row["name"] for row in rows).items()]

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:  # noqa: ARG002 -- nothing is, anywhere
        """Return an empty mapping: GitLab minimizes no comments."""
        return {}

    def _to_comment(self, subject: IssueRef, raw: Json) -> Comment:
        return to_comment(raw, find_page(self.forge, subject), find_notes_url(self.forge, subject))

    async def _post(self, subject: IssueRef, body: str) -> Any:
        sent = {"body": body}
        if MERGE in find_quick_actions(body) and is_merge_request(subject):
            sent[MERGE_SHA] = (await read_subject(self.forge, subject)).get("sha") or ""
        async with (
            explain_refused_write(self.forge, subject),
            name_missing(self.forge, subject.repository, describe_subject(subject)),
        ):
            raw = await self.forge.http.send("POST", f"{subject_path(subject)}/notes", sent, shape=dict)
        refuse_missing_note(body, raw)
        return raw

    async def _find(self, subject: IssueRef, body: str, since: datetime) -> Comment | None:
        return await find_own_comment(self.forge, await self.list(subject, since=since - MARGIN), body, since)

    async def _require_note(self, subject: IssueRef, comment: str) -> Json:
        """Read the JSON of a comment of this conversation.

        Raises:
            NotFound: The id is unknown, or that of an event or of a note in a thread.
        """
        if not (comment.isascii() and comment.isdigit()):
            raise _missing(subject, comment, "ids of comments are numbers")
        try:
            raw: Json = await self.forge.http.get(f"{subject_path(subject)}/notes/{comment}", shape=dict)
        except NotFound as error:
            await read_subject(self.forge, subject)
            raise _missing(subject, comment, "it has none of that id", error) from error
        if not is_conversation_note(raw):
            raise _missing(subject, comment, "it is an event" if raw.get("system") else "it is in a thread")
        return raw


def find_page(forge: "Forge", subject: IssueRef) -> str:
    """Return the page of an issue or a merge request, which its notes are on."""
    names = forge.names
    path = (
        names.format_pull_request_path(names.create_pull_request_ref(subject.repository, subject.number))
        if is_merge_request(subject)
        else names.format_issue_path(subject)
    )
    return f"{forge.config.url}/{path}"


def find_notes_url(forge: "Forge", subject: IssueRef) -> str:
    """Return the URL of the notes of an issue or a merge request in the API."""
    return f"{forge.dialect.api(forge.config.url)}{subject_path(subject)}/notes"


def is_same_text(stored: str, sent: str) -> bool:
    """Return whether a stored text is the one that was sent: GitLab strips white space and removes quick actions."""
    return stored == sent or stored.strip() in {sent.strip(), remove_quick_actions(sent)}


async def find_own_comment(forge: "Forge", comments: Iterable[C], body: str, since: datetime) -> C | None:
    """Return a comment of the token's user with this text, created since a time; None without one."""
    me = await or_unknown(forge.identity.me())
    for one in comments:
        is_own = not isinstance(me, User) or one.author.is_same_account(me)
        if is_own and is_same_text(one.body, body) and one.created_at >= since - MARGIN:
            return one
    return None


def _missing(subject: IssueRef, comment: str, reason: str, error: NotFound | None = None) -> NotFound:
    text = f"{subject} has no comment {comment}: {reason}; nothing was changed"
    remedy = "Read the conversation: it has the ids of its comments."
    return NotFound(text, suggestion=remedy, details=error.details if error else None)
