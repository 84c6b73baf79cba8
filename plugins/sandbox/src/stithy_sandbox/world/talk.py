"""Creation of comments, reactions and reviews."""

from bisect import insort
from datetime import datetime
from operator import attrgetter
from typing import Any

from attrs import evolve

from stithy_core.spi import (
    Comment,
    IssueRef,
    PullRequestRef,
    Reaction,
    Review,
    Unknown,
    User,
)
from stithy_sandbox.world.records import Conversation, Pull
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.views import ends


class Talk(Store):
    """Comments, reactions and reviews.

    The default author is the token's user, and the default time is now. `at` is another time, by which the object is
    sorted in. `fields` are other fields of the record, such as `association="MEMBER"`.
    """

    def add_comment(
        self, subject: IssueRef, body: str, author: User | None = None, *, at: datetime | None = None, **fields: Any
    ) -> Comment:
        """Add a comment to the conversation of an issue or a pull request."""
        conversation = self.conversation(subject)
        comment = Comment(**self._said(conversation, "issuecomment-", body, author, at) | fields)
        insort(conversation.comments, comment, key=attrgetter("created_at"))
        return comment

    def edit_comment(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Replace the text of a comment and return the comment."""
        return self._put(subject, evolve(self.comment(subject, comment), body=body, updated_at=self.stamp()[1]))

    def react(self, subject: IssueRef, comment: str, content: str) -> Comment:
        """Add a reaction to a comment and return the comment."""
        found = self.comment(subject, comment)
        before = () if isinstance(found.reactions, Unknown) else found.reactions
        counts = {reaction.content: reaction.count for reaction in before}
        counts[content] = counts.get(content, 0) + 1
        return self._put(subject, evolve(found, reactions=tuple(Reaction(*one) for one in counts.items())))

    def minimize(self, subject: IssueRef, said: str, reason: str) -> None:
        """Minimize a comment or a review, by its id; an empty reason shows it again.

        Raises:
            NotFound: The conversation has no comment or review with that id.
        """
        conversation = self.conversation(subject)
        if isinstance(conversation, Pull) and any(review.id == said for review in conversation.reviews):
            conversation.folded[said] = reason
        else:
            self._put(subject, evolve(self.comment(subject, said), minimized=reason))

    def add_review(
        self,
        pr: PullRequestRef,
        state: str,
        body: str = "",
        author: User | None = None,
        *,
        at: datetime | None = None,
        **fields: Any,
    ) -> Review:
        """Add a review; `state` is a word of the model or of a forge. It is official if its author may push."""
        pull = self.pull(pr)
        made, now = self.stamp()
        usual: dict[str, Any] = {
            "author": author or self.user,
            "submitted_at": at or now,
            "url": f"{pull.subject.url}#pullrequestreview-{made}",
            "commit": ends(self, pull)[1].sha,
            "official": self.may_push(pr.repository, (author or self.user).login),
        }
        review = Review(id=made, state=state, body=body, **usual | fields)
        insort(pull.reviews, review, key=lambda one: one.submitted_at or at or now)
        return review

    def _put(self, subject: IssueRef, comment: Comment) -> Comment:
        comments = self.conversation(subject).comments
        comments[[one.id for one in comments].index(comment.id)] = comment
        return comment

    def _said(
        self, on: Conversation, anchor: str, body: str, author: User | None, at: datetime | None
    ) -> dict[str, Any]:
        made, now = self.stamp()
        on.subject = evolve(on.subject, updated_at=now)
        return {
            "id": made,
            "body": body,
            "author": author or self.user,
            "created_at": at or now,
            "updated_at": at or now,
            "url": f"{on.subject.url}#{anchor}{made}",
            "reactions": (),
            "minimized": "",
        }
