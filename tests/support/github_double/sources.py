"""Repositories, commits and branches of a world, and what protects them."""

from collections.abc import Iterable, Mapping
from typing import Any

from github_double import git
from github_double.git import Change
from github_double.people import People
from github_double.records import Account, Commit, Protection, Pull, Repository, Rule

README = {"README.md": "# Read me\n"}


class Sources(People):
    """The code."""

    def add_repository(
        self,
        name: str,
        tree: Mapping[str, str | bytes] = README,
        *,
        private: bool = False,
        formerly: Iterable[str] = (),
        owner: Account | None = None,
        writable: bool = True,
    ) -> Repository:
        """Add a repository with one commit on `main`.

        Args:
            name: Without the owner.
            tree: The text of each file by path.
            private: Whether only those with a permission see it.
            formerly: Names it had before; they still lead to it.
            owner: By default the user.
            writable: Whether the user has write access.
        """
        number, now = self.stamp()
        repository = Repository(id=number, owner=owner or self.user, name=name, private=private, created_at=now)
        if writable:
            repository.permissions.setdefault(self.user.login, "write")
        self.repositories[repository.full_name.lower()] = repository
        self.former |= {f"{repository.owner.login}/{former}".lower(): repository for former in formerly}
        repository.branches["main"] = self.add_commit("Initial commit", tree).sha
        return repository

    def add_fork(self, repository: Repository, owner: Account) -> Repository:
        """Fork a repository, with all its branches."""
        number, now = self.stamp()
        fork = Repository(
            id=number, owner=owner, name=repository.name, private=False, created_at=now, parent=repository
        )
        fork.branches = dict(repository.branches)
        self.repositories[fork.full_name.lower()] = fork
        return fork

    def add_commit(
        self,
        message: str,
        tree: Mapping[str, str | bytes],
        *parents: str,
        author: Account | str | None = "",
        name: str = "Smith",
    ) -> Commit:
        """Make a commit; `author` None is somebody without an account."""
        _, now = self.stamp()
        account = self.user if isinstance(author, str) else author
        sha = git.sha_of("commit", message, sorted(tree), now, *parents)
        commit = Commit(sha=sha, message=message, author=account, name=name, at=now, parents=parents, tree=dict(tree))
        self.commits[sha] = commit
        return commit

    def push(
        self,
        repository: Repository,
        branch: str,
        message: str,
        edit: Mapping[str, str | bytes | None],
        *,
        begin: str = "main",
        **fields: Any,
    ) -> Commit:
        """Add a commit to a branch, which begins at another one; `edit` has None for what is deleted."""
        parent = repository.branches.get(branch) or repository.branches[begin]
        tree: dict[str, str | bytes | None] = {**self.commits[parent].tree, **edit}
        commit = self.add_commit(
            message, {path: text for path, text in tree.items() if text is not None}, parent, **fields
        )
        repository.branches[branch] = commit.sha
        for pull in self.pulls():
            if pull.head_repository is repository and pull.head == branch and pull.state == "open":
                pull.head_sha = commit.sha
        return commit

    def merge_base(self, pull: Pull) -> bool:
        """Merge the base branch of a pull request into its head branch, and return whether that branch lacked a commit.

        What both changed stays as it is in the head.
        """
        base, head = pull.repository.branches[pull.base], pull.head_sha
        root = git.find_merge_base(self.commits, base, head)
        if root is None or root.sha == base:
            return False
        before, ours, theirs = (self.commits[sha].tree for sha in (root.sha, head, base))
        unchanged = {path for path in before | theirs if ours.get(path) == before.get(path)}
        tree = {path: text for path, text in ours.items() if path not in unchanged}
        tree |= {path: theirs[path] for path in unchanged if path in theirs}
        merged = self.add_commit(f"Merge branch '{pull.base}' into {pull.head}", tree, head, base)
        (pull.head_repository or pull.repository).branches[pull.head] = pull.head_sha = merged.sha
        return True

    def rename(self, repository: Repository, name: str) -> None:
        """Rename a repository; the old name redirects to it."""
        old = repository.full_name.lower()
        self.former[old] = self.repositories.pop(old)
        repository.name = name
        self.repositories[repository.full_name.lower()] = repository

    def protect(self, repository: Repository, branch: str = "main", **fields: Any) -> None:
        """Protect a branch in the classic way."""
        repository.protections[branch] = Protection(**fields)

    def add_rule(self, repository: Repository, kind: str, branch: str = "main", **parameters: Any) -> None:
        """Add a rule of a ruleset."""
        number, _ = self.stamp()
        repository.rules.append(Rule(type=kind, parameters=parameters, ruleset=number % 1_000_000, branch=branch))

    def changes_of(self, pull: Pull) -> list[Change]:
        """Compare a pull request's head with the place where it parted from its base."""
        root = git.find_merge_base(self.commits, pull.base_sha, pull.head_sha)
        return git.compare_trees(root.tree if root else {}, self.commits[pull.head_sha].tree)

    def commits_of(self, pull: Pull) -> list[Commit]:
        """Return the commits of a pull request, oldest first."""
        return git.list_between(self.commits, pull.base_sha, pull.head_sha)
