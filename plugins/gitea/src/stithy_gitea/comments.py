"""What is said in the conversation of an issue or a pull request: one and the same to the API.

No way exists to read a part of a conversation: `page` and `limit` are ignored there. Ids of comments are those of the
whole instance, and events and inline comments have them, too (docs/forge-behaviour/gitea.md#conversations).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from stithy_core.spi import (
    Comment,
    Comments,
    IssueRef,
    Listing,
    NotFound,
    PullRequestRef,
    Reaction,
    Unknown,
    or_unknown,
)
from stithy_gitea.ids import event_of, is_id, read_comment
from stithy_gitea.mapping import to_comment, to_repository_ref, to_subject
from stithy_gitea.readback import as_query, earliest_time, find_own_comment, record_token_user
from stithy_gitea.subjects import (
    ABSENT,
    comment_path,
    explain_refused_write,
    issue_path,
    name_missing_subject,
    path_of,
    refuse_blank,
)


class GiteaComments(Comments):
    """Conversations."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first."""
        async with name_missing_subject(self.forge, subject):
            query: dict[str, Any] = {"since": as_query(since)} if since else {}
            rows = await self.forge.http.get(f"{issue_path(subject)}/comments", shape=list, **query)
        return Listing(tuple(self._to_comment(subject, row) for row in rows), total=None if since else len(rows))

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Read one comment."""
        return self._to_comment(subject, await self._require_comment(subject, comment))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment; when the answer is lost, the conversation is read back."""
        refuse_blank(body)
        return await self.forge.outbox.write(
            (str(subject).lower(), body),
            self.forge.http.now(),
            lambda: self._post(subject, body),
            lambda since: self._find(subject, body, since),
            read=lambda raw: self._to_comment(subject, raw),
        )

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Replace a comment's text; the route itself would edit any comment of the instance."""
        refuse_blank(body)
        await self._require_comment(subject, comment)
        path = comment_path(subject.repository, comment)

        async def send() -> Any:
            async with explain_refused_write(self.forge, subject):
                return await self.forge.http.send("PATCH", path, {"body": body}, idempotent=True, shape=dict)

        async def find() -> Comment | None:
            found = await self.get(subject, comment)
            return found if found.body == body else None

        return await self.forge.outbox.confirm(send, find, read=lambda raw: self._to_comment(subject, raw))

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Return how often each emoji was used on a comment, in the order of their first use."""
        await self._require_comment(subject, comment)
        path = f"{comment_path(subject.repository, comment)}/reactions"
        rows = await self.forge.http.get(path, shape=list, or_null=True) or ()
        return [
            Reaction(content=content, count=count) for content, count in Counter(row["content"] for row in rows).items()
        ]

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:  # noqa: ARG002 -- nothing is, anywhere
        """Return an empty mapping: neither server minimizes comments."""
        return {}

    def _to_comment(self, subject: IssueRef, raw: Mapping[str, Any]) -> Comment:
        return to_comment(raw, f"{self.forge.config.url}{comment_path(subject.repository, raw['id'])}")

    async def _post(self, subject: IssueRef, body: str) -> Any:
        async with name_missing_subject(self.forge, subject), explain_refused_write(self.forge, subject):
            raw = await self.forge.http.send("POST", f"{issue_path(subject)}/comments", {"body": body}, shape=dict)
        await record_token_user(self.forge, raw)
        return raw

    async def _find(self, subject: IssueRef, body: str, since: datetime) -> Comment | None:
        return await find_own_comment(self.forge, await self.list(subject, since=earliest_time(since)), body, since)

    async def _require_comment(self, subject: IssueRef, comment: str) -> dict[str, Any]:
        """Read a comment's JSON, and check that it belongs to this conversation.

        Raises:
            NotFound: It does not; the message says what it is instead, if that can be determined.
        """
        if not is_id(comment):
            raise _none(subject, comment, "ids of comments are numbers")
        try:
            async with name_missing_subject(self.forge, subject):
                raw = await read_comment(self.forge, subject.repository, comment)
        except NotFound as error:
            raise _none(subject, comment, "the repository has none of that id", error) from error
        if raw is None:
            raise _none(subject, comment, await self._instead(subject, comment))
        place = to_subject(raw)
        if place is None or not await self._is(place, subject):
            raise _none(subject, comment, f"it belongs to {place}" if place else "the server does not say to what")
        return raw

    async def _is(self, place: IssueRef, subject: IssueRef) -> bool:
        if place.number != subject.number or (isinstance(subject, PullRequestRef) and type(place) is IssueRef):
            return False
        if str(place).lower() == str(subject).lower():
            return True
        present = to_repository_ref(await self.forge.http.get(path_of(subject.repository), shape=dict))
        return str(present).lower() == str(place.repository).lower()

    async def _instead(self, subject: IssueRef, comment: str) -> str:
        """Return what an id belongs to that is not a comment of the conversation."""
        if event := await event_of(self.forge, subject, comment):
            return event
        threads = await or_unknown(self.forge.threads.list(PullRequestRef(subject.repository, subject.number)))
        for thread in () if isinstance(threads, Unknown) else threads:
            if thread.named(comment):
                return f"it stands in the diff, in thread {thread.id}"
        return "it is an event or an inline comment of another conversation"


def _none(subject: IssueRef, comment: str, reason: str, error: NotFound | None = None) -> NotFound:
    text = f"{subject} has no comment {comment}: {reason}; nothing was changed"
    remedy = "Read the conversation: it has the ids of its comments."
    return NotFound(text, suggestion=remedy, details=error.details if error else {"status": ABSENT})
