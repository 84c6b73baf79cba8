"""General comments on issues and pull requests."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from stithy_core.spi import Comment, Comments, Forbidden, IssueRef, Listing, Reaction, Unknown
from stithy_sandbox.capabilities.base import InWorld, checked
from stithy_sandbox.world.views import folded


class SandboxComments(InWorld, Comments):
    """General comments. No answer can be lost here, so writes need no idempotent writer as on a real forge."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first."""
        comments = self.world.conversation(subject).comments
        return Listing(tuple(comment for comment in comments if since is None or comment.updated_at >= since))

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Read one comment."""
        return self.world.comment(subject, comment)

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment."""
        self.admit(subject)
        return self.world.add_comment(subject, checked(body))

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Replace the text of a comment; its author may, and users with write access."""
        found = self.world.comment(subject, comment)
        self.admit(subject)
        if found.author != self.world.user and not self.world.repository(subject.repository).writable:
            remedy = "Ask its author or somebody with write access."
            raise Forbidden(f"{self.world.user.login} may not edit comment {comment}", suggestion=remedy)
        return self.world.edit_comment(subject, comment, checked(body))

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Read the reactions to a comment."""
        reactions = self.world.comment(subject, comment).reactions
        return () if isinstance(reactions, Unknown) else reactions

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:
        """Read why comments and reviews are minimized, by id; review comments have the reason themselves."""
        return folded(self.world.conversation(subject))
