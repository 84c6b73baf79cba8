"""What is said in the conversation of an issue or a pull request (docs/forge-behaviour/github.md)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import IssueRef, NotFound, NotTheApi
from stithy_github.comments_mapping import minimized_reason
from stithy_github.graphql_client import MOST_PAGES, execute_graphql, reference_variables
from stithy_github.not_found_errors import read_issue
from stithy_github.threads_mapping import get_rest_id

if TYPE_CHECKING:
    from stithy_core.spi import Forge

from collections.abc import Sequence
from datetime import datetime

from stithy_core.spi import Comment, Comments, Listing, Reaction, Unknown
from stithy_github.comment_writes import (
    describe_write_errors,
    earliest_time,
    find_own_comment,
    format_time,
    is_same_text,
)
from stithy_github.comments_mapping import to_comment
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import REACTIONS, issue_path, repository_path
from stithy_github.not_found_errors import missing_issue


class GitHubComments(Comments):
    """Conversations."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first, as GitHub lists it."""
        path = f"{issue_path(subject)}/comments"
        try:
            rows = await self.forge.http.items(path, size=PAGE_SIZE, since=format_time(since) if since else "")
        except NotFound as error:
            raise await missing_issue(self.forge, subject, error) from error
        return rows.map(to_comment)

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Read one comment."""
        return to_comment(await self._read_comment(subject, comment))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment; when the answer is lost, the conversation is read back."""
        return await self.forge.outbox.write(
            (str(subject).lower(), body),
            self.forge.http.now(),
            lambda: self._post(subject, body),
            lambda since: self._find_created(subject, body, since),
            read=to_comment,
        )

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Put another text in a comment's place; when the answer is lost, it is read back."""
        await self._read_comment(subject, comment)

        async def send() -> Any:
            async with describe_write_errors(self.forge, subject):
                path = _comment_path(subject, comment)
                return await self.forge.http.send("PATCH", path, {"body": body}, idempotent=True, shape=dict)

        async def find() -> Comment | None:
            found = await self.get(subject, comment)
            return found if is_same_text(found.body, body) else None

        return await self.forge.outbox.confirm(send, find, read=to_comment)

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Count the emoji that answered a comment; old servers give them one by one."""
        counted = (await self.get(subject, comment)).reactions
        if not isinstance(counted, Unknown):
            return counted
        rows = await self.forge.http.items(f"{_comment_path(subject, comment)}/reactions", size=PAGE_SIZE)
        given = [row["content"] for row in rows]
        return tuple(Reaction(word, given.count(word)) for word in REACTIONS if word in given)

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:
        """Read what is folded away of a conversation, in one question for a hundred comments and reviews."""
        return await read_minimized(self.forge, subject)

    async def _read_comment(self, subject: IssueRef, comment: str) -> Any:
        """Read a comment's JSON; ids are the whole repository's, so its conversation is checked.

        Raises:
            NotFound: There is none of that id, or it is of another conversation.
        """
        remedy = "Read the conversation: it has the ids. What stands in the diff is read as threads."
        missing = NotFound(f"the conversation of {subject} has no comment {comment}", suggestion=remedy)
        if not comment.isdecimal():
            raise missing
        try:
            raw = await self.forge.http.get(_comment_path(subject, comment), shape=dict)
        except NotFound as error:
            missing.details = error.details
            raise missing from error
        if not raw["issue_url"].endswith(f"/issues/{subject.number}"):
            raise missing
        return raw

    async def _post(self, subject: IssueRef, body: str) -> Any:
        path = f"{issue_path(subject)}/comments"
        try:
            async with describe_write_errors(self.forge, subject):
                return await self.forge.http.send("POST", path, {"body": body}, shape=dict)
        except NotFound as error:
            raise await missing_issue(self.forge, subject, error) from error

    async def _find_created(self, subject: IssueRef, body: str, since: datetime) -> Comment | None:
        earliest = earliest_time(since)
        return await find_own_comment(self.forge, await self.list(subject, since=earliest), body, earliest)


def _comment_path(subject: IssueRef, comment: str) -> str:
    return f"{repository_path(subject.repository)}/issues/comments/{comment}"


LISTS = ("comments", "reviews")

MINIMIZED_QUERY = """
query Folded($owner: String!, $name: String!, $number: Int!,
  $comments: Boolean!, $afterComments: String, $reviews: Boolean!, $afterReviews: String) {
  repository(owner: $owner, name: $name) {
    issueOrPullRequest(number: $number) {
      ... on Issue {
        comments(first: 100, after: $afterComments) @include(if: $comments) { ...Comments }
      }
      ... on PullRequest {
        comments(first: 100, after: $afterComments) @include(if: $comments) { ...Comments }
        reviews(first: 100, after: $afterReviews) @include(if: $reviews) { ...Reviews }
      }
    }
  }
}
fragment Comments on IssueCommentConnection {
  nodes {
    fullDatabaseId
    databaseId
    ...Fold
  }
  pageInfo { hasNextPage endCursor }
}
fragment Reviews on PullRequestReviewConnection {
  nodes {
    fullDatabaseId
    databaseId
    ...Fold
  }
  pageInfo { hasNextPage endCursor }
}
fragment Fold on Minimizable {
  __typename
  isMinimized
  minimizedReason
}
"""


async def read_minimized(forge: "Forge", subject: IssueRef) -> Mapping[str, str]:
    """Read why comments and reviews are folded away, by their numbers in REST; the others are left out.

    Raises:
        NotFound: There is no such issue or pull request.
        Unsupported: The server is too old to say it.
    """
    found: dict[str, str] = {}
    left: Mapping[str, str | None] = dict.fromkeys(LISTS)
    for _ in range(MOST_PAGES):
        lists = await _read_minimized_page(forge, subject, left)
        for connection in lists.values():
            found |= _map_minimized(forge, connection["nodes"])
        following = {name: cursor for name, one in lists.items() if (cursor := _next_cursor(one)) is not None}
        if not following:
            return found
        if any(left[name] == cursor for name, cursor in following.items()):
            break
        left = following
    raise NotTheApi("the pages of GitHub's GraphQL do not end", suggestion="Ask again later.")


async def _read_minimized_page(forge: "Forge", subject: IssueRef, left: Mapping[str, str | None]) -> Mapping[str, Any]:
    """Read a page of each list of which there is more."""
    after = {f"after{name.title()}": left.get(name) for name in LISTS}
    wanted = {name: name in left for name in LISTS}
    try:
        data = await execute_graphql(forge, MINIMIZED_QUERY, reference_variables(subject) | wanted | after)
        found: Mapping[str, Any] | None = (data["repository"] or {}).get("issueOrPullRequest")
    except NotFound:
        await read_issue(forge, subject)  # tells a missing number from a missing repository
        raise
    if found is None:
        raise NotFound(f"GitHub's GraphQL shows no {subject}", suggestion="Check the name and the number.")
    return found


def _map_minimized(forge: "Forge", rows: list[Any]) -> dict[str, str]:
    shown = [row for row in rows if row]
    if any("isMinimized" not in row for row in shown):
        raise forge.comments.lacks("minimized", reason="its GraphQL is too old")
    return {
        get_rest_id(row): minimized_reason(row.get("minimizedReason"), away=True) for row in shown if row["isMinimized"]
    }


def _next_cursor(connection: Mapping[str, Any]) -> str | None:
    """Give the cursor after which the next page begins; None at the end."""
    page = connection["pageInfo"]
    cursor: str | None = page["endCursor"] if page["hasNextPage"] else None
    return cursor
