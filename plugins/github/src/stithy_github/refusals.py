"""Map error responses of GitHub to errors (docs/forge-behaviour/github.md#rate-limits).

The order is GitHub's own: a limit before anything else, since 403 stands for limits and for missing rights alike.
"""

from collections.abc import Callable, Mapping
from typing import Any

from stithy_core.spi import Conflict, ErrorResponse, Forbidden, ForgeError, NotFound, Rejected, TooLarge, Unauthorized
from stithy_github.graphql_errors import from_graphql
from stithy_github.limits import limited
from stithy_github.obstacles import obstacle
from stithy_github.rights import forbidden

TOO_LARGE = "too_large"
TOO_LONG = "is too long"


def explain(refusal: ErrorResponse) -> ForgeError | None:
    """Tell what is wrong from GitHub's headers and words; None leaves it to the status."""
    if (limit := limited(refusal)) is not None:
        return limit
    meaning = MEANINGS.get(refusal.status)
    # What is no object is not the API's: a proxy's page, say.
    return meaning(refusal) if meaning is not None and isinstance(refusal.body, dict) else None


def said(refusal: ErrorResponse) -> str:
    """Quote the answer: its status, its message, and what is wrong with each field."""
    complaints = refusal.body.get("errors")
    texts = [refusal.message, *(_complaint(error) for error in (complaints if isinstance(complaints, list) else ()))]
    return f"GitHub answered {refusal.status}: " + "; ".join(text for text in texts if text)


def _complaint(error: Mapping[str, Any] | str) -> str:
    """Read what is wrong with one field: a text, or an object that may hold one."""
    if isinstance(error, str):
        return error
    place = ".".join(error[key] for key in ("resource", "field") if error.get(key))
    text = error.get("message") or str(error.get("code") or "").replace("_", " ")
    return f"{place}: {text}" if place else str(text)


def _unauthorized(refusal: ErrorResponse) -> ForgeError:
    remedy = "Check the token of this forge, or set one: `stithy doctor` says where it is read from."
    return Unauthorized(said(refusal), suggestion=remedy)


def _forbidden(refusal: ErrorResponse) -> ForgeError:
    text = said(refusal)
    return (obstacle(text) if refusal.writing else None) or forbidden(refusal.headers, text)


def _not_found(refusal: ErrorResponse) -> ForgeError:
    remedy = "Check the name, and that the token may read it: what is private looks absent to one that may not."
    return NotFound(said(refusal), suggestion=remedy)


def _too_large(refusal: ErrorResponse) -> ForgeError | None:
    if TOO_LARGE not in str(refusal.body.get("errors")):
        return None
    return TooLarge(said(refusal), suggestion="Read the changed files one by one, with their patches.")


def _conflict(refusal: ErrorResponse) -> ForgeError:
    return Conflict(said(refusal), suggestion="Read it again: it changed, or it does not allow this as it is.")


def _gone(refusal: ErrorResponse) -> ForgeError:
    return NotFound(said(refusal), suggestion="It was deleted, or the repository has this switched off.")


def _invalid(refusal: ErrorResponse) -> ForgeError:
    text = said(refusal)
    remedy = "Shorten the text, or post it in parts." if TOO_LONG in text else "Mend what it names."
    return (obstacle(text) if refusal.writing else None) or Rejected(text, suggestion=remedy)


def _blocked(refusal: ErrorResponse) -> ForgeError:
    page = (refusal.body.get("block") or {}).get("html_url")
    more = f" GitHub says more at {page}." if page else ""
    return Forbidden(said(refusal), suggestion=f"It is blocked for legal reasons; no token changes that.{more}")


MEANINGS: dict[int, Callable[[ErrorResponse], ForgeError | None]] = {
    200: from_graphql,
    400: _invalid,
    401: _unauthorized,
    403: _forbidden,
    404: _not_found,
    406: _too_large,
    409: _conflict,
    410: _gone,
    422: _invalid,
    451: _blocked,
}
