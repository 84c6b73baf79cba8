"""Replies in threads, by the best route that a server has (docs/forge-behaviour/gitea.md#replies-and-resolution)."""

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
from stithy_gitea.inline import PullRequestReviews, to_review_comment
from stithy_gitea.places import place_of
from stithy_gitea.readback import record_token_user, token_user
from stithy_gitea.reviews import PENDING, read_inline
from stithy_gitea.server import IN_REVIEW, REPLIES, has_post_route
from stithy_gitea.subjects import pull_path, review_path

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


class ReplyRoute:
    """A route for replies in one thread; `text` describes its limits, and `sent` says whether a reply was sent."""

    text = ""

    def __init__(self, forge: "Forge", talk: PullRequestReviews, thread: Thread) -> None:
        self.forge, self.talk, self.thread = forge, talk, thread
        self.sent = False

    def path(self) -> str:
        """Return the path to post to."""
        raise NotImplementedError

    def payload(self, body: str) -> dict[str, Any]:
        """Return the JSON to post."""
        raise NotImplementedError

    async def post(self, body: str) -> Reply:
        """Post a reply, once.

        Raises:
            Unclear: The reply was sent, and the response does not match the API's description.
        """
        raw = await self._send(body)
        try:
            return await self.to_reply(raw, body)
        except UNREADABLE as error:
            text = f"the response to the reply does not match the API ({type(error).__name__})"
            raise Unclear(text) from error

    async def to_reply(self, raw: Mapping[str, Any], body: str) -> Reply:  # noqa: ARG002 -- an override needs it
        """Map the response: the reply joins the review of the thread's first comment, and is a draft if that is."""
        root = self.thread.comments[0]
        review = {"state": PENDING if root.pending else "", "commit_id": root.commit}
        return self.reply(to_review_comment(raw, review))

    def reply(self, comment: ReviewComment) -> Reply:
        """Return the reply that was posted or found."""
        return Reply(comment=comment, thread=self.thread.id, way=self.text, repeated=not self.sent)

    async def _send(self, body: str) -> dict[str, Any]:
        self.sent = True
        raw: dict[str, Any] = await self.forge.http.send("POST", self.path(), self.payload(body), shape=dict)
        await record_token_user(self.forge, raw)
        return raw

    def _comment(self, body: str) -> dict[str, Any]:
        side = "old_position" if self.thread.side == "LEFT" else "new_position"
        return {"path": self.thread.path, "body": body, side: self.thread.line or 0}


class NativeReply(ReplyRoute):
    """By the route for replies: Gitea from 1.27."""

    def path(self) -> str:
        """Return the path to post to."""
        return f"{pull_path(self.talk.pr)}/comments/{self.thread.id}/replies"

    def payload(self, body: str) -> dict[str, Any]:
        """Return the JSON to post."""
        return {"body": body}


class ReviewReply(ReplyRoute):
    """Into the review of the first comment: Forgejo, which takes any text for any file there."""

    text = WITHIN

    def path(self) -> str:
        """Return the path to post to."""
        return f"{review_path(self.talk.pr, self.thread.comments[0].review)}/comments"

    def payload(self, body: str) -> dict[str, Any]:
        """Return the JSON to post."""
        return self._comment(body)


class SeparateReview(ReplyRoute):
    """As a review of its own: Gitea up to 1.26."""

    text = BESIDE

    def path(self) -> str:
        """Return the path to post to."""
        return f"{pull_path(self.talk.pr)}/reviews"

    def payload(self, body: str) -> dict[str, Any]:
        """Return the JSON to post."""
        return {"event": "COMMENT", "body": "", "comments": [self._comment(body)]}

    async def post(self, body: str) -> Reply:
        """Post a reply, once.

        Raises:
            Conflict: The user has a draft review, which posting any review would publish. Nothing was written.
        """
        await self._refuse_draft()
        return await super().post(body)

    async def to_reply(self, raw: Mapping[str, Any], body: str) -> Reply:
        """Return the reply from the comments of the review that was created.

        Raises:
            Unclear: The reply was sent, and the review does not contain it.
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
        me = await token_user(self.forge) if drafts else None
        for draft in drafts:
            theirs = isinstance(me, User) and str((draft.get("user") or {}).get("id")) != me.id
            if not theirs:
                raise Conflict(
                    f"you have a draft review on {self.talk.pr}, which a reply would publish; nothing was sent",
                    suggestion=f"Submit or delete the draft first: {draft.get('html_url') or ''}".rstrip(": "),
                )


async def choose_reply_route(forge: "Forge", talk: PullRequestReviews, thread: Thread) -> ReplyRoute:
    """Return the best route for replies in a thread.

    Raises:
        Unsupported: The thread is about a whole file, and the server has no route for replies.
    """
    if await has_post_route(forge, REPLIES):
        return NativeReply(forge, talk, thread)
    if thread.line is None:
        text = f"{forge.config.alias} can only reply at a line, and thread {thread.id} is about a whole file"
        raise Unsupported(text, suggestion=f"Reply on its web page: {thread.comments[0].url}")
    return (ReviewReply if await has_post_route(forge, IN_REVIEW) else SeparateReview)(forge, talk, thread)
