"""A world to play in: everything that the double holds, with a method to make each situation."""

from datetime import timedelta

from github_double import git
from github_double.people import People
from github_double.machines import Machines
from github_double.records import (
    Comment,
    Commit,
    Event,
    Issue,
    Label,
    Protection,
    Pull,
    Repository,
    Review,
    ReviewComment,
    Rule,
    Thread,
)

README = {"README.md": "# Read me\n"}


class World(Machines, People):
    """All that one GitHub holds, empty but for its user. What is made is that user's by default."""

    def __init__(self):
        super().__init__()
        self.user = self.add_user("smith")
        """Who the usual token speaks for."""
        self.stranger = self.add_user("stranger")
        self.token = "token-of-smith"
        self.strangers_token = "token-of-stranger"
        self.add_token(self.token, self.user, scopes=("repo", "read:org"))
        self.add_token(self.strangers_token, self.stranger)

    def add_repository(self, name, tree=README, *, private=False, formerly=(), owner=None, writable=True):
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

    def add_fork(self, repository, owner):
        """Fork a repository, with all its branches."""
        number, now = self.stamp()
        fork = Repository(
            id=number, owner=owner, name=repository.name, private=False, created_at=now, parent=repository
        )
        fork.branches = dict(repository.branches)
        self.repositories[fork.full_name.lower()] = fork
        return fork

    def add_commit(self, message, tree, *parents, author="", name="Smith"):
        """Make a commit; `author` None is somebody without an account."""
        _, now = self.stamp()
        account = self.user if author == "" else author
        sha = git.sha_of("commit", message, sorted(tree), now, *parents)
        commit = Commit(sha=sha, message=message, author=account, name=name, at=now, parents=parents, tree=dict(tree))
        self.commits[sha] = commit
        return commit

    def push(self, repository, branch, message, edit, *, begin="main", **fields):
        """Add a commit to a branch, which begins at another one; `edit` has None for what is deleted."""
        parent = repository.branches.get(branch) or repository.branches[begin]
        tree = self.commits[parent].tree | edit
        commit = self.add_commit(message, {path: text for path, text in tree.items() if text is not None}, parent, **fields)
        repository.branches[branch] = commit.sha
        for pull in self.pulls():
            if pull.head_repository is repository and pull.head == branch and pull.state == "open":
                pull.head_sha = commit.sha
        return commit

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
        cut = git.hunk_to(found and found.patch, line, fields.get("side", "RIGHT"))
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
        comment = ReviewComment(id=number, body=body, user=author, thread=thread, review=given, commit=given.commit, **times)
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

    def protect(self, repository, branch="main", **fields):
        """Protect a branch in the classic way."""
        repository.protections[branch] = Protection(**fields)

    def add_rule(self, repository, kind, branch="main", **parameters):
        """Add a rule of a ruleset."""
        number, _ = self.stamp()
        repository.rules.append(Rule(type=kind, parameters=parameters, ruleset=number % 1_000_000, branch=branch))

    def changes_of(self, pull):
        """Compare a pull request's head with the place where it parted from its base."""
        root = git.merge_base(self.commits, pull.base_sha, pull.head_sha)
        return git.changes(root.tree if root else {}, self.commits[pull.head_sha].tree)

    def commits_of(self, pull):
        """Give the commits of a pull request, oldest first."""
        return git.between(self.commits, pull.base_sha, pull.head_sha)

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

    def rename(self, repository, name):
        """Give a repository another name; the old one still leads to it."""
        old = repository.full_name.lower()
        self.former[old] = self.repositories.pop(old)
        repository.name = name
        self.repositories[repository.full_name.lower()] = repository

    def wait(self, **span):
        """Let time pass."""
        self.now += timedelta(**span)
