"""What people wrote on a pull request: threads, reviews and the newest comments by one GraphQL query a page.

GraphQL pages forwards and backwards, so the newest comments are read without those before them, and whether one is
minimized comes with it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import (
    Comment,
    CommentBlock,
    Conversation,
    IssueRef,
    Listing,
    NotFound,
    PullRequestRef,
    Review,
)
from stithy_github.adaptive_page_size import AdaptivePageSize
from stithy_github.comments_mapping import to_review
from stithy_github.conversation_queries import CONVERSATION, CONVERSATION_AGAIN, EARLIER
from stithy_github.graphql_client import (
    MAX_PAGES,
    create_paging_error,
    execute_graphql,
    get_pull_request,
    reference_variables,
)
from stithy_github.mapping import to_user
from stithy_github.readiness_mapping import list_rows, to_review_row
from stithy_github.threads_cache import read_with_cache
from stithy_github.threads_mapping import TOO_OLD, map_comment_fields, map_minimized_rows, map_reactions
from stithy_github.threads_pages import ThreadRows
from stithy_github.threads_queries import THREADS, THREADS_AGAIN

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Raw = Mapping[str, Any]
DOCUMENTS = {THREADS: CONVERSATION, THREADS_AGAIN: CONVERSATION_AGAIN}
"""The document for each of the two ways to read threads: whole, or with the marks that show whether they changed."""
CONNECTIONS = {"threads": "reviewThreads", "reviews": "reviews"}


async def read_conversation(forge: "Forge", pr: PullRequestRef) -> Conversation:
    """Return the threads, the reviews and the newest comments.

    Raises:
        Unsupported: There is no token, or the server does not report what is minimized.
        ForgeError: GraphQL did not answer.
    """
    if not await forge.token_identity():
        raise forge.pull_requests.lacks("conversation", reason="GitHub's GraphQL API needs a token")
    pages = _ConversationPages(forge, pr)
    threads = await read_with_cache(forge, pr, pages.read_rows)
    newest = pages.first["repository"]["pullRequest"]["comments"]
    minimized = map_minimized_rows([*pages.reviews, *list_rows(newest)])
    if minimized is None:
        raise forge.pull_requests.lacks("conversation", reason=TOO_OLD)
    return Conversation(
        viewer=to_user(pages.first["viewer"]),
        threads=threads,
        reviews=Listing(tuple(_map_review(row, pr) for row in pages.reviews), total=len(pages.reviews)),
        newest=to_comment_block(newest),
        minimized=minimized,
    )


async def read_comment_block(forge: "Forge", subject: IssueRef, before: str) -> CommentBlock:
    """Return up to 100 comments before a cursor; the newest ones without one.

    Raises:
        NotFound: There is no such issue or pull request.
    """
    data = await execute_graphql(forge, EARLIER, reference_variables(subject) | {"before": before or None})
    found = (data["repository"] or {}).get("issueOrPullRequest")
    if found is None:
        raise NotFound(f"GitHub's GraphQL API shows no {subject}", suggestion="Check the name and the number.")
    return to_comment_block(found["comments"])


def to_comment_block(raw: Raw) -> CommentBlock:
    """Map a connection of comments, read backwards."""
    page = raw["pageInfo"]
    return CommentBlock(
        comments=Listing(tuple(map(_map_comment, list_rows(raw))), total=raw["totalCount"]),
        before=page["startCursor"] if page["hasPreviousPage"] else "",
    )


def _map_comment(raw: Raw) -> Comment:
    reactions = map_reactions(raw.get("reactionGroups") or ())
    return Comment(**map_comment_fields(raw, "issues/comments"), reactions=reactions)


def _map_review(raw: Raw, pr: PullRequestRef) -> Review:
    return to_review(to_review_row(raw, pr.number))


class _ConversationPages:
    """Reads threads and reviews to their ends, a page of both by each query.

    Attributes:
        first: The data of the first query, which has the token's user and the newest comments.
        reviews: The JSON of the reviews.
    """

    def __init__(self, forge: "Forge", pr: PullRequestRef) -> None:
        self.first: Raw = {}
        self.reviews: list[Raw] = []
        self._forge = forge
        self._pr = pr
        self._page_size = AdaptivePageSize()

    async def read_rows(self, query: str) -> ThreadRows:
        """Return the rows of all threads, as `threads_pages.read_thread_rows` does.

        Args:
            query: THREADS or THREADS_AGAIN.
        """
        self.first, self.reviews = {}, []
        threads: list[Any] = []
        unread: dict[str, str | None] = dict.fromkeys(CONNECTIONS)
        for _ in range(MAX_PAGES):
            data = await self._read_page(DOCUMENTS[query], unread)
            self.first = self.first or data
            pull = get_pull_request(data, self._pr)
            threads += list_rows(pull.get("reviewThreads"))
            self.reviews += list_rows(pull.get("reviews"))
            found = {name: pull[CONNECTIONS[name]]["pageInfo"] for name in unread}
            following = {name: page["endCursor"] for name, page in found.items() if page["hasNextPage"]}
            if not following:
                first = self.first["repository"]
                total = first["pullRequest"]["reviewThreads"]["totalCount"]
                return ThreadRows(threads, total, first.get("nameWithOwner") or "")
            if any(unread[name] == cursor for name, cursor in following.items()):
                break
            unread = following
        raise create_paging_error()

    async def _read_page(self, document: str, unread: Mapping[str, str | None]) -> Any:
        wanted: dict[str, Any] = {name: name in unread for name in CONNECTIONS}
        wanted |= {f"after{name.title()}": unread.get(name) for name in CONNECTIONS}
        wanted["comments"] = not self.first

        async def execute(size: int) -> Any:
            return await execute_graphql(
                self._forge, document, reference_variables(self._pr) | wanted | {"first": size}
            )

        return await self._page_size.run(execute)
