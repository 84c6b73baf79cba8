"""Making what people say: comments, reactions, reviews and threads."""

from typing import Any

from attrs import evolve

from stithy_core.spi import (
    Comment,
    IssueRef,
    Maybe,
    PullRequestRef,
    Reaction,
    Review,
    ReviewComment,
    Thread,
    Unknown,
    User,
)
from stithy_sandbox.world.records import Conversation, Pull
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.views import ends


class Talk(Store):
    """What is said is the user's by default."""

    def add_comment(self, subject: IssueRef, body: str, author: User | None = None) -> Comment:
        """Add a comment to the conversation of an issue or a pull request."""
        conversation = self.conversation(subject)
        comment = Comment(**self._said(conversation, "issuecomment-", body, author))
        conversation.comments.append(comment)
        return comment

    def edit_comment(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Put another text in a comment's place."""
        return self._put(subject, evolve(self.comment(subject, comment), body=body, updated_at=self.stamp()[1]))

    def react(self, subject: IssueRef, comment: str, content: str) -> Comment:
        """Answer a comment with an emoji."""
        found = self.comment(subject, comment)
        before = () if isinstance(found.reactions, Unknown) else found.reactions
        counts = {reaction.content: reaction.count for reaction in before}
        counts[content] = counts.get(content, 0) + 1
        return self._put(subject, evolve(found, reactions=tuple(Reaction(*one) for one in counts.items())))

    def add_review(self, pr: PullRequestRef, state: str, body: str = "", author: User | None = None) -> Review:
        """Add a verdict; `state` is one of the model's words or a forge's own."""
        pull = self.pull(pr)
        made, now = self.stamp()
        review = Review(
            id=made,
            author=author or self.user,
            state=state,
            body=body,
            submitted_at=now,
            url=f"{pull.subject.url}#pullrequestreview-{made}",
            commit=ends(self, pull)[1].sha,
        )
        pull.reviews.append(review)
        return review

    def add_thread(
        self,
        pr: PullRequestRef,
        path: str,
        line: int | None,
        body: str,
        author: User | None = None,
        *,
        resolved: Maybe[bool] = False,
        review: str = "",
        **fields: Any,
    ) -> Thread:
        """Open a thread at a place in the diff, as part of a review if need be; `fields` are others of `Thread`."""
        pull = self.pull(pr)
        opening = self._remark(pull, body, author, review)
        place = {"outdated": False} | fields
        thread = Thread(self.stamp()[0], path, line, resolved, (opening,), **place)
        pull.threads[thread.id] = thread
        return thread

    def add_reply(self, pr: PullRequestRef, thread: str, body: str, author: User | None = None) -> ReviewComment:
        """Answer in a thread."""
        found, pull = self.thread(pr, thread), self.pull(pr)
        comment = self._remark(pull, body, author, found.comments[0].review)
        pull.threads[found.id] = evolve(found, comments=(*found.comments, comment))
        return comment

    def settle(self, pr: PullRequestRef, thread: str, *, resolved: bool, by: User | None = None) -> Thread:
        """Mark a thread as resolved, or as open again."""
        found = self.thread(pr, thread)
        if found.resolved is not resolved:
            found = evolve(found, resolved=resolved, resolved_by=(by or self.user) if resolved else None)
            self.pull(pr).threads[found.id] = found
        return found

    def _remark(self, pull: Pull, body: str, author: User | None, review: str) -> ReviewComment:
        head = ends(self, pull)[1].sha
        return ReviewComment(review=review, commit=head, **self._said(pull, "discussion_r", body, author))

    def _put(self, subject: IssueRef, comment: Comment) -> Comment:
        comments = self.conversation(subject).comments
        comments[[one.id for one in comments].index(comment.id)] = comment
        return comment

    def _said(self, on: Conversation, anchor: str, body: str, author: User | None) -> dict[str, Any]:
        made, now = self.stamp()
        on.subject = evolve(on.subject, updated_at=now)
        return {
            "id": made,
            "body": body,
            "author": author or self.user,
            "created_at": now,
            "updated_at": now,
            "url": f"{on.subject.url}#{anchor}{made}",
            "reactions": (),
        }
