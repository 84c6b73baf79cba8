"""Issues and pull requests of a world, and what is said on them."""

from github_double import git
from github_double.records import Comment, Event, Issue, Label, Pull, Review, ReviewComment, Thread
from github_double.sources import Sources


class Talks(Sources):
    """What people say. It is said by the world's own user by default; `user` None is a deleted account."""

    def add_label(self, issue, name, color="ededed", description=None):
        """Mark an issue or a pull request."""
        number, now = self.stamp()
        labels = issue.repository.labels
        label = labels.setdefault(name, Label(name=name, id=number, color=color, description=description))
        issue.labels.append(label)
        self.add_event(issue, "labeled", label={"name": name, "color": color})
        issue.updated_at = now

    def add_issue(self, repository, title, body="", **fields):
        """Add an issue; `fields` are those of the record that are not as usual."""
        issue = Issue(**self._common(repository, title, body) | fields)
        repository.issues[issue.number] = issue
        return issue

    def add_pull(self, repository, title, head, *, base="main", body="", fork=None, **fields):
        """Open a pull request for a branch that is there."""
        source = fork or repository
        tips = {"head_sha": source.branches[head], "base_sha": repository.branches[base]}
        usual = self._common(repository, title, body) | {"head": head, "head_repository": source, "base": base}
        pull = Pull(**usual | tips | fields)
        repository.issues[pull.number] = pull
        return pull

    def add_comment(self, issue, body, user="", **fields):
        """Add a comment to a conversation; `user` None is a deleted account."""
        number, now = self.stamp()
        author = self.user if user == "" else user
        comment = Comment(id=number, body=body, user=author, created_at=now, updated_at=now, **fields)
        issue.comments.append(comment)
        issue.updated_at = now
        return comment

    def add_event(self, issue, event, actor=None, **more):
        """Add something to the timeline, by GitHub's word for it."""
        number, now = self.stamp()
        made = Event(id=number, event=event, actor=actor or self.user, created_at=now, more=more)
        issue.events.append(made)
        return made

    def add_review(self, pull, state="COMMENTED", body="", user="", *, commit=None):
        """Add a verdict; one that is PENDING is seen by its author alone."""
        number, now = self.stamp()
        review = Review(
            id=number,
            user=self.user if user == "" else user,
            body=body,
            state=state,
            commit=commit or pull.head_sha,
            created_at=now,
            submitted_at=None if state == "PENDING" else now,
        )
        pull.reviews.append(review)
        return review

    def add_thread(self, pull, path, line, body, user="", *, review=None, outdated=False, **fields):
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
        cut = git.cut_hunk(found and found.patch, line, fields.get("side", "RIGHT"))
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

    def add_reply(self, thread, body, user="", *, review=None):
        """Add a comment to a thread."""
        author = self.user if user == "" else user
        given = review or self.add_review(thread.pull, user=author)
        number, now = self.stamp()
        times = {"created_at": now, "updated_at": now}
        comment = ReviewComment(
            id=number, body=body, user=author, thread=thread, review=given, commit=given.commit, **times
        )
        thread.comments.append(comment)
        thread.pull.updated_at = now
        return comment

    def merge(self, pull):
        """Merge a pull request with a merge commit."""
        base, head = (self.commits[sha] for sha in (pull.repository.branches[pull.base], pull.head_sha))
        message = f"Merge pull request #{pull.number} from {pull.head}"
        commit = self.add_commit(message, base.tree | head.tree, base.sha, head.sha)
        pull.repository.branches[pull.base] = pull.merge_commit = commit.sha
        pull.merged_by, pull.merged_at = self.user, self.add_event(pull, "merged", commit_id=commit.sha).created_at
        self.close(pull)

    def close(self, issue):
        """Close an issue or a pull request."""
        issue.state = "closed"
        issue.closed_at = issue.updated_at = self.add_event(issue, "closed").created_at

    def _common(self, repository, title, body):
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
