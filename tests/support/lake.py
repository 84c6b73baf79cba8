"""A forge in memory with names as GitLab's: deep groups, and issues and merge requests that are numbered apart."""

from datetime import UTC, datetime
from typing import TypeAlias

from forge_names import GitLabNames

from stithy_core.spi import (
    BranchRef,
    Comment,
    Comments,
    Forge,
    ForgeKind,
    Issue,
    IssueRef,
    Issues,
    Listing,
    NotFound,
    PullRequest,
    PullRequestRef,
    PullRequests,
    RepositoryRef,
    User,
    Version,
    hookimpl,
)

STITHY_API = 1

TIME = datetime(2026, 1, 2, tzinfo=UTC)
REPOSITORY = RepositoryRef("group/team", "repo")
NAMES = GitLabNames()
ISSUE = IssueRef(REPOSITORY, 7)
REQUEST = NAMES.create_pull_request_ref(REPOSITORY, 7)
KAI = User(login="kai")
Conversations: TypeAlias = dict[str, list[Comment]]


def create_comment(number: int, body: str) -> Comment:
    """Create a comment."""
    url = f"https://lake.example/{number}"
    return Comment(id=str(number), body=body, author=KAI, created_at=TIME, updated_at=TIME, url=url)


class LakeIssues(Issues):
    """Issues up to number 7."""

    async def get(self, issue: IssueRef) -> Issue:
        """Return an issue."""
        if issue.number > ISSUE.number:
            raise NotFound(f"{issue} was not found")
        return Issue(
            ref=IssueRef(REPOSITORY, issue.number),
            title="The lake is wet",
            body="",
            state="open",
            author=KAI,
            locked=False,
            created_at=TIME,
            updated_at=TIME,
            url=f"https://lake.example/group/team/repo/-/issues/{issue.number}",
        )


class LakePullRequests(PullRequests):
    """Merge requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Return the merge request."""
        return PullRequest(
            ref=NAMES.create_pull_request_ref(REPOSITORY, pr.number),
            title="Dry the lake",
            body="",
            state="open",
            author=KAI,
            locked=False,
            created_at=TIME,
            updated_at=TIME,
            url=f"https://lake.example/group/team/repo/-/merge_requests/{pr.number}",
            draft=False,
            merged=False,
            archived=False,
            head=BranchRef(branch="dry", commit="a" * 40, repository=REPOSITORY),
            base=BranchRef(branch="main", commit="b" * 40, repository=REPOSITORY),
        )

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", head: str = "", base: str = "", most: int = 1_000
    ) -> Listing[PullRequest]:
        """Return the one merge request."""
        return Listing((await self.get(REQUEST),))


async def _create_conversations() -> Conversations:
    return {}


class LakeComments(Comments):
    """Comments, which are kept by the text of the conversation's reference, as caches and ledgers keep them."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Return the comments."""
        return Listing(tuple((await self._read()).get(str(subject), ())))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment once."""
        conversations = await self._read()

        async def send() -> Comment:
            comment = create_comment(1 + sum(map(len, conversations.values())), body)
            conversations.setdefault(str(subject), []).append(comment)
            return comment

        async def find(since: datetime) -> Comment | None:
            return next((one for one in conversations.get(str(subject), ()) if one.body == body), None)

        return await self.forge.outbox.write((str(subject).lower(), body), TIME, send, find)

    async def _read(self) -> Conversations:
        return await self.forge.once("conversations", _create_conversations)


class Lake(Forge):
    """The forge."""

    capabilities = (LakeIssues, LakePullRequests, LakeComments)

    async def identify(self) -> Version:
        """Return its only version."""
        return Version("lake", "1.0")

    def now(self) -> datetime:
        """Return the time of all records."""
        return TIME

    async def token_identity(self) -> str:
        """Return that no token is used."""
        return ""

    async def _account_identity(self) -> str:
        return ""


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Return the kind `lake`."""
    return [ForgeKind(name="lake", title="Lake", forge=Lake, hosts=("lake.example",), names=NAMES)]
