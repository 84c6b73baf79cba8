"""Creation of review threads and their comments."""

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
"""The fields of a thread; other fields belong to its first comment."""


class TalkInTheDiff(Talk):
    """Review threads."""

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
            body: The text of the first comment.
            author: Its author; the token's user by default.
            resolved: Whether the thread is resolved.
            at: The time of the first comment; now by default.
            fields: Other fields of `Thread` or of its first comment, such as `outdated` or the id of a `review`.
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
        """Add a reply to a thread."""
        found, pull = self.thread(pr, thread), self.pull(pr)
        comment = self._remark(pull, body, author, at, {"review": found.comments[0].review} | fields)
        comments = list(found.comments)
        insort(comments, comment, lo=1, key=attrgetter("created_at"))
        pull.threads[found.id] = evolve(found, comments=tuple(comments))
        return comment

    def settle(self, pr: PullRequestRef, thread: str, *, resolved: bool, by: User | None = None) -> Thread:
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

    def _remark(
        self, pull: Pull, body: str, author: User | None, at: datetime | None, fields: dict[str, Any]
    ) -> ReviewComment:
        usual = {"commit": ends(self, pull)[1].sha} | self._said(pull, "discussion_r", body, author, at)
        return ReviewComment(**usual | fields)
