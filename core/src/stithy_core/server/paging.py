"""Long lists in pages, each page's cursor good for the list as it is then."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.errors import InvalidArguments
from stithy_core.tools import Cursors
from stithy_core.tools.cursors import Position

T = TypeVar("T")

PAGE = 200


def paged(
    rows: Sequence[T],
    params: types.PaginatedRequestParams | None,
    method: str,
    key: Callable[[T], str],
    cursors: Cursors,
) -> tuple[list[T], str | None]:
    """Give the page that a request asks for, and the cursor of the next one if there is more.

    Args:
        rows: The whole list, as it is now.
        params: The request's; without a cursor the list begins anew.
        method: Which list: no other takes its cursors.
        key: What tells a row from the others while rows come and go.
        cursors: Seals where pages end.

    Raises:
        MCPError: The cursor is none of this list: -32602, as the MCP specification wants.
    """
    keys = [key(row) for row in rows]
    begin = _position(params.cursor, method, cursors).behind(keys) if params and params.cursor else 0
    end = min(begin + PAGE, len(rows))
    more = begin < end < len(rows)
    return list(rows[begin:end]), cursors.mint(Position.at(end, keys.__getitem__), method, {}) if more else None


def refuse(params: types.PaginatedRequestParams | None, method: str) -> None:
    """Refuse every cursor for a list that is never cut.

    Raises:
        MCPError: There is one.
    """
    if params and params.cursor:
        raise _foreign(method)


def _position(cursor: str, method: str, cursors: Cursors) -> Position:
    try:
        return cursors.read(cursor, method, {})
    except InvalidArguments as error:
        raise _foreign(method) from error


def _foreign(method: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"the cursor is none of {method}: leave it out to begin anew")
