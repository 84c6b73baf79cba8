"""Asking in GraphQL, also a server that is older than the question."""

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
"""Fields that old Enterprise Servers lack and that a question can do without."""

MOST_PAGES = 2_000
"""So many that 10,000 things come through in the smallest portions (see `portions`)."""

Connection = Mapping[str, Any]


async def execute_graphql(forge: "Forge", document: str, variables: Mapping[str, Any], *, writes: bool = False) -> Any:
    """Ask, and when the server does not know one of the newer fields, ask again without it, now and later on.

    An unknown field fails before anything is carried out, so a mutation may be sent again, too.
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
    """Leave out the lines that begin with one of them."""
    return re.sub(rf"(?m)^\s*({'|'.join(fields)})\b.*\n", "", document) if fields else document


def reference_variables(pr: IssueRef) -> dict[str, Any]:
    """Give the variables that name a pull request."""
    return {"owner": pr.repository.namespace, "name": pr.repository.name, "number": pr.number}


def get_pull_request(data: Any, pr: IssueRef) -> Any:
    """Find the pull request in an answer.

    Raises:
        NotFound: It is null.
    """
    found = (data.get("repository") or {}).get("pullRequest")
    if found is None:
        raise NotFound(f"GitHub's GraphQL shows no pull request {pr}", suggestion="Check the name and the number.")
    return found


async def iterate_pages(first: Connection, more: Callable[[str], Awaitable[Connection]]) -> AsyncIterator[Connection]:
    """Give the pages of a connection, beginning with one that was read already.

    Args:
        first: That page.
        more: Reads the page after a cursor.

    Raises:
        NotTheApi: The pages lead in a circle, or never end.
    """
    page, seen = first, set[str]()
    yield page
    while page["pageInfo"]["hasNextPage"]:
        cursor = page["pageInfo"]["endCursor"]
        if cursor in seen or len(seen) >= MOST_PAGES:
            raise NotTheApi("the pages of GitHub's GraphQL do not end", suggestion="Ask again later.")
        seen.add(cursor)
        page = await more(cursor)
        yield page
