"""How many items a page of this server holds."""

from typing import TYPE_CHECKING, Any

from stithy_core.spi import Unknown, or_unknown
from stithy_gitea.addresses import API

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def page_size(forge: "Forge") -> int:
    """Read the largest page that the server gives; 0, which leaves it to the server, where it does not say.

    A larger limit is capped, and each page would look like the last: docs/forge-behaviour/gitea.md#paging.
    """
    settings = await forge.once("settings", lambda: _settings(forge))
    most = settings.get("max_response_items")
    return most if isinstance(most, int) and most > 0 else 0


async def _settings(forge: "Forge") -> dict[str, Any]:
    settings = await or_unknown(forge.http.get(f"{API}/settings/api", shape=dict))
    return {} if isinstance(settings, Unknown) or not isinstance(settings, dict) else settings
