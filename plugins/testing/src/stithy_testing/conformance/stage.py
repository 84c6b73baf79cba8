"""The forge under test, and its prepared data."""

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, get_args, get_origin

from attrs import Factory, evolve, field, fields, frozen

from stithy_core.spi import Forge, IssueRef, PullRequestRef, RepositoryRef, Verdict

EXAMPLES: Mapping[object, str] = {
    Forge: "a forge, such as open_forge yields",
    RepositoryRef: 'a RepositoryRef, such as RepositoryRef("owner", "repo")',
    IssueRef: "an IssueRef, such as IssueRef(repository, 1)",
    PullRequestRef: "a PullRequestRef, such as forge.names.create_pull_request_ref(repository, 2)",
    bool: "True or False",
    str: 'a text, such as "7"',
    int: "a number",
    tuple: 'a tuple of texts, such as ("Add hello.py", "Change texts")',
    Mapping: 'a mapping of names to verdicts, such as {"build": Verdict.PASSED}',
}
"""What to pass for a field of `Stage`, by its type."""
CHECKS = {"build": Verdict.PASSED, "lint": Verdict.PENDING, "test": Verdict.FAILED}
COMMITS = ("Add hello.py", "Change texts")


def _check_type(value: object, name: str, kind: Any, *, secret: bool = False) -> None:
    """Check the type of a field; a secret value is not shown.

    Raises:
        TypeError: It is another one; the message says what to pass.
    """
    kinds = get_args(kind) if get_origin(kind) is UnionType else (kind,)
    allowed = tuple(get_origin(one) or one for one in kinds)
    if not isinstance(value, allowed):
        choices = " or ".join(EXAMPLES.get(one, "None") for one in allowed)
        shown = type(value).__name__ if secret else repr(value)
        raise TypeError(f"Stage.{name} is {shown}; pass {choices}")


def _check_forge(value: Forge) -> Forge:
    _check_type(value, "forge", Forge)
    return value


def _check_repository(value: RepositoryRef) -> RepositoryRef:
    _check_type(value, "repository", RepositoryRef)
    return value


@frozen(kw_only=True)
class Stage:
    """A forge and its prepared data, which docs/plugins/recordings-and-tests.md describes. Each test gets a new one.

    Where the forge numbers issues and pull requests apart, the default numbers are 1 and 2 for the issues and 1 to 3
    for the pull requests, otherwise 1 to 5 for all.

    Args:
        forge: The forge under test.
        author: The login of the token's user, who created everything.
        repository: The repository with the data.
        issue: The open issue; None on a forge without issues.
        closed: The closed issue; None on a forge without issues.
        pr: The pull request under review.
        merged: The merged pull request.
        draft: The draft, into the branch of `pr`.
        conversation: Where the comments `first`, `second` and `third` are: by default in `issue`. On a forge without
            issues, a further open pull request into `main`.
        absent: A repository that does not exist.
        missing: A number that neither an issue nor a pull request of `repository` has.
        former: A former name of `repository`; None without one.
        archived: An issue in an archived repository; None without one.
        run: The id of a finished run of the forge's own CI on the head of `pr`; empty without one.
        native_replies: Whether the forge has replies of its own, and one exists.
        renames: Whether `pr` renames README.md.
        grouped_reviews: Whether comments on lines belong to reviews with a text of their own. If not, `pr` has no
            review, and its threads begin with single comments.
        head_branches: Whether pull requests come from branches. If not, their head is a commit alone, `draft` is into
            `main`, and no branch `greet` or `later` exists.
        drafts: Whether the forge has drafts. If not, `draft` is a pull request like others.
        silent_resolution: Whether threads are resolved and reopened without a comment. If not, that adds a reply.
        keeps_white_space: Whether general comments keep white space at their ends.
        pr_body: The description of `pr`, where the forge cannot store the default.
        commits: The messages of the commits of `pr`, oldest first; one where a pull request has only one.
        checks: The checks of the head of `pr`, where the forge cannot store the default.
        token: The forge's token, which must not appear in any text; empty without one.
        other_token: The token of another account that may comment; empty without one. With one, the forge is
            created with `forge_tokens = true` in `[serve.http]`, and the identity checks use both tokens in turn.
        other_author: The login of that account.

    Raises:
        TypeError: A field has another type.
        ValueError: Two fields contradict each other, or one is empty. Both messages say what to change.
    """

    forge: Forge = field(converter=_check_forge)
    author: str
    repository: RepositoryRef = field(converter=_check_repository)
    issue: IssueRef | None = Factory(lambda self: IssueRef(self.repository, 1), takes_self=True)
    closed: IssueRef | None = Factory(
        lambda self: self.issue and IssueRef(self.repository, 2 if self.numbers_apart else 5), takes_self=True
    )
    pr: PullRequestRef = Factory(lambda self: self._number_pull_request(1, 2), takes_self=True)
    merged: PullRequestRef = Factory(lambda self: self._number_pull_request(2, 3), takes_self=True)
    draft: PullRequestRef = Factory(lambda self: self._number_pull_request(3, 4), takes_self=True)
    conversation: IssueRef = Factory(lambda self: self.issue, takes_self=True)
    absent: RepositoryRef = Factory(lambda self: RepositoryRef(self.repository.namespace, "absent"), takes_self=True)
    missing: int = 987
    former: RepositoryRef | None = None
    archived: IssueRef | None = None
    run: str = ""
    native_replies: bool = True
    renames: bool = True
    grouped_reviews: bool = True
    head_branches: bool = True
    drafts: bool = True
    silent_resolution: bool = True
    keeps_white_space: bool = True
    pr_body: str = "Closes #1."
    commits: tuple[str, ...] = COMMITS
    checks: Mapping[str, Verdict] = field(factory=lambda: dict(CHECKS))
    token: str = field(default="", repr=False)
    other_token: str = field(default="", repr=False)
    other_author: str = ""

    def __attrs_post_init__(self) -> None:
        if self.issue is None and self.conversation is None:
            remedy = "without an issue, pass a pull request that has the comments first, second and third"
            raise ValueError(f"Stage.conversation is missing; {remedy}")
        for one in fields(type(self)):
            _check_type(getattr(self, one.name), one.name, one.type, secret=not one.repr)
        if fault := next(_find_contradictions(self), ""):
            raise ValueError(f"Stage.{fault}")

    def _number_pull_request(self, apart: int, shared: int) -> PullRequestRef:
        number = apart if self.numbers_apart else shared
        return self.forge.names.create_pull_request_ref(self.repository, number)

    @property
    def numbers_apart(self) -> bool:
        """Whether issues and pull requests are numbered apart, so that an issue 1 and a pull request 1 exist."""
        return self.forge.names.numbers_apart

    @property
    def missing_conversation(self) -> IssueRef:
        """A conversation that does not exist."""
        return evolve(self.conversation, number=self.missing)

    @property
    def missing_pr(self) -> PullRequestRef:
        """A pull request that does not exist."""
        return evolve(self.pr, number=self.missing)

    @property
    def absent_conversation(self) -> IssueRef:
        """A conversation in a repository that does not exist."""
        return evolve(self.conversation, repository=self.absent)

    @property
    def absent_pr(self) -> PullRequestRef:
        """A pull request in a repository that does not exist."""
        return evolve(self.pr, repository=self.absent)

    @property
    def issue_as_pr(self) -> PullRequestRef | None:
        """The issue's number as that of a pull request; None if it may be a pull request's number, too."""
        return None if self.issue is None or self.numbers_apart else evolve(self.pr, number=self.issue.number)


