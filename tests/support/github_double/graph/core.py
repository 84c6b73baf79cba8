"""What all objects of the graph need: who looks at which world, errors, and lists with cursors."""

import base64

from attrs import Factory, frozen

from github_double.records import Account, Token
from github_double.rest.routing import node
from github_double.world import World

MOST = 100
FAULT = object()


@frozen(kw_only=True)
class View:
    """Who looks at what; `base` is the server's address."""

    world: World
    base: str
    token: Token

    @property
    def viewer(self) -> Account:
        return self.token.account


@frozen
class Node:
    """One object: `record` is what it shows."""

    view: View
    record: object = None
    typename: str = Factory(lambda self: type(self).__name__, takes_self=True)
    prefix = ""

    def id(self):
        return node(self.prefix, self.record.id)

    def of(self, kind, record):
        """Show another record to the same viewer; None stays None."""
        return record and kind(self.view, record)

    def html(self, path):
        return f"{self.view.base}{path}"


def refuse(kind, message):
    """Make an error of one of GitHub's types."""
    from graphql import GraphQLError

    return GraphQLError(message, extensions={"type": kind})


def number_of(name, *prefixes):
    """Read the number in a node's id.

    Raises:
        GraphQLError: There can be no such node.
    """
    prefix, _, digits = name.partition("_kwDO")
    if prefix not in prefixes or not digits:
        raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{name}'")
    return int(digits, 16)


def connection(items, first=None, after=None, last=None, before=None, **more):
    """Cut a list as a connection does: `first` or `last` must be said, and be at most 100.

    Raises:
        GraphQLError: It was not.
    """
    if first is None and last is None:
        raise refuse("MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to paginate.")
    if not 1 <= (first or last) <= MOST:
        raise refuse("EXCESSIVE_PAGINATION", f"Requesting {first or last} records exceeds the limit of {MOST} records.")
    items = list(items)
    start, end = _place(after) + 1 if after else 0, _place(before) if before else len(items)
    if first is not None:
        end = min(end, start + first)
    else:
        start = max(start, end - last)
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


def _cursor(place):
    return base64.b64encode(f"cursor:{place}".encode()).decode()


def _place(cursor):
    return int(base64.b64decode(cursor).decode().partition(":")[2])
