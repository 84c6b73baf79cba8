"""Comments in the conversation of an issue or a pull request (docs/forge-behaviour/github.md#comments-and-threads).

Whether a comment or a review is minimized is known to GraphQL alone on servers whose REST API does not report it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from stithy_core.spi import (
    Comment,
    CommentBlock,
    Comments,
    IssueRef,
    Listing,
    NotFound,
    Reaction,
    Unknown,
    raise_explained,
)
from stithy_github.comment_writes import (
    describe_write_errors,
    earliest_time,
    find_own_comment,
    format_time,
    is_same_text,
)
from stithy_github.comments_mapping import to_comment
from stithy_github.graphql_client import MAX_PAGES, create_paging_error, execute_graphql, reference_variables
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import REACTIONS, issue_path, repository_path
from stithy_github.not_found_errors import missing_issue, read_issue
from stithy_github.pull_conversation import read_comment_block
from stithy_github.threads_mapping import TOO_OLD, map_minimized_rows

if TYPE_CHECKING:
    from stithy_core.spi import Forge

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


class GitHubComments(Comments):
    """Comments of conversations."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Return the whole conversation, oldest first, as GitHub lists it."""
        path = f"{issue_path(subject)}/comments"
        try:
            rows = await self.forge.http.items(path, size=PAGE_SIZE, since=format_time(since) if since else "")
        except NotFound as error:
            raise_explained(await missing_issue(self.forge, subject, error), error)
        return rows.map(to_comment)

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Return a comment."""
        return to_comment(await self._read_comment(subject, comment))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Create a comment; if the response is lost, the conversation is read back."""
        return await self.forge.outbox.write(
            (str(subject).lower(), body),
            self.forge.http.now(),
            lambda: self._post(subject, body),
            lambda since: self._find_created(subject, body, since),
            read=to_comment,
        )

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Replace a comment's text; if the response is lost, the comment is read back."""
        await self._read_comment(subject, comment)

        async def send() -> Any:
            async with describe_write_errors(self.forge, subject):
                path = _comment_path(subject, comment)
                return await self.forge.http.send("PATCH", path, {"body": body}, idempotent=True, shape=dict)

        async def find() -> Comment | None:
            current = await self.get(subject, comment)
            return current if is_same_text(current.body, body) else None

        return await self.forge.outbox.confirm(send, find, read=to_comment)

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Return the reactions to a comment with their counts; old servers list them one by one."""
        reactions = (await self.get(subject, comment)).reactions
        if not isinstance(reactions, Unknown):
            return reactions
        rows = await self.forge.http.items(f"{_comment_path(subject, comment)}/reactions", size=PAGE_SIZE)
        words = [row["content"] for row in rows]
        return tuple(Reaction(content=word, count=words.count(word)) for word in REACTIONS if word in words)

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:
        """Return the minimized comments and reviews: their REST ids, and why they are minimized.

        Raises:
            NotFound: There is no such issue or pull request.
            Unsupported: The server is too old to report it.
        """
        reasons: dict[str, str] = {}
        unread: Mapping[str, str | None] = dict.fromkeys(LISTS)
        for _ in range(MAX_PAGES):
            lists = await _read_minimized_page(self.forge, subject, unread)
            found = map_minimized_rows(chain.from_iterable(connection["nodes"] for connection in lists.values()))
            if found is None:
                raise self.lacks("minimized", reason=TOO_OLD)
            reasons |= found
            cursors = {name: cursor for name, one in lists.items() if (cursor := _next_cursor(one)) is not None}
            if not cursors:
                return reasons
            if any(unread[name] == cursor for name, cursor in cursors.items()):
                break
            unread = cursors
        raise create_paging_error()

    async def block(self, subject: IssueRef, *, before: str = "") -> CommentBlock:
        """Return up to 100 comments, by GraphQL: REST has no pages from the end."""
        return await read_comment_block(self.forge, subject, before)

    async def _read_comment(self, subject: IssueRef, comment: str) -> Any:
        """Return the JSON of a comment; ids are unique per repository, so its conversation is checked.

        Raises:
            NotFound: There is no such comment, or it belongs to another conversation.
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
            raise_explained(await missing_issue(self.forge, subject, error), error)

    async def _find_created(self, subject: IssueRef, body: str, since: datetime) -> Comment | None:
        earliest = earliest_time(since)
        return await find_own_comment(self.forge, await self.list(subject, since=earliest), body, earliest)


def _comment_path(subject: IssueRef, comment: str) -> str:
    return f"{repository_path(subject.repository)}/issues/comments/{comment}"


async def _read_minimized_page(
    forge: "Forge", subject: IssueRef, unread: Mapping[str, str | None]
) -> Mapping[str, Any]:
    """Return the next page of each list that has one; `unread` has the cursors by list."""
    after = {f"after{name.title()}": unread.get(name) for name in LISTS}
    wanted = {name: name in unread for name in LISTS}
    try:
        data = await execute_graphql(forge, MINIMIZED_QUERY, reference_variables(subject) | wanted | after)
        lists: Mapping[str, Any] | None = (data["repository"] or {}).get("issueOrPullRequest")
    except NotFound:
        await read_issue(forge, subject)  # raises for a missing repository or a missing number
        raise
    if lists is None:
        raise NotFound(f"GitHub's GraphQL API shows no {subject}", suggestion="Check the name and the number.")
    return lists


def _next_cursor(connection: Mapping[str, Any]) -> str | None:
    """Return the cursor of the next page; None on the last page."""
    page = connection["pageInfo"]
    cursor: str | None = page["endCursor"] if page["hasNextPage"] else None
    return cursor
