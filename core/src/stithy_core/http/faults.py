"""From what went wrong on the way to a forge to the one error that says it; done here and nowhere else."""

import logging
import ssl
import time
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
    TooLarge,
    Unauthorized,
    Unavailable,
    Unclear,
)
from stithy_core.http.addresses import location, shown
from stithy_core.http.bodies import to_json
from stithy_core.http.marks import WAIT
from stithy_core.http.signals import Open, Signal, Spent, Unreadable
from stithy_core.http.waits import retry_after
from stithy_core.redaction import in_texts, redact
from stithy_core.spi import Dialect, ErrorResponse, ForgeConfig

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
    Conflict: "Read it again: it changed, or it does not allow this as it is.",
    Rejected: "Mend what it names.",
    Unclear: "Read the target back before you repeat it: it may have been carried out.",
    NotTheApi: "Check the forge's URL, and whether a proxy or a log-in page stands before it.",
    Unavailable: "Nothing was changed; try again later.",
    RateLimited: "Wait as long as retry_after says; asking sooner makes it longer.",
    TooLarge: "Ask for less at once.",
    Moved: "Nothing was sent there. Use the present name of the repository, or the forge's own URL.",
}
BROKEN = (
    "Try again later. If it stays so, check the forge's URL and its version, "
    "and whether a proxy or a log-in page stands before it."
)
LONGEST = 500

log = logging.getLogger("stithy.http")
SERVER_ERROR = 500
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)


