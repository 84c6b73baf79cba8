"""Creation of comments, reactions, reviews and review threads."""

from bisect import insort
from datetime import datetime
from operator import attrgetter
from typing import Any

import attrs
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
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.views import find_ends
from stithy_sandbox.world.world_records import Conversation, Pull


class Conversations(Store):
    """Comments, reactions and reviews.

    The default author is the token's user, and the default time is now. `at` is another time, by which the object is
    sorted in. `fields` are other fields of the record, such as `association="MEMBER"`.
    """

    def add_comment(
        self, subject: IssueRef, body: str, author: User | None = None, *, at: datetime | None = None, **fields: Any
    ) -> Comment:
        """Add a comment to the conversation of an issue or a pull request."""
        conversation = self.conversation(subject)
        comment = Comment(**self._build_fields(conversation, "issuecomment-", body, author, at) | fields)
        insort(conversation.comments, comment, key=attrgetter("created_at"))
        return comment

    def edit_comment(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Replace the text of a comment and return the comment."""
        return self._replace_comment(
            subject, evolve(self.comment(subject, comment), body=body, updated_at=self.stamp()[1])
        )

    def react(self, subject: IssueRef, comment: str, content: str) -> Comment:
        """Add a reaction to a comment and return the comment."""
        found = self.comment(subject, comment)
        before = () if isinstance(found.reactions, Unknown) else found.reactions
        counts = {reaction.content: reaction.count for reaction in before}
        counts[content] = counts.get(content, 0) + 1
        return self._replace_comment(
            subject,
            evolve(found, reactions=tuple(Reaction(content=word, count=count) for word, count in counts.items())),
        )

    def minimize(self, subject: IssueRef, said: str, reason: str) -> None:
        """Minimize a comment or a review, by its id; an empty reason shows it again.

        Raises:
            NotFound: The conversation has no comment or review with that id.
        """
        conversation = self.conversation(subject)
        if isinstance(conversation, Pull) and any(review.id == said for review in conversation.reviews):
            conversation.folded[said] = reason
        else:
            self._replace_comment(subject, evolve(self.comment(subject, said), minimized=reason))

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
            "commit": find_ends(self, pull)[1].sha,
            "official": self.may_push(pr.repository, (author or self.user).login),
        }
        review = Review(id=made, state=state, body=body, **usual | fields)
        insort(pull.reviews, review, key=lambda one: one.submitted_at or at or now)
        return review

    def add_verdict(self, pr: PullRequestRef, state: str, author: User, **fields: Any) -> Review:
        """Add a verdict that is not an event, such as an approval on GitLab: without id, time, text and page."""
        none: dict[str, Any] = {"id": "", "body": "", "submitted_at": None, "url": ""}
        review = Review(state=state, author=author, **none | fields)
        self.pull(pr).reviews.append(review)
        return review

    def _replace_comment(self, subject: IssueRef, comment: Comment) -> Comment:
        comments = self.conversation(subject).comments
        comments[[one.id for one in comments].index(comment.id)] = comment
        return comment

    def _build_fields(
        self, on: Conversation, anchor: str, body: str, author: User | None, at: datetime | None
    ) -> dict[str, Any]:
        name, now = self.stamp()
        on.subject = evolve(on.subject, updated_at=now)
        return {
            "id": name,
            "body": body,
            "author": author or self.user,
            "created_at": at or now,
            "updated_at": at or now,
            "url": f"{on.subject.url}#{anchor}{name}",
            "reactions": (),
            "minimized": "",
        }


PLACE = {field.name for field in attrs.fields(Thread)}
"""The fields of a thread; other fields belong to its first comment."""


class ReviewThreads(Conversations):
    """Review threads."""

    def add_thread(
        self,
        pr: PullRequestRef,
        path: str | None,
        line: int | None,
        body: str,
        author: User | None = None,
        *,
        resolved: Maybe[bool] = False,
        at: datetime | None = None,
        **fields: Any,
    ) -> Thread:
        """Open a thread at a place in the diff, or without a place.

        Args:
            pr: The pull request.
            path: The file; None for a thread without a place.
            line: The line in it; None for the whole file.
            body: The text of the first comment.
            author: Its author; the token's user by default.
            resolved: Whether the thread is resolved.
            at: The time of the first comment; now by default.
            fields: Other fields of `Thread` or of its first comment, such as `outdated` or the id of a `review`.
        """
        pull = self.pull(pr)
        place = {name: fields.pop(name) for name in PLACE & fields.keys()}
        opening = self._build_review_comment(pull, body, author, at, fields)
        thread = Thread(
            id=self.stamp()[0],
            path=path,
            line=line,
            resolved=resolved,
            comments=(opening,),
            **{"outdated": False} | place,
        )
        pull.threads[thread.id] = thread
        return thread

    def add_reply(
        self,
        pr: PullRequestRef,
        thread: str,
        body: str,
        author: User | None = None,
        *,
        at: datetime | None = None,
        **fields: Any,
    ) -> ReviewComment:
        """Add a reply to a thread."""
        found, pull = self.thread(pr, thread), self.pull(pr)
        comment = self._build_review_comment(pull, body, author, at, {"review": found.comments[0].review} | fields)
        comments = list(found.comments)
        insort(comments, comment, lo=1, key=attrgetter("created_at"))
        pull.threads[found.id] = evolve(found, comments=tuple(comments))
        return comment

    def set_resolved(self, pr: PullRequestRef, thread: str, *, resolved: bool, by: User | None = None) -> Thread:
        """Mark a thread as resolved or unresolved."""
        found = self.thread(pr, thread)
        if found.resolved is not resolved:
            found = evolve(found, resolved=resolved, resolved_by=(by or self.user) if resolved else None)
            self.pull(pr).threads[found.id] = found
        return found

    def minimize(self, subject: IssueRef, said: str, reason: str) -> None:
        """Minimize a comment, a review or a review comment, by its id."""
        conversation = self.conversation(subject)
        threads = conversation.threads if isinstance(conversation, Pull) else {}
        for thread in threads.values():
            if any(comment.id == said for comment in thread.comments):
                found = [evolve(one, minimized=reason) if one.id == said else one for one in thread.comments]
                threads[thread.id] = evolve(thread, comments=tuple(found))
                return
        super().minimize(subject, said, reason)

    def _build_review_comment(
        self, pull: Pull, body: str, author: User | None, at: datetime | None, fields: dict[str, Any]
    ) -> ReviewComment:
        usual = {"commit": find_ends(self, pull)[1].sha} | self._build_fields(pull, "discussion_r", body, author, at)
        return ReviewComment(**usual | fields)
