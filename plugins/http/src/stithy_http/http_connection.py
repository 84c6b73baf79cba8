"""One HTTP connection: uvicorn's protocol, with strict framing and deadlines for the client."""

import json
import re

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol, RequestResponseCycle

MAX_HEADER_BYTES = 16 * 1024
STALL_SECONDS = 30.0
"""Time in which a client must read `STALL_BYTES` of its answer."""
STALL_BYTES = 16 * 1024
SUPPORTED_MAJOR = b"1."
ABSOLUTE_FORM = re.compile(rb"https?://([^/?#]*)([^#]*)", re.IGNORECASE)


class StrictParser(h11.Connection):
    """h11's parser, which also refuses messages that other parsers on the way could read differently.

    Attributes:
        error: Why the last message was refused.
    """

    error: h11.RemoteProtocolError | None = None

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event; a request's target is in origin form, and its Host is the one of the target.

        Raises:
            h11.RemoteProtocolError: The message is invalid; `error_status_hint` is the HTTP status to answer.
        """
        try:
            event = super().next_event()
            return check_request(event) if isinstance(event, h11.Request) else event
        except h11.RemoteProtocolError as error:
            self.error = error
            raise


def check_request(request: h11.Request) -> h11.Request:
    """Return a request with its target in origin form.

    Raises:
        h11.RemoteProtocolError: Its version is not 1.x, it has two lengths, or its target has another form.
    """
    if not request.http_version.startswith(SUPPORTED_MAJOR):
        raise h11.RemoteProtocolError("unsupported HTTP version; this server speaks HTTP/1.1", 505)
    names = {name for name, _ in request.headers}
    if b"transfer-encoding" in names and b"content-length" in names:
        # Proxies that believe the other header see another request in the body (RFC 9112, section 6.3).
        raise h11.RemoteProtocolError("a request must not have both Content-Length and Transfer-Encoding")
    if b"transfer-encoding" in names and request.http_version == b"1.0":
        raise h11.RemoteProtocolError("invalid Transfer-Encoding; HTTP/1.0 does not have it")  # RFC 9112, section 6.1
    return resolve_target(request)


def resolve_target(request: h11.Request) -> h11.Request:
    """Return a request with its target in origin form; an absolute target's authority replaces Host (RFC 9112, 3.2.2).

    Raises:
        h11.RemoteProtocolError: The target has neither origin nor absolute form.
    """
    target = request.target
    if target.startswith(b"/") or (target == b"*" and request.method == b"OPTIONS"):
        return request
    parts = ABSOLUTE_FORM.fullmatch(target)
    if parts is None or not parts[1]:
        raise h11.RemoteProtocolError("invalid request target; expected a path or an absolute http URL")
    headers = [(name, value) for name, value in request.headers if name != b"host"]
    path = parts[2] if parts[2].startswith(b"/") else b"/" + parts[2]
    return h11.Request(
        method=request.method,
        target=path,
        headers=[(b"host", parts[1]), *headers],
        http_version=request.http_version,
    )


class HttpConnection(H11Protocol):
    """A connection whose client has limited time to send a request's headers and to read its answers.

    uvicorn limits only the time between two requests. `check` is called every second.

    Attributes:
        idle_since: When the last answer was complete, by the clock of the event loop.
    """

    conn: StrictParser
    cycle: RequestResponseCycle | None  # type: ignore[assignment]  # None before the first request

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.conn = StrictParser(h11.SERVER, MAX_HEADER_BYTES)
        self.idle_since = self.loop.time()
        self._headers_since: float | None = self.idle_since
        self._unsent = (0, self.idle_since)

    @property
    def address(self) -> str:
        """The client's address; empty if the system does not report it."""
        return self.client[0] if self.client else ""

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def waits_for_client(self) -> bool:
        """Whether the connection waits for the client to send the rest of a request, or to read its answer."""
        if self.transport.is_closing():
            return self.transport.get_write_buffer_size() > 0  # nothing left to send: it closes by itself
        return self.is_idle or self.conn.their_state is h11.SEND_BODY or self.flow.write_paused

    def data_received(self, data: bytes) -> None:
        """Process received bytes; the first byte of a request starts the time for its headers."""
        if self.is_idle and self._headers_since is None:
            self._headers_since = self.loop.time()
        super().data_received(data)
        if not self.is_idle:
            self._headers_since = None

    def on_response_complete(self) -> None:
        """Wait for the next request; the unread rest of this one has the time of headers."""
        self.idle_since = self.loop.time()
        unread = self.conn.their_state is h11.SEND_BODY
        super().on_response_complete()
        self._headers_since = self.idle_since if unread and self.is_idle else None

    def check(self, now: float, header_seconds: float) -> None:
        """Close the connection if its client is too slow.

        Args:
            now: The time by the clock of the event loop.
            header_seconds: Time for the headers of a request.
        """
        if self._is_stalled(now):
            self.transport.abort()
        elif self._headers_since is not None and now - self._headers_since > header_seconds:
            self._headers_since = None
            if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
                self.refuse(408, f"the headers did not arrive within {header_seconds:g} seconds")
            else:
                self.transport.abort()

    def _is_stalled(self, now: float) -> bool:
        """Return whether writing waits for the client, and it has not read `STALL_BYTES` for `STALL_SECONDS`."""
        size = self.transport.get_write_buffer_size()
        left, since = self._unsent
        if not (self.flow.write_paused or self.transport.is_closing()) or size <= left - STALL_BYTES or not left:
            self._unsent = (size, now)
            return False
        return size > 0 and now - since > STALL_SECONDS

    def send_400_response(self, msg: str) -> None:
        """Answer an invalid message; uvicorn's hook."""
        error = self.conn.error
        self.refuse(error.error_status_hint, str(error)) if error else self.refuse(400, msg)

    def refuse(self, status: int, message: str) -> None:
        """Answer with an error in the shape of all others, and close the connection."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps({"error": {"code": "malformed_request", "message": message}}).encode()
            headers = [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
            ]
            answer = h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status])
            for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
