"""Making what people say in the diff."""

from bisect import insort
from datetime import datetime
from operator import attrgetter
from typing import Any

import attrs
from attrs import evolve

from stithy_core.spi import IssueRef, Maybe, PullRequestRef, ReviewComment, Thread, User
from stithy_sandbox.world.records import Pull
from stithy_sandbox.world.talk import Talk
from stithy_sandbox.world.views import ends

PLACE = {field.name for field in attrs.fields(Thread)}
"""What a thread has itself; the rest is its first comment's."""


class TalkInTheDiff(Talk):
    """Threads."""

    def add_thread(
        self,
        pr: PullRequestRef,
        path: str,
        line: int | None,
        body: str,
        author: User | None = None,
        *,
        resolved: Maybe[bool] = False,
        at: datetime | None = None,
        **fields: Any,
    ) -> Thread:
        """Open a thread at a place in the diff.

        Args:
            pr: The pull request.
            path: The file.
            line: The line in it; None for the whole file.
            body: What opens the thread.
            author: Who does.
            resolved: Whether it is settled.
            at: When it was opened.
            fields: Others of `Thread`, or of the comment that opens it: `outdated`, or the id of a `review`.
        """
        pull = self.pull(pr)
        place = {name: fields.pop(name) for name in PLACE & fields.keys()}
        opening = self._remark(pull, body, author, at, fields)
        thread = Thread(self.stamp()[0], path, line, resolved, (opening,), **{"outdated": False} | place)
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
        """Answer in a thread."""
        found, pull = self.thread(pr, thread), self.pull(pr)
        comment = self._remark(pull, body, author, at, {"review": found.comments[0].review} | fields)
        comments = list(found.comments)
        insort(comments, comment, lo=1, key=attrgetter("created_at"))
        pull.threads[found.id] = evolve(found, comments=tuple(comments))
        return comment

    def settle(self, pr: PullRequestRef, thread: str, *, resolved: bool, by: User | None = None) -> Thread:
        """Mark a thread as resolved, or as open again."""
        found = self.thread(pr, thread)
        if found.resolved is not resolved:
            found = evolve(found, resolved=resolved, resolved_by=(by or self.user) if resolved else None)
            self.pull(pr).threads[found.id] = found
        return found

    def minimize(self, subject: IssueRef, said: str, reason: str) -> None:
        """Fold something away, what stands in the diff included."""
        conversation = self.conversation(subject)
        threads = conversation.threads if isinstance(conversation, Pull) else {}
        for thread in threads.values():
            if any(comment.id == said for comment in thread.comments):
                found = [evolve(one, minimized=reason) if one.id == said else one for one in thread.comments]
                threads[thread.id] = evolve(thread, comments=tuple(found))
                return
        super().minimize(subject, said, reason)

    def _remark(
        self, pull: Pull, body: str, author: User | None, at: datetime | None, fields: dict[str, Any]
    ) -> ReviewComment:
        usual = {"commit": ends(self, pull)[1].sha} | self._said(pull, "discussion_r", body, author, at)
        return ReviewComment(**usual | fields)
