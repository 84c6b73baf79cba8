"""The page size of a server."""

from typing import TYPE_CHECKING, Any

from stithy_core.spi import Unknown, or_unknown
from stithy_gitea.addresses import API

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def page_size(forge: "Forge") -> int:
    """Return the server's largest page size; 0, which uses the server's default, if it does not report it.

    A larger limit is capped, and each page would look like the last: docs/forge-behaviour/gitea.md#paging.
    """
    settings = await forge.once("settings", lambda: _settings(forge))
    most = settings.get("max_response_items")
    return most if isinstance(most, int) and most > 0 else 0


async def _settings(forge: "Forge") -> dict[str, Any]:
    settings = await or_unknown(forge.http.get(f"{API}/settings/api", shape=dict))
    return {} if isinstance(settings, Unknown) or not isinstance(settings, dict) else settings
