"""The store of a world: finds objects, and assigns ids and times to new ones."""

from datetime import UTC, datetime, timedelta

from stithy_core.spi import (
    Comment,
    IssueRef,
    NotFound,
    PullRequestRef,
    Rejected,
    RepositoryRef,
    Thread,
    User,
    find_thread,
)
from stithy_sandbox.world.history import Snapshot
from stithy_sandbox.world.world_records import Conversation, Pull, RepositoryRecord, Run

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
MOST = 10_000


class Store:
    """Repositories by name, and a clock that advances by a minute with each new object."""

    url: str
    user: User

    def __init__(self) -> None:
        # Keys are lower case, since names on forges are case-insensitive. Former names are keys, too.
        self._repositories: dict[str, RepositoryRecord] = {}
        self._made = 0

    def repository(self, ref: RepositoryRef) -> RepositoryRecord:
        """Return a repository by its current name or a former one.

        Raises:
            NotFound: The world has no such repository.
        """
        found = self._repositories.get(str(ref).lower())
        if found is None:
            raise NotFound(f"the sandbox has no repository {ref}", suggestion="Check the name.")
        return found

    def conversation(self, subject: IssueRef, *, called: str = "issue") -> Conversation:
        """Return an issue or a pull request.

        Raises:
            NotFound: It or its repository does not exist; the messages differ.
        """
        repository = self.repository(subject.repository)
        found = repository.conversations.get(subject.number)
        if found is None:
            raise NotFound(f"{repository.ref} has no {called} {subject.number}", suggestion="Check the number.")
        return found

    def pull(self, pr: PullRequestRef) -> Pull:
        """Return a pull request.

        Raises:
            NotFound: It or its repository does not exist, or the number is an issue's; the messages differ.
        """
        found = self.conversation(pr, called="pull request")
        if not isinstance(found, Pull):
            remedy = "Use the tools for issues, or another number."
            raise NotFound(f"{pr} is an issue, not a pull request", suggestion=remedy)
        return found

    def comment(self, subject: IssueRef, comment: str) -> Comment:
        """Return a comment of a conversation.

        Raises:
            NotFound: The conversation has no comment with that id.
        """
        found = next((one for one in self.conversation(subject).comments if one.id == comment), None)
        if found is None:
            raise NotFound(f"{subject} has no comment {comment}", suggestion="List its comments for their ids.")
        return found

    def thread(self, pr: PullRequestRef, thread: str) -> Thread:
        """Return a thread of a pull request, by its id or that of any comment in it.

        Raises:
            NotFound: The pull request has no thread with that id.
            Conflict: Several threads have it.
        """
        found = find_thread(self.pull(pr).threads.values(), thread)
        if found is None:
            raise NotFound(f"{pr} has no thread {thread}", suggestion="List its threads for their ids.")
        return found

    def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Return whether an account has write access: the owner of the namespace, and those in `pushers`."""
        found = self.repository(repository)
        if login.lower() == self.user.login.lower():
            return found.writable
        return login.lower() in found.pushers | {found.ref.namespace.lower()}

    def commit(self, repository: RepositoryRef, name: str) -> Snapshot:
        """Return the commit of a branch, of `owner:branch` in a fork, or of a SHA.

        Raises:
            NotFound: There is no such branch or commit.
        """
        home = self.repository(repository)
        owner, _, branch = name.rpartition(":")
        for one in self._repositories.values() if owner else [home]:
            related = one.history.snapshots is home.history.snapshots
            if related and owner in ("", one.ref.namespace) and (found := one.history.find(branch)):
                return found
        raise NotFound(
            f"{home.ref} has no branch or commit {name}", suggestion="Read a pull request for its branches and commits."
        )

    def run(self, repository: RepositoryRef, run: str) -> Run:
        """Return a run of the forge's own CI.

        Raises:
            NotFound: The repository has no run with that id.
        """
        home = self.repository(repository)
        if run not in home.runs:
            raise NotFound(f"{home.ref} has no run {run}", suggestion="List the runs of a commit for their ids.")
        return home.runs[run]

    def now(self) -> datetime:
        """Return the world's time in UTC."""
        return START + timedelta(minutes=self._made)

    def stamp(self) -> tuple[str, datetime]:
        """Return the next id of the world's one series, and its time.

        Raises:
            Rejected: The world has `MOST` objects already.
        """
        if self._made == MOST:
            remedy = "Restart the server: the sandbox starts with its sample data."
            raise Rejected(f"the sandbox is full: it stores at most {MOST:,} objects", suggestion=remedy)
        self._made += 1
        return str(self._made), self.now()
