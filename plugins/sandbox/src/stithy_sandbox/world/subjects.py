"""Creation of issues and pull requests, and changes of their state."""

from typing import Any

from attrs import evolve

from stithy_core.spi import (
    BranchRef,
    Conflict,
    Event,
    Issue,
    IssueRef,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    User,
)
from stithy_sandbox.world.history import written_to
from stithy_sandbox.world.records import Conversation, Pull
from stithy_sandbox.world.repositories import Repositories
from stithy_sandbox.world.views import clashes, ends, owned_changes


class Subjects(Repositories):
    """Issues and pull requests; both share one series of numbers per repository, from 1 on."""

    def add_issue(self, repository: RepositoryRef, title: str, **fields: Any) -> IssueRef:
        """Add an issue; `fields` are other fields of `Issue`, such as `labels`."""
        ref = IssueRef(*self._place(repository))
        subject = Issue(ref=ref, title=title, **self._common(ref, "issues") | fields)
        self._keep(Conversation(subject=subject))
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
        ref = PullRequestRef(*self._place(repository))
        head = BranchRef(branch=branch or f"work-{ref.number}", repository=self.repository(fork or repository).ref)
        self._begin(head, into, title)
        usual: dict[str, Any] = {
            "draft": False,
            "merged": False,
            "head": head,
            "base": BranchRef(branch=into, repository=ref.repository),
            "archived": False,
        }
        self._keep(Pull(subject=PullRequest(ref=ref, title=title, **usual | self._common(ref, "pulls") | fields)))
        return ref

    def wait_for(self, pr: PullRequestRef, subject: IssueRef) -> None:
        """Block a pull request by an issue or another pull request until that is closed."""
        self.pull(pr).waits_for.append(subject)

    def lock(self, subject: IssueRef) -> None:
        """Lock a conversation for users without write access."""
        self._change(subject, "locked", locked=True)

    def close(self, subject: IssueRef, actor: User | None = None) -> None:
        """Close an issue or a pull request."""
        event = self._change(subject, "closed", actor, state="closed")
        conversation = self.conversation(subject)
        conversation.subject = evolve(conversation.subject, closed_at=event.at)

    def merge(self, pr: PullRequestRef, actor: User | None = None) -> str:
        """Merge a pull request with a merge commit, and return its SHA.

        Raises:
            Conflict: Both sides changed a file in different ways.
        """
        pull = self.pull(pr)
        base, head = ends(self, pull)
        if files := clashes(self, pull):
            raise Conflict(f"{pr} conflicts in {', '.join(files)}", suggestion="Resolve the conflicts on its branch.")
        tree = written_to(base.tree, owned_changes(self, pull))
        home, message = self.repository(pr.repository), f"Merge pull request #{pull.subject.ref.number}"
        parents = (base.sha, head.sha)
        made = self._append(home, pull.subject.base.branch, message, author=actor, tree=tree, parents=parents)
        pull.ends = parents
        event = self._change(pr, "merged", actor, text=made.sha, state="closed", merged=True, merge_commit=made.sha)
        pull.subject = evolve(pull.subject, merged_at=event.at, closed_at=event.at, merged_by=actor or self.user)
        return made.sha

    def _begin(self, head: BranchRef, into: str, title: str) -> None:
        assert head.repository is not None
        if head.branch not in self.repository(head.repository).history.branches:
            self.add_branch(head.repository, head.branch, at=into)
            self.add_commit(head.repository, head.branch, title, {})

    def _place(self, repository: RepositoryRef) -> tuple[RepositoryRef, int]:
        """Return the repository's current name and the next number."""
        found = self.repository(repository)
        return found.ref, len(found.conversations) + 1

    def _keep(self, conversation: Conversation) -> None:
        ref = conversation.subject.ref
        self.repository(ref.repository).conversations[ref.number] = conversation

    def _common(self, ref: IssueRef, pages: str) -> dict[str, Any]:
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

    def _change(
        self, subject: IssueRef, kind: str, actor: User | None = None, *, text: str = "", **fields: Any
    ) -> Event:
        """Change fields of an issue or pull request, and add and return the event."""
        conversation = self.conversation(subject)
        made, now = self.stamp()
        event = Event(id=made, kind=kind, at=now, actor=actor or self.user, subject=text, raw=kind)
        conversation.events.append(event)
        conversation.subject = evolve(conversation.subject, updated_at=now, **fields)
        return event
