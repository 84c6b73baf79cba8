"""The base of all objects in the graph: the viewer, errors, and lists with cursors."""

import base64
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import Factory, frozen

from github_double.records import Account, Token
from github_double.rest.routing import node
from github_double.world import World

if TYPE_CHECKING:
    from graphql import GraphQLError


MOST = 100
FAULT = object()
N = TypeVar("N")


@frozen(kw_only=True)
class View:
    """A viewer of a world; `base` is the server's URL."""

    world: World
    base: str
    token: Token

    @property
    def viewer(self) -> Account:
        return self.token.account


@frozen
class Node:
    """An object that shows `record`."""

    view: View
    record: Any = None
    typename: str = Factory(lambda self: type(self).__name__, takes_self=True)
    prefix = ""

    def id(self) -> str:
        return node(self.prefix, self.record.id)

    def of(self, kind: Callable[[View, Any], N], record: Any) -> N | None:
        """Show another record to the same viewer; None stays None."""
        return record and kind(self.view, record)

    def html(self, path: str) -> str:
        return f"{self.view.base}{path}"


def refuse(kind: str, message: str) -> "GraphQLError":
    """Create an error of one of GitHub's types."""
    from graphql import GraphQLError

    return GraphQLError(message, extensions={"type": kind})


def number_of(name: str, *prefixes: str) -> int:
    """Read the number in a node's id.

    Raises:
        GraphQLError: There can be no such node.
    """
    prefix, _, digits = name.partition("_kwDO")
    if prefix not in prefixes or not digits:
        raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{name}'")
    return int(digits, 16)


def connection(
    items: Iterable[Any],
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a page of a list as a connection; `first` or `last` is required and at most 100.

    Raises:
        GraphQLError: The bound is missing or too large.
    """
    count = first or last
    if count is None:
        raise refuse("MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to paginate.")
    if not 1 <= count <= MOST:
        raise refuse("EXCESSIVE_PAGINATION", f"Requesting {count} records exceeds the limit of {MOST} records.")
    items = list(items)
    start, end = _place(after) + 1 if after else 0, _place(before) if before else len(items)
    if first is not None:
        end = min(end, start + count)
    else:
        start = max(start, end - count)
    cut = items[start:end]
    return more | {
        "nodes": cut,
        "edges": [{"node": item, "cursor": _cursor(start + place)} for place, item in enumerate(cut)],
        "total_count": len(items),
        "page_info": {
            "has_next_page": end < len(items),
            "has_previous_page": start > 0,
            "start_cursor": _cursor(start) if cut else None,
            "end_cursor": _cursor(start + len(cut) - 1) if cut else None,
        },
    }


def _cursor(place: int) -> str:
    return base64.b64encode(f"cursor:{place}".encode()).decode()


def _place(cursor: str) -> int:
    return int(base64.b64decode(cursor).decode().partition(":")[2])
