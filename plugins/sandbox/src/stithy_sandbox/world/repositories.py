"""Creation of repositories, branches, commits and branch rules, and of issues and pull requests in them."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRef,
    BranchRules,
    Conflict,
    Event,
    Issue,
    IssueRef,
    NotFound,
    PullRequest,
    PullRequestRef,
    Rejected,
    RepositoryRef,
    User,
)
from stithy_sandbox.world.history import Snapshot, apply_changes
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.views import find_conflicts, find_ends, find_merge_changes
from stithy_sandbox.world.world_records import Conversation, Pull, RepositoryRecord

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

    def grant_push(self, repository: RepositoryRef, user: User) -> None:
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
        tree = apply_changes(tip.tree, changes)
        return self._append(home, branch, message, author=author, tree=tree, parents=(tip.sha,)).sha

    def _append(
        self, repository: RepositoryRecord, branch: str, message: str, *, author: User | None = None, **made: Any
    ) -> Snapshot:
        """Add a commit to a branch; `made` has its tree and its parents."""
        snapshot = Snapshot(message=message, author=author or self.user, at=self.now(), **made)
        return repository.history.add(branch, snapshot)


class Subjects(Repositories):
    """Issues and pull requests; both share one series of numbers per repository, from 1 on."""

    def add_issue(self, repository: RepositoryRef, title: str, **fields: Any) -> IssueRef:
        """Add an issue; `fields` are other fields of `Issue`, such as `labels`."""
        ref = IssueRef(*self._next_number(repository))
        subject = Issue(ref=ref, title=title, **self._build_defaults(ref, "issues") | fields)
        self._add_conversation(Conversation(subject=subject))
        return ref

    def add_pull_request(
        self,
        repository: RepositoryRef,
        title: str,
        *,
        branch: str = "",
        into: str = "main",
        fork: RepositoryRef | None = None,
        **fields: Any,
    ) -> PullRequestRef:
        """Add a pull request.

        Args:
            repository: The base repository.
            title: The title.
            branch: The head branch; if it does not exist, it is created with an empty commit.
            into: The base branch.
            fork: The head repository, if it is a fork.
            fields: Other fields of `PullRequest`, such as `draft=True`; not those computed from commits and repository.
        """
        ref = PullRequestRef(*self._next_number(repository))
        head = BranchRef(branch=branch or f"work-{ref.number}", repository=self.repository(fork or repository).ref)
        self._create_head(head, into, title)
        usual: dict[str, Any] = {
            "draft": False,
            "merged": False,
            "head": head,
            "base": BranchRef(branch=into, repository=ref.repository),
            "archived": False,
        }
        self._add_conversation(
            Pull(subject=PullRequest(ref=ref, title=title, **usual | self._build_defaults(ref, "pulls") | fields))
        )
        return ref

    def wait_for(self, pr: PullRequestRef, subject: IssueRef) -> None:
        """Block a pull request by an issue or another pull request until that is closed."""
        self.pull(pr).waits_for.append(subject)

    def lock(self, subject: IssueRef) -> None:
        """Lock a conversation for users without write access."""
        self._change_state(subject, "locked", locked=True)

    def close(self, subject: IssueRef, actor: User | None = None) -> None:
        """Close an issue or a pull request."""
        event = self._change_state(subject, "closed", actor, state="closed")
        conversation = self.conversation(subject)
        conversation.subject = evolve(conversation.subject, closed_at=event.at)

    def merge(self, pr: PullRequestRef, actor: User | None = None) -> str:
        """Merge a pull request with a merge commit, and return its SHA.

        Raises:
            Conflict: Both sides changed a file in different ways.
        """
        pull = self.pull(pr)
        base, head = find_ends(self, pull)
        if files := find_conflicts(self, pull):
            raise Conflict(f"{pr} conflicts in {', '.join(files)}", suggestion="Resolve the conflicts on its branch.")
        tree = apply_changes(base.tree, find_merge_changes(self, pull))
        home, message = self.repository(pr.repository), f"Merge pull request #{pull.subject.ref.number}"
        parents = (base.sha, head.sha)
        made = self._append(home, pull.subject.base.branch, message, author=actor, tree=tree, parents=parents)
        pull.ends = parents
        event = self._change_state(
            pr, "merged", actor, text=made.sha, state="closed", merged=True, merge_commit=made.sha
        )
        pull.subject = evolve(pull.subject, merged_at=event.at, closed_at=event.at, merged_by=actor or self.user)
        return made.sha

    def retarget(self, pr: PullRequestRef, branch: str) -> None:
        """Change the base branch of an open pull request.

        Raises:
            NotFound: The repository has no such branch.
            Rejected: The pull request is not open.
        """
        pull = self._require_open(pr)
        if branch not in self.repository(pr.repository).history.branches:
            raise NotFound(f"{pr.repository} has no branch {branch!r}", suggestion="Check the name of the branch.")
        if pull.subject.base.branch == branch:
            return
        pull.subject = evolve(pull.subject, base=evolve(pull.subject.base, branch=branch), updated_at=self.now())

    def update_branch(self, pr: PullRequestRef, head: str) -> str:
        """Merge the base of an open pull request into its branch, and return the SHA of the merge.

        Raises:
            Conflict: Both sides changed a file in different ways, or the head is another commit.
            Rejected: The pull request is not open.
        """
        pull = self._require_open(pr)
        base, tip = find_ends(self, pull)
        if tip.sha != head:
            raise Conflict(f"the head of {pr} is {tip.sha[:12]} now", suggestion="Read the pull request again.")
        if files := find_conflicts(self, pull):
            raise Conflict(f"{pr} conflicts in {', '.join(files)}", suggestion="Resolve the conflicts on its branch.")
        tree, branch = apply_changes(base.tree, find_merge_changes(self, pull)), pull.subject.head
        message = f"Merge branch {pull.subject.base.branch!r} into {branch.branch}"
        home = self.repository(branch.repository or pr.repository)
        return self._append(home, branch.branch, message, tree=tree, parents=(tip.sha, base.sha)).sha

    def _require_open(self, pr: PullRequestRef) -> Pull:
        pull = self.pull(pr)
        if pull.subject.state != "open":
            raise Rejected(f"{pr} is not open", suggestion="Reopen it, or open another pull request.")
        return pull

    def _create_head(self, head: BranchRef, into: str, title: str) -> None:
        assert head.repository is not None
        if head.branch not in self.repository(head.repository).history.branches:
            self.add_branch(head.repository, head.branch, at=into)
            self.add_commit(head.repository, head.branch, title, {})

    def _next_number(self, repository: RepositoryRef) -> tuple[RepositoryRef, int]:
        """Return the repository's current name and the next number."""
        found = self.repository(repository)
        return found.ref, len(found.conversations) + 1

    def _add_conversation(self, conversation: Conversation) -> None:
        ref = conversation.subject.ref
        self.repository(ref.repository).conversations[ref.number] = conversation

    def _build_defaults(self, ref: IssueRef, pages: str) -> dict[str, Any]:
        _, now = self.stamp()
        return {
            "body": "",
            "state": "open",
            "author": self.user,
            "locked": False,
            "created_at": now,
            "updated_at": now,
            "url": f"{self.url}/{ref.repository}/{pages}/{ref.number}",
        }

    def _change_state(
        self, subject: IssueRef, kind: str, actor: User | None = None, *, text: str = "", **fields: Any
    ) -> Event:
        """Change fields of an issue or pull request, and add and return the event."""
        conversation = self.conversation(subject)
        made, now = self.stamp()
        event = Event(id=made, kind=kind, at=now, actor=actor or self.user, subject=text, raw=kind)
        conversation.events.append(event)
        conversation.subject = evolve(conversation.subject, updated_at=now, **fields)
        return event