class Faults:
    """The errors of one forge.

    Args:
        link: Whose they are.
        dialect: What the forge means by its refusals.
    """

    def __init__(self, config: ForgeConfig, dialect: Dialect) -> None:
        self._config = config
        self._dialect = dialect

    def refused(self, response: httpx.Response, *, writing: bool) -> ForgeError:
        """Turn an answer that is no success into its error.

        Args:
            response: The answer, read.
            writing: Whether something was to be changed.
        """
        body, _ = to_json(response.content)
        return self.meant(response, body, _said(body), writing=writing)

    def meant(self, response: httpx.Response, body: Any, said: str, *, writing: bool) -> ForgeError:
        """Turn what a forge said into its error, as the dialect understands it, or else as HTTP does.

        Args:
            response: The answer; of GraphQL it may be a success.
            body: Its JSON, or None when it was not JSON.
            said: What it says to a person.
            writing: Whether something was to be changed.
        """
        status, said = response.status_code, redact(said)[:LONGEST]
        headers = {name.lower(): redact(value) for name, value in response.headers.items()}
        refusal = ErrorResponse(
            status=status, message=said, headers=headers, body=in_texts(body, redact), writing=writing
        )
        error = self._explained(refusal) or self._by_status(response, said, writing=writing)
        error.details = {"forge": self._config.alias, "status": status, "message": said} | error.details
        if error.retry_after is None:
            error.retry_after = retry_after(response.headers, time.time())
        if error.retry_after is None and isinstance(error, RateLimited):
            error.retry_after = response.extensions.get(WAIT)
        return error

    def _explained(self, refusal: ErrorResponse) -> ForgeError | None:
        try:
            return self._dialect.map_error(refusal)
        except Exception:  # a plugin's fault must not hide what the forge said
            log.exception("the dialect of %s cannot explain an answer of status %d", self._config.alias, refusal.status)
            return None

    def _by_status(self, response: httpx.Response, said: str, *, writing: bool) -> ForgeError:
        config, status = self._config, response.status_code
        text = f"{config.alias} answered {status}" + (f": {said}" if said else "")
        if status >= SERVER_ERROR:
            return _new(Unclear if writing else Unavailable, text)
        if response.is_redirect:  # before the page, since most servers put one beside the place
            place = location(response)
            return _new(Moved, f"{text} and leads to {shown(place)}", location=shown(place)) if place else Moved(text)
        if is_html(response) and STATUSES.get(status) is not RateLimited:  # a limit may well be the proxy's
            return _new(NotTheApi, f"{config.url} answered {status} with a web page instead of the API")
        return _new(STATUSES.get(status, Rejected), text)

    def unanswered(self, error: httpx.TransportError | Signal, *, writing: bool, host: str = "") -> ForgeError:
        """Turn the lack of a usable answer into its error: what came before the request was sent changed nothing.

        Args:
            error: What happened in its place.
            writing: Whether something was to be changed.
            host: To which the forge led, and which it happened at; "" for the forge itself.
        """
        if isinstance(error, Spent):
            text = f"{self._config.alias} was not asked, since {error.reason}"
            return self._withheld(RateLimited, text, error.wait)
        if isinstance(error, Open):
            failed = f"it failed several times ({redact(error.reason)})"
            return self._withheld(
                Unavailable, f"{self._place(host)} is not asked for the moment, since {failed}", error.wait
            )
        if isinstance(error, Unreadable):
            return self.unreadable(error.status, error.reason, writing=writing, host=host, too_large=error.too_large)
        return self._unreachable(error, host, writing=writing)

    def unreadable(
        self, status: int, reason: str, *, writing: bool, host: str = "", too_large: bool = False
    ) -> ForgeError:
        """Turn an answer whose body cannot be used into its error."""
        if writing:
            return self._made(Unclear, f"{self._config.alias} answered {status}, but {reason}", status=status)
        kind = TooLarge if too_large else Unavailable if host else NotTheApi
        return self._made(kind, f"{self._place(host)} answered {status}, but {reason}", status=status)

    def broken(self, response: httpx.Response, reason: str, *, writing: bool) -> ForgeError:
        """Turn a success whose body is of no use into its error, which names the endpoint.

        Args:
            response: The answer.
            reason: What is wrong with it; follows "but".
            writing: Whether something was to be changed.
        """
        endpoint = endpoint_of(response.request)
        text = f"{self._config.url} answered {response.status_code} to {endpoint}, but {reason}"
        if writing:
            return self._made(Unclear, text, status=response.status_code, endpoint=endpoint)
        remedy = "" if is_html(response) else BROKEN
        return self._made(NotTheApi, text, suggestion=remedy, status=response.status_code, endpoint=endpoint)

    def astray(self, response: httpx.Response, host: str) -> ForgeError:
        """Turn the refusal of another host, to which the forge led, into its error; its URL stays untold."""
        status = response.status_code
        text = f"{self._place(host)} answered {status}"
        if STATUSES.get(status) is NotFound:
            return self._made(NotFound, text, suggestion="It has expired, or is not there yet.", status=status)
        return self._made(Unavailable, text, status=status)

    def _place(self, host: str) -> str:
        return f"{host}, to which {self._config.alias} leads," if host else self._config.url

    def _unreachable(self, error: Exception, host: str, *, writing: bool) -> ForgeError:
        config, where = self._config, {"host": host} if host else {"url": self._config.url}
        if is_certificate(error):
            remedy = f"Set ca_file in [forges.{config.alias}] to the certificate authority's file."
            text = f"the certificate of {host or config.url} is not trusted: {error}"
            return self._made(Unavailable, text, suggestion=remedy, **where)
        reason = redact(str(error) or type(error).__name__)
        never_sent = isinstance(error, NEVER_SENT)
        if writing and not never_sent:
            text = f"{config.alias} gave no answer after the request was sent ({reason})"
            return self._made(Unclear, text, **where)
        what = "is not reachable" if never_sent else "gave no answer"
        return self._made(Unavailable, f"{self._place(host)} {what}: {reason}", **where)

    def _withheld(self, kind: type[ForgeError], text: str, wait: float) -> ForgeError:
        error = self._made(kind, text)
        error.retry_after = round(wait, 3)
        return error

    def _made(self, kind: type[ForgeError], text: str, *, suggestion: str = "", **details: Any) -> ForgeError:
        return _new(kind, text, suggestion=suggestion, forge=self._config.alias, **details)


def endpoint_of(request: httpx.Request) -> str:
    """Return the method and the path of a request, without its query."""
    return f"{request.method} {request.url.path}"


def is_html(response: httpx.Response) -> bool:
    """Say whether a web page came where JSON belongs."""
    return "html" in response.headers.get("content-type", "").lower()


def is_certificate(error: BaseException) -> bool:
    """Say whether a connection failed for its certificate."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _said(body: Any) -> str:
    return str(body.get("message") or "") if isinstance(body, dict) else ""


def _new(kind: type[ForgeError], text: str, *, suggestion: str = "", **details: Any) -> ForgeError:
    return kind(text, suggestion=suggestion or REMEDIES.get(kind, ""), details=details)
