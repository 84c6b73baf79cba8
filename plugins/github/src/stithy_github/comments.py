"""What is said in the conversation of an issue or a pull request (docs/forge-behaviour/github.md)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from stithy_core.spi import Comment, Comments, IssueRef, Listing, NotFound, Reaction, Unknown
from stithy_github.absence import absent
from stithy_github.comments_mapping import to_comment
from stithy_github.counting import PAGE
from stithy_github.folding import folded_away
from stithy_github.mapping import REACTIONS, issue_path, path_of
from stithy_github.writing import find_sent, same_text, since_when, stamp, writing_to


class GitHubComments(Comments):
    """Conversations."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first, as GitHub lists it."""
        path = f"{issue_path(subject)}/comments"
        try:
            rows = await self.forge.http.items(path, size=PAGE, since=stamp(since) if since else "")
        except NotFound as error:
            raise await absent(self.forge, subject, error) from error
        return rows.map(to_comment)

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Read one comment."""
        return to_comment(await self._belonging(subject, comment))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment; when the answer is lost, the conversation is read back."""
        return await self.forge.outbox.write(
            (str(subject).lower(), body),
            self.forge.http.now(),
            lambda: self._post(subject, body),
            lambda since: self._find(subject, body, since),
            read=to_comment,
        )

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Put another text in a comment's place; when the answer is lost, it is read back."""
        await self._belonging(subject, comment)

        async def send() -> Any:
            async with writing_to(self.forge, subject):
                path = _path(subject, comment)
                return await self.forge.http.send("PATCH", path, {"body": body}, idempotent=True, shape=dict)

        async def find() -> Comment | None:
            found = await self.get(subject, comment)
            return found if same_text(found.body, body) else None

        return await self.forge.outbox.confirm(send, find, read=to_comment)

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Count the emoji that answered a comment; old servers give them one by one."""
        counted = (await self.get(subject, comment)).reactions
        if not isinstance(counted, Unknown):
            return counted
        rows = await self.forge.http.items(f"{_path(subject, comment)}/reactions", size=PAGE)
        given = [row["content"] for row in rows]
        return tuple(Reaction(word, given.count(word)) for word in REACTIONS if word in given)

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:
        """Read what is folded away of a conversation, in one question for a hundred comments and reviews."""
        return await folded_away(self.forge, subject)

    async def _belonging(self, subject: IssueRef, comment: str) -> Any:
        """Read a comment's JSON; ids are the whole repository's, so its conversation is checked.

        Raises:
            NotFound: There is none of that id, or it is of another conversation.
        """
        remedy = "Read the conversation: it has the ids. What stands in the diff is read as threads."
        missing = NotFound(f"the conversation of {subject} has no comment {comment}", suggestion=remedy)
        if not comment.isdecimal():
            raise missing
        try:
            raw = await self.forge.http.get(_path(subject, comment), shape=dict)
        except NotFound as error:
            missing.details = error.details
            raise missing from error
        if not raw["issue_url"].endswith(f"/issues/{subject.number}"):
            raise missing
        return raw

    async def _post(self, subject: IssueRef, body: str) -> Any:
        path = f"{issue_path(subject)}/comments"
        try:
            async with writing_to(self.forge, subject):
                return await self.forge.http.send("POST", path, {"body": body}, shape=dict)
        except NotFound as error:
            raise await absent(self.forge, subject, error) from error

    async def _find(self, subject: IssueRef, body: str, since: datetime) -> Comment | None:
        earliest = since_when(since)
        return await find_sent(self.forge, await self.list(subject, since=earliest), body, earliest)


def _path(subject: IssueRef, comment: str) -> str:
    return f"{path_of(subject.repository)}/issues/comments/{comment}"