def _find_contradictions(stage: Stage) -> Iterator[str]:
    """Iterate over what is wrong between the fields: the name of a field, and what to change."""
    if not stage.author:
        yield "author is empty; pass the login of the token's user, who created the data"
    yield from _check_references(stage)
    for name in ("absent", "former"):
        if getattr(stage, name) == stage.repository:
            yield f"{name} is {str(stage.repository)!r}, which is the repository itself; pass another name"
    if stage.archived is not None and stage.archived.repository == stage.repository:
        yield f"archived is {str(stage.archived)!r}; pass an issue of another repository, which is archived"
    if bool(stage.other_token) != bool(stage.other_author):
        lacking, there = ("other_author", "other_token") if stage.other_token else ("other_token", "other_author")
        yield f"{lacking} is empty; pass it together with {there}"
    if stage.other_token and stage.other_token == stage.token:
        yield "other_token is the same as token; pass the token of another account"
    if not stage.commits or not stage.checks:
        yield f"{'checks' if stage.commits else 'commits'} is empty; leave it out if `pr` has the usual ones"


def _check_references(stage: Stage) -> Iterator[str]:
    names = ("issue", "closed", "pr", "merged", "draft", "conversation")
    found = {name: getattr(stage, name) for name in names if getattr(stage, name) is not None}
    taken: dict[object, str] = {}
    for name, ref in found.items():
        is_pr = isinstance(ref, PullRequestRef)
        if ref.repository != stage.repository:
            yield f"{name} is {str(ref)!r}; pass one of the repository '{stage.repository}'"
        if is_pr and name in ("issue", "closed"):
            yield f"{name} is the pull request {str(ref)!r}; pass IssueRef(repository, {ref.number}), or None"
        if is_pr and ref.mark != stage.forge.names.mark:
            yield f"{name} is {str(ref)!r}; create it by forge.names.create_pull_request_ref(repository, {ref.number})"
        if ref.number == stage.missing:
            yield f"missing is {stage.missing}, which is the number of {name}; pass a number that does not exist"
        key = (ref.number, is_pr and stage.numbers_apart)
        if key in taken and (name, taken[key]) != ("conversation", "issue"):
            yield f"{name} is {str(ref)!r}, and so is {taken[key]}; pass different ones"
        taken.setdefault(key, name)
