"""Where a world keeps its repositories: it finds them, and gives every new thing its id and its time."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from stithy_core.spi import (
    Comment,
    Event,
    Issue,
    IssueRef,
    Listing,
    NotFound,
    PullRequestRef,
    Rejected,
    RepositoryRef,
    Thread,
)
from stithy_sandbox.records import Conversation, Pull, Repository

T = TypeVar("T", bound=Issue)

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
MOST = 10_000


class Store:
    """Repositories by name, and a clock of their own: each new thing is a minute younger than the one before."""

    def __init__(self) -> None:
        # Forges do not tell names apart by case. A former name leads to the repository, too.
        self._repositories: dict[str, Repository] = {}
        self._made = 0

    def repository(self, ref: RepositoryRef) -> Repository:
        """Find a repository by its present name or a former one.

        Raises:
            NotFound: There is none.
        """
        found = self._repositories.get(str(ref).lower())
        if found is None:
            raise NotFound(f"the sandbox has no repository {ref}", suggestion="Check the name.")
        return found

    def conversation(self, subject: IssueRef, *, called: str = "issue") -> Conversation:
        """Find an issue or a pull request.

        Raises:
            NotFound: It is absent, or its repository is; the two are told apart.
        """
        repository = self.repository(subject.repository)
        found = repository.conversations.get(subject.number)
        if found is None:
            raise NotFound(f"{repository.ref} has no {called} {subject.number}", suggestion="Check the number.")
        return found

    def pull(self, pr: PullRequestRef) -> Pull:
        """Find a pull request.

        Raises:
            NotFound: It is absent, its repository is, or the number is an issue's; the three are told apart.
        """
        found = self.conversation(pr, called="pull request")
        if not isinstance(found, Pull):
            remedy = "Use the tools for issues, or another number."
            raise NotFound(f"{pr} is an issue, not a pull request", suggestion=remedy)
        return found

    def thread(self, pr: PullRequestRef, thread: str) -> Thread:
        """Find a thread of a pull request, by its id or that of any comment in it.

        Raises:
            NotFound: The pull request has none of that id, though another one may.
        """
        found = next((one for one in self.pull(pr).threads.values() if one.named(thread)), None)
        if found is None:
            raise NotFound(f"{pr} has no thread {thread}", suggestion="Read its threads: they have the ids.")
        return found

    def comment(self, subject: IssueRef, comment: str) -> Comment:
        """Find a comment of a conversation.

        Raises:
            NotFound: The conversation has none of that id, though another one may.
        """
        found = next((one for one in self.conversation(subject).comments if one.id == comment), None)
        if found is None:
            raise NotFound(f"{subject} has no comment {comment}", suggestion="List its comments: they have the ids.")
        return found

    def head(self, repository: RepositoryRef, commit: str) -> Pull:
        """Find the pull request that has a commit as its head.

        Raises:
            NotFound: There is none.
        """
        for found in self.repository(repository).conversations.values():
            if isinstance(found, Pull) and found.subject.head.commit == commit:
                return found
        raise NotFound(f"{repository} has no commit {commit}", suggestion="Read a pull request: its head has one.")

    def listed(
        self, repository: RepositoryRef, kind: type[T], state: str, most: int, fits: Callable[[T], bool] = bool
    ) -> Listing[T]:
        """List issues or pull requests of a state, the newest first."""
        subjects = [found.subject for found in self.repository(repository).conversations.values()]
        listed = [one for one in reversed(subjects) if type(one) is kind and state in ("all", one.state) and fits(one)]
        cut = f"only the first {most:,} were read" if len(listed) > most else ""
        return Listing(tuple(listed[:most]), len(listed), cut)

    def events(self, subject: IssueRef) -> Iterator[Event]:
        """Tell what happened in a conversation, oldest first: what was written, in the order of its ids."""
        for comment in self.conversation(subject).comments:
            yield Event(
                id=comment.id,
                kind="commented",
                at=comment.created_at,
                actor=comment.author,
                text=comment.body,
                subject=comment.id,
                url=comment.url,
                raw="comment",
            )

    def _stamp(self) -> tuple[str, datetime]:
        """Give the next id, of which the whole world has one series, and the time that goes with it.

        Raises:
            Rejected: The world is full.
        """
        if self._made == MOST:
            remedy = "Start the server again: the sandbox begins anew."
            raise Rejected(f"the sandbox is full: it keeps {MOST:,} things", suggestion=remedy)
        self._made += 1
        return str(self._made), START + timedelta(minutes=self._made)
