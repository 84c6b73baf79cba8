"""Issues, pull requests and comments of a world."""

from typing import Any

from github_double import git
from github_double.records import Account, Comment, Event, Issue, Label, Pull, Repository, Review, ReviewComment, Thread
from github_double.sources import Sources


class Talks(Sources):
    """A world with issues, pull requests and comments, by default of its own user; `user` None is a deleted account."""

    def add_label(self, issue: Issue, name: str, color: str = "ededed", description: str | None = None) -> None:
        """Mark an issue or a pull request."""
        number, now = self.stamp()
        labels = issue.repository.labels
        label = labels.setdefault(name, Label(name=name, id=number, color=color, description=description))
        issue.labels.append(label)
        self.add_event(issue, "labeled", label={"name": name, "color": color})
        issue.updated_at = now

    def add_issue(self, repository: Repository, title: str, body: str | None = "", **fields: Any) -> Issue:
        """Add an issue; `fields` are those of the record that are not as usual."""
        issue = Issue(**self._common(repository, title, body) | fields)
        repository.issues[issue.number] = issue
        return issue

    def add_pull(
        self,
        repository: Repository,
        title: str,
        head: str,
        *,
        base: str = "main",
        body: str | None = "",
        fork: Repository | None = None,
        **fields: Any,
    ) -> Pull:
        """Open a pull request for a branch that is there."""
        source = fork or repository
        tips = {"head_sha": source.branches[head], "base_sha": repository.branches[base]}
        usual = self._common(repository, title, body) | {"head": head, "head_repository": source, "base": base}
        pull = Pull(**usual | tips | fields)
        repository.issues[pull.number] = pull
        return pull

    def add_comment(self, issue: Issue, body: str, user: Account | str | None = "", **fields: Any) -> Comment:
        """Add a comment to a conversation; `user` None is a deleted account."""
        number, now = self.stamp()
        author = self.user if isinstance(user, str) else user
        comment = Comment(id=number, body=body, user=author, created_at=now, updated_at=now, **fields)
        issue.comments.append(comment)
        issue.updated_at = now
        return comment

    def add_event(self, issue: Issue, event: str, actor: Account | None = None, **more: Any) -> Event:
        """Add something to the timeline, by GitHub's word for it."""
        number, now = self.stamp()
        made = Event(id=number, event=event, actor=actor or self.user, created_at=now, more=more)
        issue.events.append(made)
        return made

    def add_review(
        self,
        pull: Pull,
        state: str = "COMMENTED",
        body: str = "",
        user: Account | str | None = "",
        *,
        commit: str | None = None,
    ) -> Review:
        """Add a verdict; one that is PENDING is seen by its author alone."""
        number, now = self.stamp()
        review = Review(
            id=number,
            user=self.user if isinstance(user, str) else user,
            body=body,
            state=state,
            commit=commit or pull.head_sha,
            created_at=now,
            submitted_at=None if state == "PENDING" else now,
        )
        pull.reviews.append(review)
        return review

    def add_thread(
        self,
        pull: Pull,
        path: str,
        line: int | None,
        body: str,
        user: Account | str | None = "",
        *,
        review: Review | None = None,
        outdated: bool = False,
        **fields: Any,
    ) -> Thread:
        """Open a thread at a line of the diff, or with None for the whole file, in a review of its own by default.

        Args:
            pull: The pull request.
            path: The file.
            line: As the diff has it; with `outdated`, as it had it once.
            body: The first comment's.
            user: Its author; None is a deleted account.
            review: What it came with.
            outdated: Whether the code has changed since.
            fields: Those of the record that are not as usual, such as `side="LEFT"` or `resolved_by`.
        """
        number, _ = self.stamp()
        found = next((change for change in self.changes_of(pull) if change.path == path), None)
        cut = git.cut_hunk(found.patch if found else None, line, fields.get("side", "RIGHT"))
        thread = Thread(
            id=number,
            pull=pull,
            path=path,
            line=None if outdated else line,
            original_line=line,
            subject="file" if line is None else "line",
            hunk=cut[0] if cut else "@@ -0,0 +1 @@",
            outdated=outdated,
            **fields,
        )
        pull.threads.append(thread)
        self.add_reply(thread, body, user, review=review)
        return thread

    def add_reply(
        self, thread: Thread, body: str, user: Account | str | None = "", *, review: Review | None = None
    ) -> ReviewComment:
        """Add a comment to a thread."""
        author = self.user if isinstance(user, str) else user
        given = review or self.add_review(thread.pull, user=author)
        number, now = self.stamp()
        comment = ReviewComment(
            id=number,
            body=body,
            user=author,
            created_at=now,
            updated_at=now,
            thread=thread,
            review=given,
            commit=given.commit,
        )
        thread.comments.append(comment)
        thread.pull.updated_at = now
        return comment

    def merge(self, pull: Pull) -> None:
        """Merge a pull request with a merge commit."""
        base, head = (self.commits[sha] for sha in (pull.repository.branches[pull.base], pull.head_sha))
        message = f"Merge pull request #{pull.number} from {pull.head}"
        commit = self.add_commit(message, base.tree | head.tree, base.sha, head.sha)
        pull.repository.branches[pull.base] = pull.merge_commit = commit.sha
        pull.merged_by, pull.merged_at = self.user, self.add_event(pull, "merged", commit_id=commit.sha).created_at
        self.close(pull)

    def close(self, issue: Issue) -> None:
        """Close an issue or a pull request."""
        issue.state = "closed"
        issue.closed_at = issue.updated_at = self.add_event(issue, "closed").created_at

    def _common(self, repository: Repository, title: str, body: str | None) -> dict[str, Any]:
        number, now = self.stamp()
        return {
            "id": number,
            "number": len(repository.issues) + 1,
            "repository": repository,
            "title": title,
            "body": body,
            "user": self.user,
            "created_at": now,
            "updated_at": now,
        }
