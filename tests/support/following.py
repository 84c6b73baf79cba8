"""Reading a list to its end, as an agent does."""

from collections.abc import Awaitable, Callable
from typing import Any


async def read_pages(call: Callable[..., Awaitable[Any]], **arguments: Any) -> list[Any]:
    """Call again with each cursor, and return every page; `call` takes the tool's arguments."""
    found = [await call(**arguments)]
    while cursor := found[-1].structured_content.get("nextCursor"):
        found.append(await call(**arguments | {"cursor": cursor}))
    assert not any(page.is_error for page in found)
    return found


async def read_items(call: Callable[..., Awaitable[Any]], name: str, **arguments: Any) -> list[Any]:
    """Return the items of one list of all pages."""
    return [item for page in await read_pages(call, **arguments) for item in page.structured_content[name]]
