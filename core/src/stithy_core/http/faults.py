"""From what went wrong on the way to a forge to the one error that says it; done here and nowhere else."""

import ssl
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from stithy_core.errors import (
    Conflict,
    Forbidden,
    ForgeError,
    Moved,
    NotFound,
    NotTheApi,
    RateLimited,
    Rejected,
    Unauthorized,
    Unavailable,
    Unclear,
)
from stithy_core.spi import Dialect, Link, Refusal

STATUSES: dict[int, type[ForgeError]] = {
    400: Rejected,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: Rejected,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    413: Rejected,
    422: Rejected,
    423: Conflict,
    429: RateLimited,
}
REMEDIES: dict[type[ForgeError], str] = {
    Unauthorized: "Check the token of this forge: `stithy doctor` says where it is read from.",
    Forbidden: "The token needs a scope or a role that it does not have.",
    NotFound: "Check the name; a private repository looks absent to a token that may not see it.",
    NotTheApi: "Check the forge's URL, and whether a proxy or a log-in page stands before it.",
    Unavailable: "Nothing was changed; try again later.",
}
LONGEST = 500
MOST_DIGITS = 12  # of seconds to wait; JSON has no infinity, which some hundred would become
SERVER_ERROR = 500


def refused(link: Link, dialect: Dialect, response: httpx.Response, body: Any, *, writing: bool) -> ForgeError:
    """Turn an answer that is no success into its error.

    Args:
        link: Whose answer it is.
        dialect: What the forge means by it.
        response: The answer.
        body: Its JSON, or None when it was not JSON.
        writing: Whether something was to be changed.
    """
    status = response.status_code
    said = str(body.get("message") or "")[:LONGEST] if isinstance(body, dict) else ""
    headers = {name.lower(): value for name, value in response.headers.items()}
    details = {"forge": link.alias, "status": status, "message": said}
    refusal = Refusal(status=status, message=said, headers=headers, body=body, writing=writing)
    if (explained := dialect.explain(refusal)) is not None:
        explained.details = details | explained.details
        explained.retry_after = _retry_after(response) if explained.retry_after is None else explained.retry_after
        return explained
    kind = STATUSES.get(status, Rejected)
    if status >= SERVER_ERROR:
        kind = Unclear if writing else Unavailable
    elif response.is_redirect:  # before the page, since most servers put one beside the place
        kind = Moved
    elif is_html(response):
        kind = NotTheApi
    text = f"{link.alias} answered {status}" + (f": {said}" if said else "")
    if kind is NotTheApi:
        text = f"{link.url} answered {status} with a web page instead of the API"
    return kind(
        text,
        suggestion=REMEDIES.get(kind, ""),
        retry_after=_retry_after(response),
        details=details,
    )


def unreachable(link: Link, error: Exception, *, writing: bool) -> ForgeError:
    """Turn a failure of the connection into its error: one that came before the request was sent changed nothing."""
    details = {"forge": link.alias, "url": link.url}
    if _is_certificate(error):
        return Unavailable(
            f"the certificate of {link.url} is not trusted: {error}",
            suggestion=f"Set ca_file in [forges.{link.alias}] to the certificate authority's file.",
            details=details,
        )
    reason = str(error) or type(error).__name__
    never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout | httpx.ProxyError)
    if writing and not never_sent:
        return Unclear(f"{link.alias} gave no answer after the request was sent ({reason})", details=details)
    what = "is not reachable" if never_sent else "gave no answer"
    return Unavailable(f"{link.url} {what}: {reason}", suggestion=REMEDIES[Unavailable], details=details)


def unreadable(link: Link, response: httpx.Response, reason: str, *, writing: bool) -> ForgeError:
    """Turn a success whose body cannot be used into its error."""
    details = {"forge": link.alias, "status": response.status_code}
    if writing:
        return Unclear(f"{link.alias} answered {response.status_code}, but {reason}", details=details)
    text = f"{link.url} answered {response.status_code}, but {reason}"
    return NotTheApi(text, suggestion=REMEDIES[NotTheApi], details=details)


def is_html(response: httpx.Response) -> bool:
    """Say whether a web page came where JSON belongs."""
    return "html" in response.headers.get("content-type", "").lower()


def _retry_after(response: httpx.Response) -> float | None:
    """Read `Retry-After`, which has seconds or a date (RFC 9110, 10.2.3)."""
    text = response.headers.get("retry-after", "")
    if not text:
        return None
    if text.isdecimal():
        return float(text) if len(text) <= MOST_DIGITS else None
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _is_certificate(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
