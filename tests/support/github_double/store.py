"""The store of a world: it finds records, and assigns ids and times."""

from datetime import UTC, datetime, timedelta

from github_double.records import Account, Commit, Pull, Repository, Thread, Token

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
FIRST_ID = 5_000_000_000  # no id fits into 32 bits, as on the real one


class Store:
    """Accounts, repositories and commits, and a clock of their own: each new record is a minute younger."""

    def __init__(self) -> None:
        self.now = START
        self.accounts: dict[str, Account] = {}
        self.tokens: dict[str, Token] = {}
        self.repositories: dict[str, Repository] = {}
        self.former: dict[str, Repository] = {}
        self.commits: dict[str, Commit] = {}
        self._last = FIRST_ID

    def stamp(self) -> tuple[int, datetime]:
        """Return the next id, unique in the world, and its time."""
        self._last += 1
        self.now += timedelta(minutes=1)
        return self._last, self.now

    def repository(self, name: str) -> Repository | None:
        """Find a repository by its current name, ignoring case."""
        return self.repositories.get(name.lower())

    def repository_by_id(self, number: int) -> Repository | None:
        return next((one for one in self.repositories.values() if one.id == number), None)

    def resolve(self, repository: Repository, name: str) -> str | None:
        """Find the commit id of a branch, an id, or `owner:branch` of a fork; None without one."""
        owner, _, branch = name.rpartition(":")
        if owner:
            root = repository.parent or repository
            network = [one for one in self.repositories.values() if one is root or one.parent is root]
            found = next((one for one in network if one.owner.login == owner), None)
            return found.branches.get(branch) if found else None
        name = name.removeprefix("refs/").removeprefix("heads/")
        return repository.branches.get(name) or (name if name in self.commits else None)

    def pulls(self) -> list[Pull]:
        """Iterate over every pull request."""
        issues = (issue for repository in self.repositories.values() for issue in repository.issues.values())
        return [issue for issue in issues if isinstance(issue, Pull)]

    def thread(self, number: int) -> Thread | None:
        """Find a thread by the number in its node id."""
        return next((thread for pull in self.pulls() for thread in pull.threads if thread.id == number), None)
