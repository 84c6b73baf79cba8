"""From what went wrong on the way to a forge to the one error for it; done here and nowhere else."""

import logging
import socket
import ssl
import time
from typing import Any

import httpx

from stithy_core.errors import (
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
    iterate_errors,
)
from stithy_core.http.forge_urls import get_redirect_target, strip_secrets
from stithy_core.http.request_context import (
    WAIT,
    CircuitOpen,
    RateLimitExhausted,
    TransportRefusal,
    UnusableBody,
)
from stithy_core.http.response_contents import parse_json, parse_retry_after
from stithy_core.redaction import in_texts, redact
from stithy_core.spi import Dialect, ErrorResponse, ForgeConfig

BROKEN = (
    "Try again later. If it remains, check the forge's URL and its version, "
    "and whether a proxy or a log-in page answers in its place."
)
# By its own attribute, not an inherited one: a subclass, as Locked of Forbidden, is what a dialect alone can tell.
STATUSES: dict[int, type[ForgeError]] = {
    status: kind for kind in iterate_errors(ForgeError) for status in vars(kind).get("forge_statuses", ())
}
LONGEST = 500
"""Characters of a forge's own message."""
SERVER_ERROR = 500
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)

NO_ADDRESS = {getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA") if hasattr(socket, name)}
"""What resolvers answer for a name that does not exist; while a resolver does not answer, it is EAI_AGAIN."""

log = logging.getLogger("stithy.http")


class ErrorMapper:
    """Maps failures to the errors of one forge.

    Args:
        config: The forge.
        dialect: Maps the refusals that have a meaning of their own in this forge.
    """

    def __init__(self, config: ForgeConfig, dialect: Dialect) -> None:
        self._config = config
        self._dialect = dialect

    def map_response(self, response: httpx.Response, *, writing: bool) -> ForgeError:
        """Return the error of an unsuccessful response.

        Args:
            response: The response, read.
            writing: Whether the request was to change something.
        """
        body, _ = parse_json(response.content)
        message = self._read_message(body if body is not None or not _is_text(response) else response.text)
        return self.map_message(response, body, message, writing=writing)

    def map_message(self, response: httpx.Response, body: Any, message: str, *, writing: bool) -> ForgeError:
        """Return the error of a forge's message: as the dialect maps it, or else by the HTTP status.

        Args:
            response: The response; for GraphQL it may be a success.
            body: Its JSON; None if it is not JSON.
            message: What it says to a person.
            writing: Whether the request was to change something.
        """
        status, message = response.status_code, redact(message)[:LONGEST]
        headers = {name.lower(): redact(value) for name, value in response.headers.items()}
        refusal = ErrorResponse(
            status=status, message=message, headers=headers, body=in_texts(body, redact), writing=writing
        )
        error = self._map_by_dialect(refusal) or self._map_by_status(response, message, writing=writing)
        error.details = {"forge": self._config.alias, "status": status, "message": message} | error.details
        if error.retry_after is None:
            error.retry_after = parse_retry_after(response.headers, time.time())
        if error.retry_after is None and isinstance(error, RateLimited):
            error.retry_after = response.extensions.get(WAIT)
        return error

    def find_refused_token(self, response: httpx.Response, *, writing: bool) -> Unauthorized | None:
        """Return the error of a sign-in page, or of a redirect to one, that a forge sends in place of 401.

        Only the dialect recognises them: Azure DevOps answers 203 or 302 to a token that is not valid.

        Args:
            response: The response; its body is not read.
            writing: Whether the request was to change something.
        """
        if not (response.is_redirect or (response.is_success and is_html(response))):
            return None
        error = self.map_message(response, None, "", writing=writing)
        return error if isinstance(error, Unauthorized) else None

    def _read_message(self, body: Any) -> str:
        try:
            return str(self._dialect.message(body) or "")
        except Exception:  # a plugin's fault must not hide the status
            log.exception("the dialect of %s found no message in the body of an error", self._config.alias)
            return ""

    def _map_by_dialect(self, refusal: ErrorResponse) -> ForgeError | None:
        try:
            return self._dialect.map_error(refusal)
        except Exception:  # a plugin's fault must not hide what the forge said
            log.exception("the dialect of %s failed on a response of status %d", self._config.alias, refusal.status)
            return None

    def _map_by_status(self, response: httpx.Response, message: str, *, writing: bool) -> ForgeError:
        config, status = self._config, response.status_code
        text = f"{config.alias} answered {status}" + (f": {message}" if message else "")
        if status >= SERVER_ERROR:
            return _create_error(Unclear if writing else Unavailable, text)
        if response.is_redirect:  # before the web page, since most servers send one with a redirect
            target = get_redirect_target(response)
            if target is None:
                return Moved(text)
            place = strip_secrets(target)
            return _create_error(Moved, f"{text} and redirects to {place}", location=place)
        if is_html(response) and STATUSES.get(status) is not RateLimited:  # a limit may well be the proxy's
            return _create_error(NotTheApi, f"{config.url} answered {status} with a web page instead of the API")
        return _create_error(STATUSES.get(status, Rejected), text)

    def map_failure(
        self, error: httpx.TransportError | TransportRefusal, *, writing: bool, host: str = ""
    ) -> ForgeError:
        """Return the error of a request without a usable response; a failure before it was sent changed nothing.

        Args:
            error: What a transport raised.
            writing: Whether the request was to change something.
            host: The host that the forge led to and that failed; "" for the forge itself.
        """
        if isinstance(error, RateLimitExhausted):
            text = f"{self._config.alias} was not asked, since {error.reason}"
            return self._map_refusal(RateLimited, text, error.wait)
        if isinstance(error, CircuitOpen):
            failed = f"it failed several times ({redact(error.reason)})"
            text = f"{self._name_place(host)} is not asked for the moment, since {failed}"
            return self._map_refusal(Unavailable, text, error.wait)
        if isinstance(error, UnusableBody):
            return self._map_unusable_body(error, writing=writing, host=host)
        return self._map_transport_error(error, host, writing=writing)

    def _map_unusable_body(self, error: UnusableBody, *, writing: bool, host: str) -> ForgeError:
        status = error.status
        if writing:
            return self._create(Unclear, f"{self._config.alias} answered {status}, but {error.reason}", status=status)
        kind = TooLarge if error.too_large else Unavailable if host else NotTheApi
        return self._create(kind, f"{self._name_place(host)} answered {status}, but {error.reason}", status=status)

    def map_broken_body(self, response: httpx.Response, reason: str, *, writing: bool) -> ForgeError:
        """Return the error of a success whose body is of no use; it names the endpoint.

        Args:
            response: The response.
            reason: What is wrong with it; follows "but".
            writing: Whether the request was to change something.
        """
        endpoint = format_endpoint(response.request)
        text = f"{self._config.url} answered {response.status_code} to {endpoint}, but {reason}"
        if writing:
            return self._create(Unclear, text, status=response.status_code, endpoint=endpoint)
        remedy = "" if is_html(response) else BROKEN
        return self._create(NotTheApi, text, suggestion=remedy, status=response.status_code, endpoint=endpoint)

    def map_redirected_response(self, response: httpx.Response, host: str) -> ForgeError:
        """Return the error of a refusal by another host that the forge led to; without its URL, which may be signed."""
        status = response.status_code
        text = f"{self._name_place(host)} answered {status}"
        if STATUSES.get(status) is NotFound:
            return self._create(NotFound, text, suggestion="It has expired, or does not exist yet.", status=status)
        return self._create(Unavailable, text, status=status)

    def _name_place(self, host: str) -> str:
        return f"{host}, to which {self._config.alias} leads," if host else self._config.url

    def _map_transport_error(self, error: Exception, host: str, *, writing: bool) -> ForgeError:
        config, where = self._config, {"host": host} if host else {"url": self._config.url}
        if (cause := find_setup_error(error)) is not None:
            text, remedy = _explain_setup(cause, host or config.url, config.alias)
            return self._create(Unavailable, text, suggestion=remedy, **where)
        reason = redact(str(error) or type(error).__name__)
        never_sent = isinstance(error, NEVER_SENT)
        if writing and not never_sent:
            text = f"{config.alias} gave no answer after the request was sent ({reason})"
            return self._create(Unclear, text, **where)
        what = "is not reachable" if never_sent else "gave no answer"
        return self._create(Unavailable, f"{self._name_place(host)} {what}: {reason}", **where)

    def _map_refusal(self, kind: type[ForgeError], text: str, wait: float) -> ForgeError:
        error = self._create(kind, text)
        error.retry_after = round(wait, 3)
        return error

    def _create(self, kind: type[ForgeError], text: str, *, suggestion: str = "", **details: Any) -> ForgeError:
        return _create_error(kind, text, suggestion=suggestion, forge=self._config.alias, **details)


def format_endpoint(request: httpx.Request) -> str:
    """Return the method and the path of a request, without its query."""
    return f"{request.method} {request.url.path}"


def is_html(response: httpx.Response) -> bool:
    """Return whether the body is a web page."""
    return "html" in response.headers.get("content-type", "").lower()


def find_setup_error(error: BaseException) -> ssl.SSLError | socket.gaierror | None:
    """Return why a connection fails until somebody changes something: its TLS, or a name without an address.

    None for other failures: a further attempt may succeed.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError) or (isinstance(cause, socket.gaierror) and cause.errno in NO_ADDRESS):
            return cause
        cause = cause.__cause__ or cause.__context__
    return None


def _explain_setup(cause: ssl.SSLError | socket.gaierror, place: str, alias: str) -> tuple[str, str]:
    """Return the message and the remedy of what `find_setup_error` found."""
    if isinstance(cause, ssl.SSLCertVerificationError):
        remedy = f"Set ca_file in [forges.{alias}] to the file of the certificate authority."
        return f"the certificate of {place} is not trusted: {cause}", remedy
    if isinstance(cause, ssl.SSLError):
        remedy = "Check the scheme and the port of the forge's URL, and whether a proxy answers in its place."
        return f"no TLS connection to {place}: {cause}", remedy
    remedy = "Check the forge's URL, and this machine's network and DNS."
    return f"the host of {place} has no address: {cause.strerror}", remedy


def _is_text(response: httpx.Response) -> bool:
    kind: str = response.headers.get("content-type", "")
    return kind.lower().startswith("text/plain")


def _create_error(kind: type[ForgeError], text: str, *, suggestion: str = "", **details: Any) -> ForgeError:
    return kind(text, suggestion=suggestion or kind.remedy, details=details)
