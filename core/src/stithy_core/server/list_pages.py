"""Pages of long lists; a cursor stays valid while rows come and go."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from stithy_core.errors import InvalidArguments
from stithy_core.tools import Cursors
from stithy_core.tools.cursors import Position

T = TypeVar("T")

PAGE = 200


def cut_page(
    rows: Sequence[T],
    params: types.PaginatedRequestParams | None,
    method: str,
    key: Callable[[T], str],
    cursors: Cursors,
) -> tuple[list[T], str | None]:
    """Return the requested page, and the cursor of the next one; None if there is no further row.

    Args:
        rows: The whole list, as it is now.
        params: The request's parameters; without a cursor the page is the first.
        method: The MCP method; cursors of one method are invalid for all others.
        key: Returns what identifies a row.
        cursors: Creates and reads cursors.

    Raises:
        MCPError: The cursor is invalid: -32602, as the MCP specification requires.
    """
    keys = [key(row) for row in rows]
    begin = _read_cursor(params.cursor, method, cursors).behind(keys) if params and params.cursor else 0
    end = min(begin + PAGE, len(rows))
    more = begin < end < len(rows)
    return list(rows[begin:end]), cursors.mint(Position.at(end, keys.__getitem__), method, {}) if more else None


def refuse_cursor(params: types.PaginatedRequestParams | None, method: str) -> None:
    """Refuse every cursor for a list that has one page.

    Raises:
        MCPError: The request has a cursor.
    """
    if params and params.cursor:
        raise _invalid_cursor(method)


def _read_cursor(cursor: str, method: str, cursors: Cursors) -> Position:
    try:
        return cursors.read(cursor, method, {})
    except InvalidArguments as error:
        raise _invalid_cursor(method) from error


def _invalid_cursor(method: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"invalid cursor for {method}; omit it to get the first page")
