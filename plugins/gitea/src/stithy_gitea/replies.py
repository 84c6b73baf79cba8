"""Answering in a thread, as natively as a server lets us (docs/forge-behaviour/gitea.md#replies-and-resolution)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import (
    UNREADABLE,
    Conflict,
    ForgeError,
    Reply,
    ReviewComment,
    Thread,
    Unclear,
    Unsupported,
    User,
)
from stithy_gitea.inline import Talk, to_review_comment
from stithy_gitea.paths import pull_path, review_path
from stithy_gitea.places import place_of
from stithy_gitea.readback import author, learn
from stithy_gitea.reviews import PENDING, read_inline
from stithy_gitea.server import IN_REVIEW, REPLIES, posts_to

if TYPE_CHECKING:
    from stithy_core.spi import Forge

WITHIN = (
    "put into the review of the thread's first comment, since this server has no route for replies;"
    " Forgejo 14 and 15 notify nobody of it, not even who is mentioned"
)
BESIDE = (
    "posted as a review of its own at the same line, since this server has no route for replies;"
    " it counts as a review, and where the line has changed since, it may stand apart from the thread"
)


class Way:
    """A way to answer in one thread; `text` says what it lacks, and `sent` whether an answer was sent."""

    text = ""

    def __init__(self, forge: "Forge", talk: Talk, thread: Thread) -> None:
        self.forge, self.talk, self.thread = forge, talk, thread
        self.sent = False

    def path(self) -> str:
        """Say where to post."""
        raise NotImplementedError

    def sending(self, body: str) -> dict[str, Any]:
        """Give the JSON to post."""
        raise NotImplementedError

    async def post(self, body: str) -> Reply:
        """Send an answer, once.

        Raises:
            Unclear: It was sent, and what the server answered is not what its API describes.
        """
        raw = await self._send(body)
        try:
            return await self.made(raw, body)
        except UNREADABLE as error:
            text = f"the answer to the reply is not what the API promises ({type(error).__name__})"
            raise Unclear(text) from error

    async def made(self, raw: Mapping[str, Any], body: str) -> Reply:  # noqa: ARG002 -- one way has to look for it
        """Read an answer, which joined the review of the thread's first comment, and is a draft where that is one."""
        root = self.thread.comments[0]
        review = {"state": PENDING if root.pending else "", "commit_id": root.commit}
        return self.reply(to_review_comment(raw, review))

    def reply(self, comment: ReviewComment) -> Reply:
        """Give the answer that was posted, or found."""
        return Reply(comment=comment, thread=self.thread.id, way=self.text, repeated=not self.sent)

    async def _send(self, body: str) -> dict[str, Any]:
        self.sent = True
        raw: dict[str, Any] = await self.forge.http.send("POST", self.path(), self.sending(body), shape=dict)
        await learn(self.forge, raw)
        return raw

    def _comment(self, body: str) -> dict[str, Any]:
        side = "old_position" if self.thread.side == "LEFT" else "new_position"
        return {"path": self.thread.path, "body": body, side: self.thread.line or 0}


class Native(Way):
    """By the route for replies: Gitea from 1.27."""

    def path(self) -> str:
        """Say where to post."""
        return f"{pull_path(self.talk.pr)}/comments/{self.thread.id}/replies"

    def sending(self, body: str) -> dict[str, Any]:
        """Give the JSON to post."""
        return {"body": body}


class Within(Way):
    """Into the review of the first comment: Forgejo, which takes any text for any file there."""

    text = WITHIN

    def path(self) -> str:
        """Say where to post."""
        return f"{review_path(self.talk.pr, self.thread.comments[0].review)}/comments"

    def sending(self, body: str) -> dict[str, Any]:
        """Give the JSON to post."""
        return self._comment(body)


class Beside(Way):
    """As a review of its own: Gitea up to 1.26."""

    text = BESIDE

    def path(self) -> str:
        """Say where to post."""
        return f"{pull_path(self.talk.pr)}/reviews"

    def sending(self, body: str) -> dict[str, Any]:
        """Give the JSON to post."""
        return {"event": "COMMENT", "body": "", "comments": [self._comment(body)]}

    async def post(self, body: str) -> Reply:
        """Send an answer, once.

        Raises:
            Conflict: The user has a draft, which sending any review would publish; nothing was written.
        """
        await self._refuse_draft()
        return await super().post(body)

    async def made(self, raw: Mapping[str, Any], body: str) -> Reply:
        """Find the answer among the comments of the review that it became.

        Raises:
            Unclear: It was sent, and is not to be found there.
        """
        try:
            rows = await read_inline(self.forge, self.talk.pr, raw)
        except ForgeError as error:
            raise Unclear(f"the reply was sent, but not read back: {error.message}", details=error.details) from error
        place = (self.thread.path, self.thread.side, self.thread.line or 0)
        found = [row for row in rows if row.get("body") == body and place_of(row) == place]
        if not found:
            raise Unclear(f"the reply was sent, but review {raw['id']} does not show it")
        return self.reply(to_review_comment(max(found, key=lambda row: row["id"]), raw))

    async def _refuse_draft(self) -> None:
        drafts = [review for review in self.talk.reviews if review.get("state") == PENDING]
        me = await author(self.forge) if drafts else None
        for draft in drafts:
            theirs = isinstance(me, User) and str((draft.get("user") or {}).get("id")) != me.id
            if not theirs:
                raise Conflict(
                    f"you have a draft review on {self.talk.pr}, which a reply would publish; nothing was sent",
                    suggestion=f"Submit or delete the draft first: {draft.get('html_url') or ''}".rstrip(": "),
                )


async def way_to(forge: "Forge", talk: Talk, thread: Thread) -> Way:
    """Choose how to answer in a thread.

    Raises:
        Unsupported: It is about a whole file, which only the route for replies can answer.
    """
    if await posts_to(forge, REPLIES):
        return Native(forge, talk, thread)
    if thread.line is None:
        text = f"{forge.config.alias} can only answer at a line, and thread {thread.id} is about a whole file"
        raise Unsupported(text, suggestion=f"Answer on its web page: {thread.comments[0].url}")
    return (Within if await posts_to(forge, IN_REVIEW) else Beside)(forge, talk, thread)
