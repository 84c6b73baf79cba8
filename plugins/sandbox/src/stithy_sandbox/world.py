"""A world to play in: everything a forge holds, with a method to make each situation."""

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from stithy_core.spi import (
    BranchRules,
    Comment,
    CommitCheck,
    FileChange,
    Issue,
    IssueRef,
    Maybe,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    Review,
    ReviewComment,
    Thread,
    Tip,
    User,
    UserKind,
)
from stithy_sandbox import URL
from stithy_sandbox.records import Conversation, Pull, Repository
from stithy_sandbox.store import Store


class World(Store):
    """All that one forge holds, empty at first. Ids are unique across it, and what is made is the user's by default.

    Args:
        url: Where the forge is said to be; the URLs of what it holds begin with it.
    """

    def __init__(self, url: str = URL) -> None:
        super().__init__()
        self.url = url
        self.user = self.add_user("apprentice")
        """Who the token speaks for."""

    def add_user(self, login: str, kind: UserKind = UserKind.PERSON) -> User:
        """Add an account; a ghost has no id and needs none: `User("ghost", kind=UserKind.GHOST)`."""
        return User(login, self._stamp()[0], kind)

    def add_repository(self, name: str, *, formerly: Iterable[str] = (), writable: bool = True) -> RepositoryRef:
        """Add a repository.

        Args:
            name: As `namespace/name`.
            formerly: Names it had before; they still lead to it.
            writable: Whether the token's user has write access.
        """
        namespace, _, last = name.rpartition("/")
        repository = Repository(ref=RepositoryRef(namespace, last), writable=writable)
        for known in (*formerly, name):
            self._repositories[known.lower()] = repository
        return repository.ref

    def archive(self, repository: RepositoryRef) -> None:
        """Archive a repository: it takes no more writes."""
        self.repository(repository).archived = True

    def set_rules(self, repository: RepositoryRef, branch: str, rules: BranchRules) -> None:
        """Say what a branch demands."""
        self.repository(repository).rules[branch] = rules

    def add_issue(self, repository: RepositoryRef, title: str, **fields: Any) -> IssueRef:
        """Add an issue; `fields` are those of `Issue` that are not as usual, such as `state="closed"`."""
        ref = IssueRef(*self._place(repository))
        subject = Issue(ref=ref, title=title, **self._common(ref, "issues") | fields)
        self._keep(Conversation(subject=subject))
        return ref

    def add_pull_request(
        self, repository: RepositoryRef, title: str, *, branch: str = "work", **fields: Any
    ) -> PullRequestRef:
        """Add a pull request; `fields` are those of `PullRequest` that are not as usual, such as `draft=True`.

        Whether it is archived is its repository's business.
        """
        ref = PullRequestRef(*self._place(repository))
        commit = f"{int(self._stamp()[0]):040x}"
        usual: dict[str, Any] = {
            "draft": False,
            "merged": False,
            "head": Tip(branch=branch, commit=commit, repository=ref.repository),
            "base": Tip(branch="main", repository=ref.repository),
            "archived": False,
            "mergeable": True,
        }
        subject = PullRequest(ref=ref, title=title, **usual | self._common(ref, "pulls") | fields)
        self._keep(Pull(subject=subject))
        return ref

    def lock(self, subject: IssueRef) -> None:
        """Lock a conversation: only people with write access may go on."""
        conversation = self.conversation(subject)
        conversation.subject = evolve(conversation.subject, locked=True)

    def add_comment(self, subject: IssueRef, body: str, author: User | None = None) -> Comment:
        """Add a comment to the conversation of an issue or a pull request."""
        conversation = self.conversation(subject)
        comment = Comment(**self._said(conversation, "issuecomment-", body, author), reactions=())
        conversation.comments.append(comment)
        return comment

    def edit_comment(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Put another text in a comment's place."""
        comments, found = self.conversation(subject).comments, self.comment(subject, comment)
        edited = evolve(found, body=body, updated_at=self._stamp()[1])
        comments[comments.index(found)] = edited
        return edited

    def add_thread(
        self,
        pr: PullRequestRef,
        path: str,
        line: int | None,
        body: str,
        author: User | None = None,
        *,
        resolved: Maybe[bool] = False,
    ) -> Thread:
        """Open a thread at a place in the diff."""
        pull = self.pull(pr)
        opening = ReviewComment(**self._said(pull, "discussion_r", body, author), reactions=())
        thread = Thread(self._stamp()[0], path, line, resolved, (opening,), outdated=False)
        pull.threads[thread.id] = thread
        return thread

    def add_reply(self, pr: PullRequestRef, thread: str, body: str, author: User | None = None) -> ReviewComment:
        """Answer in a thread."""
        found, pull = self.thread(pr, thread), self.pull(pr)
        comment = ReviewComment(**self._said(pull, "discussion_r", body, author), reactions=())
        pull.threads[thread] = evolve(found, comments=(*found.comments, comment))
        return comment

    def settle(self, pr: PullRequestRef, thread: str, *, resolved: bool) -> Thread:
        """Mark a thread as resolved, or open it again."""
        settled = evolve(self.thread(pr, thread), resolved=resolved, resolved_by=self.user if resolved else None)
        self.pull(pr).threads[thread] = settled
        return settled

    def add_review(self, pr: PullRequestRef, state: str, body: str = "", author: User | None = None) -> Review:
        """Add a verdict; `state` is one of the model's words or a forge's own."""
        pull = self.pull(pr)
        made, now = self._stamp()
        url = f"{pull.subject.url}#pullrequestreview-{made}"
        review = Review(id=made, author=author or self.user, state=state, body=body, submitted_at=now, url=url)
        pull.reviews.append(review)
        return review

    def add_files(self, pr: PullRequestRef, *files: FileChange) -> None:
        """Add changed files."""
        self.pull(pr).files.update((file.path, file) for file in files)

    def add_checks(self, pr: PullRequestRef, *checks: CommitCheck) -> None:
        """Add checks of the head commit, or later attempts of those of the same name."""
        self.pull(pr).checks.update((check.name, check) for check in checks)

    def _place(self, repository: RepositoryRef) -> tuple[RepositoryRef, int]:
        """Give the present name and the next number: issues and pull requests share one series, from 1 on."""
        found = self.repository(repository)
        return found.ref, len(found.conversations) + 1

    def _keep(self, conversation: Conversation) -> None:
        ref = conversation.subject.ref
        self.repository(ref.repository).conversations[ref.number] = conversation

    def _common(self, ref: IssueRef, pages: str) -> dict[str, Any]:
        _, now = self._stamp()
        return {
            "body": "",
            "state": "open",
            "author": self.user,
            "locked": False,
            "created_at": now,
            "updated_at": now,
            "url": f"{self.url}/{ref.repository}/{pages}/{ref.number}",
        }

    def _said(self, on: Conversation, anchor: str, body: str, author: User | None) -> dict[str, Any]:
        """Give the fields of something new that was said."""
        made, now = self._stamp()
        on.subject = evolve(on.subject, updated_at=now)
        return {
            "id": made,
            "body": body,
            "author": author or self.user,
            "created_at": now,
            "updated_at": now,
            "url": f"{on.subject.url}#{anchor}{made}",
        }
