"""Where a world keeps its repositories: it finds them, and gives every new thing its id and its time."""

from datetime import UTC, datetime, timedelta

from stithy_core.spi import IssueRef, NotFound, PullRequestRef, Rejected, RepositoryRef, Thread
from stithy_sandbox.records import Conversation, Pull, Repository

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
        """Find a thread of a pull request.

        Raises:
            NotFound: The pull request has none of that id, though another one may.
        """
        found = self.pull(pr).threads.get(thread)
        if found is None:
            raise NotFound(f"{pr} has no thread {thread}", suggestion="Read its threads: they have the ids.")
        return found

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
