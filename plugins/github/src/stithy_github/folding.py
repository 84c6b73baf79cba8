"""What GitHub folds away of a conversation; its GraphQL knows it of comments and of reviews."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import IssueRef, NotFound, NotTheApi
from stithy_github.absence import read_issue
from stithy_github.asking import MOST_PAGES, ask, place
from stithy_github.comments_mapping import folded
from stithy_github.threads_mapping import number_of

if TYPE_CHECKING:
    from stithy_core.spi import Forge

LISTS = ("comments", "reviews")

FOLDED = """
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


async def folded_away(forge: "Forge", subject: IssueRef) -> Mapping[str, str]:
    """Read why comments and reviews are folded away, by their numbers in REST; the others are left out.

    Raises:
        NotFound: There is no such issue or pull request.
        Unsupported: The server is too old to say it.
    """
    found: dict[str, str] = {}
    left: Mapping[str, str | None] = dict.fromkeys(LISTS)
    for _ in range(MOST_PAGES):
        lists = await _read(forge, subject, left)
        for connection in lists.values():
            found |= _folded(forge, connection["nodes"])
        following = {name: cursor for name, one in lists.items() if (cursor := _following(one)) is not None}
        if not following:
            return found
        if any(left[name] == cursor for name, cursor in following.items()):
            break
        left = following
    raise NotTheApi("the pages of GitHub's GraphQL do not end", suggestion="Ask again later.")


async def _read(forge: "Forge", subject: IssueRef, left: Mapping[str, str | None]) -> Mapping[str, Any]:
    """Read a page of each list of which there is more."""
    after = {f"after{name.title()}": left.get(name) for name in LISTS}
    wanted = {name: name in left for name in LISTS}
    try:
        data = await ask(forge, FOLDED, place(subject) | wanted | after)
        found: Mapping[str, Any] | None = (data["repository"] or {}).get("issueOrPullRequest")
    except NotFound:
        await read_issue(forge, subject)  # tells a missing number from a missing repository
        raise
    if found is None:
        raise NotFound(f"GitHub's GraphQL shows no {subject}", suggestion="Check the name and the number.")
    return found


def _folded(forge: "Forge", rows: list[Any]) -> dict[str, str]:
    shown = [row for row in rows if row]
    if any("isMinimized" not in row for row in shown):
        raise forge.comments.lacks("minimized", reason="its GraphQL is too old")
    return {number_of(row): folded(row.get("minimizedReason"), away=True) for row in shown if row["isMinimized"]}


def _following(connection: Mapping[str, Any]) -> str | None:
    """Give the cursor after which the next page begins; None at the end."""
    page = connection["pageInfo"]
    cursor: str | None = page["endCursor"] if page["hasNextPage"] else None
    return cursor
