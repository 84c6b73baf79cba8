"""The forge under test, and its prepared data."""

from attrs import Factory, evolve, field, frozen

from stithy_core.spi import Forge, IssueRef, PullRequestRef, RepositoryRef


@frozen(kw_only=True)
class Stage:
    """A forge and its prepared data, which docs/plugins.md describes. Each test gets a new one.

    Args:
        forge: The forge under test.
        author: The login of the token's user, who created everything.
        repository: The repository with the data.
        issue: Number 1, open.
        pr: Number 2, under review.
        merged: Number 3.
        draft: Number 4, into the branch of number 2.
        closed: Number 5, an issue.
        absent: A repository that does not exist.
        missing: A number that `repository` does not have.
        former: A former name of `repository`; None without one.
        archived: An issue in an archived repository; None without one.
        run: The id of a finished run of the forge's own CI on the head of `pr`; empty without one.
        native_replies: Whether the forge has replies of its own, and one exists.
        renames: Whether `pr` renames README.md.
        token: The forge's token, which must not appear in any text; empty without one.
        other_token: The token of another account that may comment; empty without one. With one, the forge is
            created with `forge_tokens = true` in `[serve.http]`, and the identity checks use both tokens in turn.
        other_author: The login of that account.
    """

    forge: Forge
    author: str
    repository: RepositoryRef
    issue: IssueRef = Factory(lambda self: IssueRef(self.repository, 1), takes_self=True)
    pr: PullRequestRef = Factory(lambda self: self.name_pull_request(2), takes_self=True)
    merged: PullRequestRef = Factory(lambda self: self.name_pull_request(3), takes_self=True)
    draft: PullRequestRef = Factory(lambda self: self.name_pull_request(4), takes_self=True)
    closed: IssueRef = Factory(lambda self: IssueRef(self.repository, 5), takes_self=True)
    absent: RepositoryRef = Factory(lambda self: RepositoryRef(self.repository.namespace, "absent"), takes_self=True)
    missing: int = 987
    former: RepositoryRef | None = None
    archived: IssueRef | None = None
    run: str = ""
    native_replies: bool = True
    renames: bool = True
    token: str = field(default="", repr=False)
    other_token: str = field(default="", repr=False)
    other_author: str = ""

    def name_pull_request(self, number: int) -> PullRequestRef:
        """Return the reference of a pull request of `repository`."""
        return self.forge.names.create_pull_request_ref(self.repository, number)

    @property
    def missing_issue(self) -> IssueRef:
        """An issue that does not exist."""
        return IssueRef(self.repository, self.missing)

    @property
    def missing_pr(self) -> PullRequestRef:
        """A pull request that does not exist."""
        return self.name_pull_request(self.missing)

    @property
    def absent_issue(self) -> IssueRef:
        """An issue in a repository that does not exist."""
        return IssueRef(self.absent, self.issue.number)

    @property
    def absent_pr(self) -> PullRequestRef:
        """A pull request in a repository that does not exist."""
        return evolve(self.pr, repository=self.absent)

    @property
    def issue_as_pr(self) -> PullRequestRef:
        """The issue's number as that of a pull request."""
        return self.name_pull_request(self.issue.number)
