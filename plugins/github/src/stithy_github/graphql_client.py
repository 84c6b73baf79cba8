"""Sends GraphQL queries, also to servers that lack some of their fields."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import IssueRef, NotFound, NotTheApi, Rejected

if TYPE_CHECKING:
    from stithy_core.spi import Forge

OPTIONAL_FIELDS = (
    "fullDatabaseId",
    "subjectType",
    "isMinimized",
    "minimizedReason",
    "reactors",
    "lockBranch",
    "mergeQueueEntry",
)
"""Fields that old Enterprise Servers lack and that a query can do without."""

MAX_PAGES = 2_000
"""Enough for 10,000 items in pages of the smallest size (see `adaptive_page_size`)."""

Connection = Mapping[str, Any]


async def execute_graphql(forge: "Forge", document: str, variables: Mapping[str, Any], *, writes: bool = False) -> Any:
    """Execute a query or a mutation and return its data; drop fields that the server turns out to lack.

    An unknown field fails before anything is carried out, so that a mutation may be sent again as well.
    """
    lacking: set[str] = await forge.once("fields that its GraphQL lacks", _create_set)
    while True:
        try:
            return await forge.http.graphql(_remove_fields(document, lacking), variables, writes=writes)
        except Rejected as error:
            unknown = {field for field in OPTIONAL_FIELDS if field not in lacking and f"'{field}'" in error.message}
            if not unknown:
                raise
            lacking |= unknown


async def _create_set() -> set[str]:
    return set()


def _remove_fields(document: str, fields: set[str]) -> str:
    """Remove the lines that begin with one of the fields."""
    return re.sub(rf"(?m)^\s*({'|'.join(fields)})\b.*\n", "", document) if fields else document


def reference_variables(subject: IssueRef) -> dict[str, Any]:
    """Return the variables that identify an issue or a pull request."""
    return {"owner": subject.repository.namespace, "name": subject.repository.name, "number": subject.number}


def get_pull_request(data: Any, pr: IssueRef) -> Any:
    """Return the pull request of an answer.

    Raises:
        NotFound: It is null.
    """
    pull = (data.get("repository") or {}).get("pullRequest")
    if pull is None:
        text = f"GitHub's GraphQL API shows no pull request {pr}"
        raise NotFound(text, suggestion="Check the name and the number.")
    return pull


async def iterate_pages(
    first: Connection, read_more: Callable[[str], Awaitable[Connection]]
) -> AsyncIterator[Connection]:
    """Iterate the pages of a connection.

    Args:
        first: The first page.
        read_more: Reads the page after a cursor.

    Raises:
        NotTheApi: A cursor repeats, or there are more than `MAX_PAGES`.
    """
    page, seen = first, set[str]()
    yield page
    while page["pageInfo"]["hasNextPage"]:
        cursor = page["pageInfo"]["endCursor"]
        if cursor in seen or len(seen) >= MAX_PAGES:
            raise create_paging_error()
        seen.add(cursor)
        page = await read_more(cursor)
        yield page


def create_paging_error() -> NotTheApi:
    """Return the error of a connection whose pages do not end."""
    return NotTheApi("the pages of GitHub's GraphQL API do not end", suggestion="Try again later.")
