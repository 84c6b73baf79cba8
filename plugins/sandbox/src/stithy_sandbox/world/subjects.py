"""Making issues and pull requests, and what happens to them."""

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
    """Issues and pull requests share one series of numbers, from 1 on."""

    def add_issue(self, repository: RepositoryRef, title: str, **fields: Any) -> IssueRef:
        """Add an issue; `fields` are those of `Issue` that are not as usual, such as `labels`."""
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
            repository: Into which it goes.
            title: What it is called.
            branch: From where; without a branch of that name, one begins with an empty commit.
            into: The branch it goes into.
            fork: Where `branch` is, if it is elsewhere.
            fields: Those of `PullRequest` that are not as usual, such as `draft=True`. What follows from the commits
                and the repository is not among them.
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
        """Let a pull request be merged only when an issue or another one is closed."""
        self.pull(pr).waits_for.append(subject)

    def lock(self, subject: IssueRef) -> None:
        """Lock a conversation: only people with write access may go on."""
        self._change(subject, "locked", locked=True)

    def close(self, subject: IssueRef, actor: User | None = None) -> None:
        """Close an issue or a pull request."""
        event = self._change(subject, "closed", actor, state="closed")
        conversation = self.conversation(subject)
        conversation.subject = evolve(conversation.subject, closed_at=event.at)

    def merge(self, pr: PullRequestRef, actor: User | None = None) -> str:
        """Merge a pull request by a merge commit, and give its SHA.

        Raises:
            Conflict: Both sides changed a file, and not alike.
        """
        pull = self.pull(pr)
        base, head = ends(self, pull)
        if files := clashes(self, pull):
            raise Conflict(f"{pr} conflicts in {', '.join(files)}", suggestion="Solve the conflicts on its branch.")
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
        """Give the present name and the next number."""
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
        """Put other fields in the place of a subject's, and keep what happened."""
        conversation = self.conversation(subject)
        made, now = self.stamp()
        event = Event(id=made, kind=kind, at=now, actor=actor or self.user, subject=text, raw=kind)
        conversation.events.append(event)
        conversation.subject = evolve(conversation.subject, updated_at=now, **fields)
        return event
