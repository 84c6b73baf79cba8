"""Creation of repositories, branches, commits and branch rules."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from stithy_core.spi import NOT_REPORTED, BranchRules, RepositoryRef, User
from stithy_sandbox.world.history import Snapshot, written_to
from stithy_sandbox.world.records import RepositoryRecord
from stithy_sandbox.world.store import Store

README = {"README.md": "# Sandbox\n"}


class Repositories(Store):
    """Repositories, branches, commits and rules."""

    def add_repository(
        self,
        name: str,
        *,
        formerly: Iterable[str] = (),
        writable: bool = True,
        private: bool = False,
        tree: Mapping[str, str] = README,
        of: RepositoryRef | None = None,
    ) -> RepositoryRef:
        """Add a repository with one commit on `main`.

        Args:
            name: The name, `namespace/name`.
            formerly: Its former names, under which it can still be found.
            writable: Whether the token's user has write access.
            private: Whether it is private.
            tree: The files of the first commit: texts by path.
            of: The repository that it is a fork of; the fork has that repository's branches instead of `tree`.
        """
        namespace, _, last = name.rpartition("/")
        made = RepositoryRecord(ref=RepositoryRef(namespace, last), writable=writable, private=private, parent=of)
        if of is not None:
            made.history = self.repository(of).history.fork()
        for known in (*formerly, name):
            self._repositories[known.lower()] = made
        if of is None:
            self._append(made, "main", "Begin", tree=dict(tree), parents=())
        return made.ref

    def archive(self, repository: RepositoryRef) -> None:
        """Archive a repository, which makes it read-only."""
        self.repository(repository).archived = True

    def let_push(self, repository: RepositoryRef, user: User) -> None:
        """Grant an account write access."""
        self.repository(repository).pushers.add(user.login.lower())

    def set_rules(self, repository: RepositoryRef, branch: str, rules: BranchRules) -> None:
        """Set the rules of a branch."""
        protected = True if rules.protected is NOT_REPORTED else rules.protected
        sources = rules.sources or (f"branch protection {branch}",)
        self.repository(repository).rules[branch] = evolve(rules, protected=protected, sources=sources)

    def add_branch(self, repository: RepositoryRef, branch: str, *, at: str = "main") -> None:
        """Create a branch at the commit of another branch, or at a SHA."""
        self.repository(repository).history.branches[branch] = self.commit(repository, at).sha

    def add_commit(
        self,
        repository: RepositoryRef,
        branch: str,
        message: str,
        changes: Mapping[str, str | None],
        author: User | None = None,
    ) -> str:
        """Add a commit to a branch and return its SHA; in `changes`, None deletes a file."""
        home, tip = self.repository(repository), self.commit(repository, branch)
        tree = written_to(tip.tree, changes)
        return self._append(home, branch, message, author=author, tree=tree, parents=(tip.sha,)).sha

    def _append(
        self, repository: RepositoryRecord, branch: str, message: str, *, author: User | None = None, **made: Any
    ) -> Snapshot:
        """Add a commit to a branch; `made` has its tree and its parents."""
        snapshot = Snapshot(message=message, author=author or self.user, at=self.now(), **made)
        return repository.history.add(branch, snapshot)
