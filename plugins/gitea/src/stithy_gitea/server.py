"""Which routes this server has: not told by its version alone, since development versions lie between releases.

The description of the API says it, unless its operator has switched that off. Then the route itself is asked, for
something that cannot be there: the answer is 405 where only another route fits the path, a 404 without JSON where none
does, and a refusal with JSON where it is the route that refuses (docs/forge-behaviour/gitea.md#versions-and-routes).
"""

import re
from typing import TYPE_CHECKING

from stithy_core.spi import Forbidden, Moved, NotFound, NotTheApi, Rejected, TooLarge, Unauthorized
from stithy_gitea.addresses import API

if TYPE_CHECKING:
    from stithy_core.spi import Forge

REPLIES = "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies"
IN_REVIEW = "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments"
RESOLVE = "/repos/{owner}/{repo}/pulls/comments/{id}/resolve"

DESCRIPTION = "/swagger.v1.json"
NAMES = {"owner": "-", "repo": "-", "index": "0", "id": "0"}  # no account and no repository can have that name
OTHER_METHOD = 405


async def has_post_route(forge: "Forge", route: str) -> bool:
    """Return whether a server has a route for POST; it is asked once."""
    routes = await forge.once("described", lambda: _read_post_routes(forge))
    if routes is not None:
        return route in routes
    return await forge.once(("route", route), lambda: _answers(forge, route))


async def _read_post_routes(forge: "Forge") -> frozenset[str] | None:
    """Return the routes for POST in the description of the API; None if this token cannot read it."""
    try:
        return await forge.once(DESCRIPTION, lambda: _read_description(forge), by_token=False)
    except (NotFound, Moved, Forbidden, Unauthorized, NotTheApi, TooLarge, Rejected, KeyError, TypeError):
        return None


async def _read_description(forge: "Forge") -> frozenset[str]:
    # A megabyte, and the same for every token that may read it.
    paths = (await forge.http.get(DESCRIPTION, shape=dict))["paths"]
    return frozenset(path for path, methods in paths.items() if "post" in methods)


async def _answers(forge: "Forge", route: str) -> bool:
    path = API + re.sub(r"{(\w+)}", lambda found: NAMES[found[1]], route)
    try:
        await forge.http.send("POST", path, idempotent=True, changes=False)
    except NotFound as error:
        return bool(error.details.get("message"))
    except Rejected as error:
        return error.details.get("status") != OTHER_METHOD
    except Forbidden:  # the route wants a scope that the token lacks, which its own answer will say best
        return True
    return True
