"""Answering in a thread, as natively as a server lets us (field notes on the API, section 8)."""

from typing import TYPE_CHECKING, Any

from stithy_core.spi import (
    Conflict,
    ForgeError,
    PullRequestRef,
    Reply,
    ReviewComment,
    Thread,
    Unclear,
    Unsupported,
    User,
    known,
)
from stithy_gitea.inline import place_of, to_review_comment
from stithy_gitea.paths import pull_path
from stithy_gitea.reviews import PENDING, read_inline, read_reviews
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
    """A way to answer in one thread; `text` says what it lacks."""

    text = ""

    def __init__(self, forge: "Forge", pr: PullRequestRef, thread: Thread) -> None:
        self.forge, self.pr, self.thread = forge, pr, thread

    async def post(self, body: str) -> Reply:
        """Send an answer, once."""
        raise NotImplementedError

    def reply(self, comment: ReviewComment) -> Reply:
        """Give the answer that was posted, or found."""
        return Reply(comment=comment, thread=self.thread.id, way=self.text)

    def _with_root(self, raw: dict[str, Any]) -> Reply:
        """Read an answer that joined the review of the thread's first comment, and is a draft where that is one."""
        root = self.thread.comments[0]
        review = {"state": PENDING if root.pending else "", "commit_id": root.commit}
        return self.reply(to_review_comment(raw, review))

    def _comment(self, body: str) -> dict[str, Any]:
        side = "old_position" if self.thread.side == "LEFT" else "new_position"
        return {"path": self.thread.path, "body": body, side: self.thread.line or 0}


class Native(Way):
    """By the route for replies: Gitea from 1.27."""

    async def post(self, body: str) -> Reply:
        """Send an answer, once."""
        path = f"{pull_path(self.pr)}/comments/{self.thread.id}/replies"
        return self._with_root(await self.forge.http.send("POST", path, {"body": body}))


class Within(Way):
    """Into the review of the first comment: Forgejo, which takes any text for any file there."""

    text = WITHIN

    async def post(self, body: str) -> Reply:
        """Send an answer, once."""
        path = f"{pull_path(self.pr)}/reviews/{self.thread.comments[0].review}/comments"
        return self._with_root(await self.forge.http.send("POST", path, self._comment(body)))


class Beside(Way):
    """As a review of its own: Gitea up to 1.26."""

    text = BESIDE

    async def post(self, body: str) -> Reply:
        """Send an answer, once, and find it among the comments of the review that it became.

        Raises:
            Conflict: The user has a draft, which sending any review would publish; nothing was written.
        """
        await self._refuse_draft()
        sent = {"event": "COMMENT", "body": "", "comments": [self._comment(body)]}
        review = await self.forge.http.send("POST", f"{pull_path(self.pr)}/reviews", sent)
        try:
            rows = await read_inline(self.forge, self.pr, review)
        except ForgeError as error:
            raise Unclear(f"the reply was sent, but not read back: {error.message}", details=error.details) from error
        place = (self.thread.path, self.thread.side, self.thread.line or 0)
        found = [row for row in rows if row.get("body") == body and place_of(row) == place]
        if not found:
            raise Unclear(f"the reply was sent, but review {review['id']} does not show it")
        return self.reply(to_review_comment(max(found, key=lambda row: row["id"]), review))

    async def _refuse_draft(self) -> None:
        me = await known(self.forge.identity.me())
        for review in await read_reviews(self.forge, self.pr):
            theirs = isinstance(me, User) and str((review.get("user") or {}).get("id")) != me.id
            if review.get("state") == PENDING and not theirs:
                raise Conflict(
                    f"you have a draft review on {self.pr}, which a reply would publish; nothing was sent",
                    suggestion=f"Submit or delete the draft first: {review.get('html_url') or ''}".rstrip(": "),
                )


async def way_to(forge: "Forge", pr: PullRequestRef, thread: Thread) -> Way:
    """Choose how to answer in a thread.

    Raises:
        Unsupported: It is about a whole file, which only the route for replies can answer.
    """
    if await posts_to(forge, REPLIES):
        return Native(forge, pr, thread)
    if thread.line is None:
        text = f"{forge.link.alias} can only answer at a line, and thread {thread.id} is about a whole file"
        raise Unsupported(text, suggestion=f"Answer on its web page: {thread.comments[0].url}")
    return (Within if await posts_to(forge, IN_REVIEW) else Beside)(forge, pr, thread)
