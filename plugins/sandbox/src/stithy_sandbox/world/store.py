"""Where a world keeps its repositories: it finds them, and gives every new thing its id and its time."""

from datetime import UTC, datetime, timedelta

from stithy_core.spi import Comment, IssueRef, NotFound, PullRequestRef, Rejected, RepositoryRef, Thread, User
from stithy_sandbox.world.history import Snapshot
from stithy_sandbox.world.records import Conversation, Pull, RepositoryRecord, Run

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
MOST = 10_000


class Store:
    """Repositories by name, and a clock of their own: each new thing is a minute younger than the one before."""

    url: str
    user: User

    def __init__(self) -> None:
        # Forges do not tell names apart by case. A former name leads to the repository, too.
        self._repositories: dict[str, RepositoryRecord] = {}
        self._made = 0

    def repository(self, ref: RepositoryRef) -> RepositoryRecord:
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

    def comment(self, subject: IssueRef, comment: str) -> Comment:
        """Find a comment of a conversation.

        Raises:
            NotFound: The conversation has none of that id, though another one may.
        """
        found = next((one for one in self.conversation(subject).comments if one.id == comment), None)
        if found is None:
            raise NotFound(f"{subject} has no comment {comment}", suggestion="List its comments: they have the ids.")
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

    def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Say whether an account has write access: the namespace's own has."""
        found = self.repository(repository)
        if login.lower() == self.user.login.lower():
            return found.writable
        return login.lower() in found.pushers | {found.ref.namespace.lower()}

    def commit(self, repository: RepositoryRef, name: str) -> Snapshot:
        """Find the commit of a branch, of `owner:branch` in a fork, or of a SHA.

        Raises:
            NotFound: There is none.
        """
        home = self.repository(repository)
        owner, _, branch = name.rpartition(":")
        for one in self._repositories.values() if owner else [home]:
            related = one.history.snapshots is home.history.snapshots
            if related and owner in ("", one.ref.namespace) and (found := one.history.find(branch)):
                return found
        raise NotFound(f"{home.ref} has no branch or commit {name}", suggestion="Read a pull request: it has both.")

    def run(self, repository: RepositoryRef, run: str) -> Run:
        """Find a run of the forge's own CI.

        Raises:
            NotFound: There is none.
        """
        home = self.repository(repository)
        if run not in home.runs:
            raise NotFound(f"{home.ref} has no run {run}", suggestion="List the runs of a commit: they have the ids.")
        return home.runs[run]

    def now(self) -> datetime:
        """Tell the world's time."""
        return START + timedelta(minutes=self._made)

    def stamp(self) -> tuple[str, datetime]:
        """Give the next id, of which the whole world has one series, and the time that goes with it.

        Raises:
            Rejected: The world is full.
        """
        if self._made == MOST:
            remedy = "Start the server again: the sandbox begins anew."
            raise Rejected(f"the sandbox is full: it keeps {MOST:,} things", suggestion=remedy)
        self._made += 1
        return str(self._made), self.now()
